internal import Glibc
internal import Platform

/// The user's editor.
enum EditorProcess {
  /// Whether it can be started: where none is named, vi needs a terminal.
  static var isPossible: Bool { named != nil || isatty(0) == 1 && isatty(1) == 1 }

  private static var named: String? { Environment.value("VISUAL") ?? Environment.value("EDITOR") }

  /// Runs it on a file and waits for its end; false where it failed.
  ///
  /// Its name may come with options, as the shell reads them.
  static func run(on file: Path) -> Bool {
    let words = ["/bin/sh", "-c", "exec \(named ?? "vi") \"$1\"", "sh"]
    let status = try? ChildProcess.runAtTerminal(.arguments(words), operand: file.octets)
    return status == .exited(0)
  }
}
