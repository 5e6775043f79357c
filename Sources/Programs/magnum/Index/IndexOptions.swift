internal import CommandLine
internal import MailModel

/// What the options of `magnum index` ask for.
struct IndexOptions {
  var rebuild = false
  var scan = false
  var check = false
  var compact = false
  var wait = 10.0
  /// Which messages without references are linked by subject; nil leaves it to the configuration.
  var subjectThreading: SubjectThreading?

  /// The options, each defined here and nowhere else.
  static var table: [CommandOption<IndexOptions>] {
    [
      .flag(
        "--rebuild",
        sets: \.rebuild,
        help: "Rebuild the index; the old one answers until then."
      ),
      .flag("--scan", sets: \.scan, help: "Rescan every directory, ignoring timestamps."),
      .flag("--check", sets: \.check, help: "Check for damage; change nothing."),
      .flag("--compact", sets: \.compact, help: "Compact the index."),
      .number(
        "--wait",
        value: "seconds",
        sets: \.wait,
        help: "Wait this long for another program that changes the index; 10 by default."
      ),
      .choice(
        "--subject-threading",
        value: "which",
        sets: \.subjectThreading,
        help: "Which messages without references are put into a thread by their subject."
      ),
    ]
  }

  func check(_ line: ParsedLine) throws(UsageMistake) {
    if [rebuild, scan, check, compact].filter({ $0 }).count > 1 {
      throw UsageMistake("--rebuild, --scan, --check and --compact exclude each other")
    }
    guard !line.operands.isEmpty else { return }
    if line.globals.config != nil || !line.globals.accounts.isEmpty {
      throw UsageMistake("a directory cannot be combined with --config or --account")
    }
  }
}
