internal import Platform

/// The user's editor.
enum EditorProcess {
  /// Runs it on a file and waits for its end; false where it failed.
  ///
  /// Its name may come with options, as the shell reads them.
  static func run(on file: Path) -> Bool {
    let editor = Environment.value("VISUAL") ?? Environment.value("EDITOR") ?? "vi"
    let words = ["/bin/sh", "-c", "exec \(editor) \"$1\"", "sh", file.display]
    return (try? ChildProcess.runAtTerminal(.arguments(words))) == .exited(0)
  }
}
