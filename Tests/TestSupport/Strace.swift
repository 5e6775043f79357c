/// Programs under strace.
package enum Strace {
  /// Whether it can trace here.
  package static let canTrace = (try? Command("strace", ["-qq", "true"]).run().code) == 0

  /// A command, and all that it starts, whose calls are written to a file, a line each.
  ///
  /// - Parameters:
  ///   - command: what is run.
  ///   - calls: the names of the calls, with commas between them.
  ///   - options: more options of strace.
  ///   - log: the file.
  /// - Returns: the command to run.
  package static func tracing(
    _ command: Command,
    _ calls: String,
    _ options: [String] = [],
    log: String
  ) -> Command {
    var traced = command
    traced.program = "strace"
    traced.arguments =
      ["-f", "-qq", "-e", "trace=\(calls)", "-o", log] + options + [command.program]
      + command.arguments
    return traced
  }
}
