internal import ArgumentParser
internal import Terminal

/// `magnum show`: messages and threads for reading.
struct ShowSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show a message or a thread.",
    discussion: """
      A file, or a query as in magnum-query(7), such as id:x@y or thread:0123456789abcdef. See \
      magnum-show(1).
      """
  )

  @OptionGroup var global: ConfigurationOption

  @Option(
    name: .long,
    parsing: .singleValue,
    help: ArgumentHelp("Look in this Maildir, without a configuration.", valueName: "directory"),
    completion: .directory
  )
  var maildir: [String] = []

  @Flag(name: .long, help: "Print JSON.")
  var json = false

  @Flag(name: .long, help: "Print the message as it came, octet by octet.")
  var raw = false

  @Option(name: .long, help: ArgumentHelp("Print the content of this part.", valueName: "number"))
  var part: String?

  @Flag(name: .long, help: "Prefer HTML, as text, to plain text.")
  var html = false

  @Flag(name: .long, help: "Show all header fields.")
  var headers = false

  @Flag(name: .long, help: "Never start a pager.")
  var noPager = false

  @Option(name: .long, help: ArgumentHelp("Show so many messages at most.", valueName: "number"))
  var limit = 1000

  @Argument(
    parsing: .allUnrecognized,
    help: ArgumentHelp("A file, or a query.", valueName: "file-or-query"),
    completion: .file()
  )
  var target: [String]

  func validate() throws {
    if let word = target.first(where: { $0.hasPrefix("--") && $0 != "--" }) {
      throw ValidationError("unknown option \(word)")
    }
    if [json, raw, part != nil].filter({ $0 }).count > 1 {
      throw ValidationError("--json, --raw and --part exclude each other")
    }
    if limit < 0 { throw ValidationError("--limit must not be negative") }
    if !maildir.isEmpty, global.path != nil {
      throw ValidationError("--maildir and --config exclude each other")
    }
  }

  func run() throws {
    let status = ShowCommand(self).run()
    if status != .success { throw ExitCode(status.rawValue) }
  }
}
