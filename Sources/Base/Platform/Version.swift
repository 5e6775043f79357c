/// The version of the suite, whose programs are released together.
package enum Version {
  /// The number alone.
  package static let number = "0.1.0"

  /// What a program prints with `--version`.
  package static func text(of program: String) -> String { "\(program) \(number)" }
}
