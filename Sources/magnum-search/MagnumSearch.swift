internal import ArgumentParser
internal import Configuration
internal import Octets
internal import Platform
internal import SearchIndex
internal import Terminal

/// The program magnum-search: a query in, what it finds out, an exit status.
@main
struct MagnumSearch: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "magnum-search",
    abstract: "Find mail by words, people, dates, flags and threads.",
    usage: "magnum-search [options] [query ...]",
    discussion: "Without a query everything is found. See magnum-search(1) and magnum-query(7).",
    version: Version.text
  )

  /// What is printed of what is found.
  enum Output: String, CaseIterable, ExpressibleByArgument {
    case summary, threads, messages, files, tags, count, addresses, senders, recipients, tree
  }

  /// How it is printed.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, text0, json, jsonl
  }

  /// In which order.
  enum Sort: String, CaseIterable, ExpressibleByArgument {
    case newestFirst = "newest-first"
    case oldestFirst = "oldest-first"
    case unsorted
  }

  @Option(
    name: .long,
    help: ArgumentHelp("Read this configuration file.", valueName: "file"),
    completion: .file()
  )
  var config: String?

  @Option(
    name: .long,
    parsing: .singleValue,
    help: ArgumentHelp("Search this Maildir, without a configuration.", valueName: "directory"),
    completion: .directory
  )
  var maildir: [String] = []

  @Option(
    name: .long,
    parsing: .singleValue,
    help: ArgumentHelp("Search this account; all by default.", valueName: "account")
  )
  var account: [String] = []

  @Option(name: .long, help: "What to print of what is found.")
  var output = Output.summary

  @Option(name: .long, help: "How to print it.")
  var format = Format.text

  @Flag(name: .customShort("0"), help: "The same as --format text0.")
  var isNulSeparated = false

  @Flag(name: .long, help: "Print how many there are, and nothing else.")
  var count = false

  @Option(name: .long, help: "Which come first.")
  var sort = Sort.newestFirst

  @Option(name: .long, help: ArgumentHelp("Print so many at most.", valueName: "number"))
  var limit: Int?

  @Option(name: .long, help: ArgumentHelp("Leave out so many.", valueName: "number"))
  var offset: Int = 0

  @Option(
    name: .long,
    help: ArgumentHelp("Make a Maildir of links to what is found.", valueName: "directory"),
    completion: .directory
  )
  var links: String?

  @Flag(name: .long, help: "Read queries from standard input, one a line.")
  var batch = false

  @Flag(name: .long, help: "Exit with 2 where nothing is found.")
  var failEmpty = false

  @Option(
    name: .long,
    help: ArgumentHelp("Find the forms of words of this language.", valueName: "language")
  )
  var stem = "english"

  @Argument(
    parsing: .allUnrecognized,
    help: ArgumentHelp("What to search for.", valueName: "query")
  )
  var query: [String] = []

  func validate() throws {
    // A word may begin with a dash (-tag:unread); an option that nobody knows must not be searched for.
    if let word = query.first(where: { $0.hasPrefix("--") && $0 != "--" }) {
      throw ValidationError("unknown option \(word)")
    }
    if offset < 0 { throw ValidationError("--offset must not be negative") }
    if let limit, limit < 0 { throw ValidationError("--limit must not be negative") }
    if batch, !query.isEmpty { throw ValidationError("--batch takes no query") }
    if batch, links != nil { throw ValidationError("--batch and --links exclude each other") }
    if !maildir.isEmpty, !account.isEmpty || config != nil {
      throw ValidationError("--maildir needs neither --config nor --account")
    }
  }

  func run() throws {
    let status = SearchCommand(self).run()
    FaultPoint.writeCount()
    if status != 0 { throw ExitCode(status) }
  }

  /// The query as one text.
  var text: String {
    query.filter { $0 != "--" }.joined(separator: " ")
  }

  /// The limit as a number.
  var bound: Int { limit ?? .max }

  var order: SearchOrder {
    switch sort {
    case .newestFirst: .newestFirst
    case .oldestFirst: .oldestFirst
    case .unsorted: .unsorted
    }
  }
}
