/// The version of this program.
enum Version {
  static let text = "magnum-send 0.1.0"
}
