/// The version of this program.
enum Version {
  static let text = "magnum-sync 0.1.0"
}
