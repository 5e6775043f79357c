internal import CommandLine

/// What the options of `magnum show` ask for.
struct ShowOptions {
  var maildir: [String] = []
  var raw = false
  var part: String?
  var html = false
  var headers = false
  var noPager = false
  var limit = 1000

  /// The options, each defined here and nowhere else.
  static var table: [CommandOption<ShowOptions>] {
    [
      .texts(
        "--maildir",
        value: "directory",
        completion: .directories,
        addsTo: \.maildir,
        help: "Look in this Maildir, without a configuration."
      ),
      .flag("--raw", sets: \.raw, help: "Print the message as it came, octet by octet."),
      .text("--part", value: "number", sets: \.part, help: "Print the content of this part."),
      .flag("--html", sets: \.html, help: "Prefer HTML, as text, to plain text."),
      .flag("--headers", sets: \.headers, help: "Show all header fields."),
      .flag("--no-pager", sets: \.noPager, help: "Never start a pager."),
      .number("--limit", sets: \.limit, help: "Show at most this number of messages."),
    ]
  }

  func check(_ line: ParsedLine) throws(UsageMistake) {
    if [line.globals.json, raw, part != nil].filter({ $0 }).count > 1 {
      throw UsageMistake("--json, --raw and --part exclude each other")
    }
    if limit < 0 { throw UsageMistake("--limit must not be negative") }
    if !maildir.isEmpty, line.globals.config != nil || !line.globals.accounts.isEmpty {
      throw UsageMistake("--maildir cannot be combined with --config or --account")
    }
  }
}
