/// The version of this program.
enum Version {
  static let text = "magnum 0.1.0"
}
