internal import CPlatform

/// The version of the suite, whose programs are released together.
package enum Version {
  /// The number alone.
  package static let number = "0.9.0"

  /// What a program prints with `--version`: its name, the number and, where it is known, the commit.
  package static func text(of program: String) -> String {
    let commit = String(cString: magnum_commit())
    return "\(program) \(number)" + (commit.isEmpty ? "" : " (\(commit))")
  }
}
