package import CommandLine
package import Terminal

/// In which form syncs are reported.
package enum ReportForm: Hashable, Sendable {
  /// How much of it is text for people.
  package enum Verbosity: Hashable, Sendable {
    case quiet, normal, verbose
  }

  /// An object a line; see magnum-formats(5).
  case json
  case text(Verbosity)

  /// The version of the objects, which each of them tells.
  package static let version = 1

  /// Makes what reports syncs in this form.
  ///
  /// - Parameters:
  ///   - program: in whose name problems are reported.
  ///   - console: where it goes.
  ///   - isDryRun: whether plans are what the caller wants to see.
  ///   - memory: decides which standing problems are reported as text.
  ///   - windows: how many days back messages are fetched, by account, where that is limited.
  ///   - progress: shows how far accounts have come, as text; nil for the foot of the console's terminal.
  /// - Returns: the reporter, which may be used by several threads.
  package func reporter(
    _ program: String,
    _ console: Console,
    isDryRun: Bool,
    _ memory: ProblemMemory,
    windows: [String: Int] = [:],
    progress: (any ProgressDisplay)? = nil
  ) -> any Reporter {
    switch self {
    case .json: JSONReporter(console: console, isDryRun: isDryRun)
    case .text(let verbosity):
      TextReporter(
        program,
        console: console,
        verbosity: verbosity,
        isDryRun: isDryRun,
        memory: memory,
        windows: windows,
        progress: progress ?? ProgressBoard(console: console)
      )
    }
  }
}

extension CommandContext {
  /// The form that the common options ask for.
  package var reportForm: ReportForm {
    if globals.json { return .json }
    return .text(globals.quiet ? .quiet : globals.verbose ? .verbose : .normal)
  }
}
