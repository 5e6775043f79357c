internal import Glibc
internal import Platform

/// Shows long text a page at a time, on a terminal.
enum Pager {
  /// Whether there is a terminal to show pages on.
  static var isWanted: Bool { isatty(1) == 1 && command != "cat" }

  /// A terminal that cannot be drawn on gets pages only where they are asked for.
  private static var command: String {
    let term = Environment.value("TERM") ?? ""
    let usual = term.isEmpty || term == "dumb" ? "cat" : Environment.value("PAGER") ?? "less"
    let wanted = Environment.value("MAGNUM_PAGER") ?? usual
    return wanted.isEmpty ? "cat" : wanted
  }

  /// Shows a text, and waits for the end of the pager.
  ///
  /// - Returns: false where the pager could not be started.
  static func show(_ text: [UInt8]) -> Bool {
    // Leave when it fits on a page, and what was shown on the screen.
    let variables = Environment.value("LESS") == nil ? ["LESS=-FRX"] : []
    let status = try? ChildProcess.show(
      text,
      with: .shell(command),
      variables: .inherited(with: variables)
    )
    // 127 is the shell's: there is no such program.
    return status != nil && status != .exited(127)
  }
}
