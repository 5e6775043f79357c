internal import Carriage
internal import CommandLine

/// What the options of `magnum export` ask for.
struct ExportOptions {
  var place: String?
  var format = ExportFormat.mbox
  var wholeThread = false
  var allCopies = false
  var fetches = false
  var isForced = false
  var isDryRun = false
  var isConfirmed = false

  static var table: [CommandOption<ExportOptions>] {
    [
      .text(
        "--output",
        value: "path",
        completion: .files,
        sets: \.place,
        help: "The file or directory to write; - for standard output."
      ),
      .choice(
        "--format",
        value: "format",
        sets: \.format,
        help: "One mbox, .eml files in a directory, a Maildir, JSON lines, or a page in HTML."
      ),
      .flag("--thread", sets: \.wholeThread, help: "Include all messages of the threads."),
      .flag("--all-copies", sets: \.allCopies, help: "Write each copy of a message."),
      .flag(
        "--fetch",
        sets: \.fetches,
        help: "First fetch attachments that only the server has."
      ),
      .flag(
        "--force",
        sets: \.isForced,
        help: "Replace a file that is there; add to a directory what it lacks."
      ),
      .flag("-n", "--dry-run", sets: \.isDryRun, help: "Print what would be done, and do nothing."),
      .flag("--yes", sets: \.isConfirmed, help: "Do not ask for confirmation."),
    ]
  }

  /// - Throws: what is wrong with them together.
  func check(_ line: ParsedLine) throws(UsageMistake) {
    guard let place, !place.isEmpty else {
      throw UsageMistake("no place is given; use --output")
    }
    if line.operands.contains("-"), line.operands.count > 1 {
      throw UsageMistake("- cannot be combined with other messages")
    }
    guard place == "-" else { return }
    if format == .maildir { throw UsageMistake("a Maildir cannot go to standard output") }
    if isForced { throw UsageMistake("--force is for files and directories") }
    if line.globals.json {
      throw UsageMistake("--json prints the counts to standard output, where the messages go")
    }
  }
}
