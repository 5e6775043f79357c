internal import CommandLine
internal import MIME
internal import SearchIndex

/// What the options of `magnum show` ask for.
struct ShowOptions {
  /// How messages are printed.
  enum Format: String, CaseIterable {
    case text, json, sexp, raw, mbox, eml, html
  }

  /// As notmuch's options have it.
  enum Truth: String, CaseIterable {
    case `true`, `false`
  }

  /// Whether mail is decrypted, as notmuch has it.
  enum Decryption: String, CaseIterable {
    case `true`, `false`
    /// As configured.
    case auto
    /// As `true`: session keys are not kept.
    case stash

    /// Nil where it is as configured.
    var isWanted: Bool? {
      switch self {
      case .true, .stash: true
      case .false: false
      case .auto: nil
      }
    }
  }

  /// The order of threads.
  enum Sort: String, CaseIterable {
    case newestFirst = "newest-first"
    case oldestFirst = "oldest-first"
  }

  var maildir: [String] = []
  var raw = false
  var part: String?
  var html = false
  var headers = false
  var noPager = false
  var colour = TextStyle.Colour.auto
  var limit = 1000
  var format = Format.text
  /// The file that gets messages as `magnum export` writes them; nil for standard output.
  var output: String?
  var entireThread = Truth.true
  var body = Truth.true
  var includeHTML = false
  var unthreaded = false
  var sort = Sort.newestFirst
  /// Which of the files of a message is read, from 1.
  var duplicate: Int?
  /// The number of a part as JSON has it; 0 for the whole message.
  var nthPart: Int?
  /// What programs pass that know notmuch's options, and what has no effect.
  ///
  /// All that is printed has one version, and no mail is left out.
  var formatVersion: Int?
  var exclude: String?
  /// About how many octets JSON may have; nil for as many as it takes.
  var maxBytes: Int?
  var verify: Truth?
  var decrypt: Decryption?

  /// The newest version of notmuch's format whose members are all there.
  private static let formatVersionLimit = 5

  /// The options, each defined here and nowhere else.
  static var table: [CommandOption<ShowOptions>] {
    [
      .texts(
        "--maildir",
        value: "directory",
        completion: .directories,
        addsTo: \.maildir,
        help: "Use this Maildir, without a configuration."
      ),
      .flag("--raw", sets: \.raw, help: "Print the message as it was received, byte for byte."),
      .text("--part", value: "number", sets: \.part, help: "Print the content of this part."),
      .flag("--html", sets: \.html, help: "Prefer HTML, as text, to plain text."),
      .flag("--headers", sets: \.headers, help: "Show all header fields."),
      .flag("--no-pager", sets: \.noPager, help: "Never start a pager."),
      .choice(
        "--color",
        value: "when",
        sets: \.colour,
        help: "When to use colours; auto: on a terminal, unless NO_COLOR is set."
      ),
      .number("--limit", sets: \.limit, help: "Show at most this number of messages."),
      .choice(
        "--verify",
        value: "truth",
        sets: \.verify,
        help: "Whether signatures are checked; by default, as configured."
      ),
      .choice(
        "--decrypt",
        value: "how",
        sets: \.decrypt,
        help: "Whether encrypted mail is decrypted; auto: as configured."
      ),
    ] + forPrograms
  }

  private static var forPrograms: [CommandOption<ShowOptions>] {
    [
      .choice("--format", value: "format", sets: \.format, help: "How to print messages."),
      .text(
        "--output",
        value: "file",
        completion: .files,
        sets: \.output,
        help: "Write the mbox, the message or the page to this new file."
      ),
      .number(
        "--nth-part",
        sets: \.nthPart,
        help: "Print the content of the part with this number in JSON; 0 is the message."
      ),
      .choice(
        "--entire-thread",
        value: "truth",
        sets: \.entireThread,
        help: "Whether JSON has the messages of a thread that were not found."
      ),
      .choice("--body", value: "truth", sets: \.body, help: "Whether JSON has the parts."),
      .number("--max-bytes", sets: \.maxBytes, help: "Cut texts where JSON gets longer than this."),
      .flag("--include-html", sets: \.includeHTML, help: "Put HTML itself into JSON."),
      .flag("--unthreaded", sets: \.unthreaded, help: "Print each message as a thread of its own."),
      .choice("--sort", value: "order", sets: \.sort, help: "The order of threads in JSON."),
      .number("--duplicate", sets: \.duplicate, help: "Read the file of this number of a message."),
      .number(
        "--format-version",
        value: "version",
        sets: \.formatVersion,
        help: "The version of notmuch's format that a program knows."
      ),
      .text("--exclude", value: "truth", sets: \.exclude, help: "Has no effect, as in notmuch."),
    ]
  }

  /// What they ask for of the protection of messages: text goes by the configuration too, all else by options alone.
  func protection(_ format: Format) -> ProtectionLook.Options {
    var options = ProtectionLook.Options(
      verifies: verify.map { $0 == .true },
      decrypts: decrypt?.isWanted
    )
    options.followsConfiguration = format == .text || decrypt?.isWanted == true && format == .raw
    options.part = part.flatMap { Section(Array($0.utf8)) }
    return options
  }

  /// The format as all options together have it.
  func format(json: Bool) -> Format {
    json ? .json : raw || part != nil || nthPart ?? 0 > 0 ? .raw : format
  }

  func check(_ line: ParsedLine) throws(UsageMistake) {
    if [line.globals.json, raw, part != nil].filter({ $0 }).count > 1 {
      throw UsageMistake("--json, --raw and --part exclude each other")
    }
    if line.globals.json, format != .text, format != .json {
      throw UsageMistake("--json and --format \(format.rawValue) exclude each other")
    }
    if output != nil, ![.mbox, .eml, .html].contains(format(json: line.globals.json)) {
      throw UsageMistake("--output is for --format html, mbox and eml")
    }
    if output?.isEmpty == true { throw UsageMistake("--output names no file") }
    if part != nil, nthPart != nil {
      throw UsageMistake("--part and --nth-part exclude each other")
    }
    if nthPart ?? 0 < 0 { throw UsageMistake("--nth-part must not be negative") }
    if let duplicate, duplicate < 1 { throw UsageMistake("--duplicate counts from 1") }
    if let formatVersion, formatVersion > Self.formatVersionLimit {
      throw UsageMistake("the newest version of the format is \(Self.formatVersionLimit)")
    }
    if limit < 0 { throw UsageMistake("--limit must not be negative") }
    if let maxBytes, maxBytes < 0 { throw UsageMistake("--max-bytes must not be negative") }
    if maxBytes != nil, ![.json, .sexp].contains(format(json: line.globals.json)) {
      throw UsageMistake("--max-bytes is for --json")
    }
    if !maildir.isEmpty, line.globals.config != nil || !line.globals.accounts.isEmpty {
      throw UsageMistake("--maildir cannot be combined with --config or --account")
    }
  }
}
