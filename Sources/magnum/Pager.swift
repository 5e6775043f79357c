internal import Glibc
internal import Platform

/// Shows long text a page at a time, on a terminal.
enum Pager {
  /// Whether there is a terminal to show pages on.
  static var isWanted: Bool { isatty(1) == 1 && command != "cat" }

  private static var command: String {
    let wanted = Environment.value("MAGNUM_PAGER") ?? Environment.value("PAGER") ?? "less"
    return wanted.isEmpty ? "cat" : wanted
  }

  /// Shows a text, and waits for the end of the pager.
  ///
  /// - Returns: false where the pager could not be started.
  static func show(_ text: [UInt8]) -> Bool {
    // Leave when it fits on a page, and what was shown on the screen.
    setenv("LESS", "-FRX", 0)
    guard let pipe = popen(command, "w") else { return false }
    _ = text.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, pipe) }
    let status = pclose(pipe)
    // 127 is the shell's: there is no such program.
    return status & 0x7F != 0 || (status >> 8) & 0xFF != 127
  }
}
