/// The version of this program.
enum Version {
  static let text = "magnum-search 0.1.0"
}
