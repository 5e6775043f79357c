internal import Glibc
internal import Octets
internal import Platform

/// The user's editor.
enum EditorProcess {
  /// Whether it can be started: where none is named, vi needs a terminal.
  static var isPossible: Bool { named != nil || isatty(0) == 1 && isatty(1) == 1 }

  private static var named: String? { Environment.value("VISUAL") ?? Environment.value("EDITOR") }

  /// How an editor failed.
  struct Failure {
    /// What happened.
    let what: String
    /// Whether a program ran at all.
    let hasRun: Bool
  }

  /// Runs it on a file and waits for its end.
  ///
  /// Its name may come with options, as the shell reads them.
  ///
  /// - Parameter file: what it edits.
  /// - Returns: how it failed; nil where it did not.
  static func run(on file: Path) -> Failure? {
    let command = named ?? "vi"
    let words = ["/bin/sh", "-c", "exec \(command) \"$1\"", "sh"]
    let name = Printable.text(command.split(separator: " ").first.map { [UInt8]($0.utf8) } ?? [])
    switch try? ChildProcess.runAtTerminal(.arguments(words), operand: file.octets) {
    case .exited(0): return nil
    case .exited(let status) where status != 126 && status != 127:
      return Failure(what: "\(name) ended with status \(status)", hasRun: true)
    case .signalled(let number):
      return Failure(what: "\(name) was ended by signal \(number)", hasRun: true)
    default: return Failure(what: "cannot run the editor \(name)", hasRun: false)
    }
  }
}
