internal import CommandLine
internal import Query
internal import SearchIndex

/// What the command line asks for.
struct SearchOptions: Hashable {
  /// What is printed of what is found.
  enum Output: String, CaseIterable {
    case summary, threads, messages, files, tags, lists, count, addresses, senders, recipients, tree
  }

  /// How it is printed.
  enum Format: String, CaseIterable {
    case text, text0, json, jsonl, sexp, mutt

    /// Whether results are objects and strings, not lines.
    var isStructured: Bool { self == .json || self == .jsonl || self == .sexp }
  }

  /// Which of the same people are put out once.
  enum Deduplicate: String, CaseIterable {
    case no, mailbox, address
  }

  /// In which order.
  enum Sort: String, CaseIterable {
    case newestFirst = "newest-first"
    case oldestFirst = "oldest-first"
    case unsorted
  }

  var maildirs: [String] = []
  var output = Output.summary
  var format = Format.text
  var count = false
  var sort = Sort.newestFirst
  var limit: Int?
  /// Negative: counted from the end.
  var offset = 0
  /// Which of the files of each message is meant, from 1.
  var duplicate: Int?
  var deduplicate = Deduplicate.mailbox
  /// Whether people are printed as addresses alone, and with how often they came.
  var bareAddresses = false
  var withCounts = false
  /// Tags whose messages are left out, where the query does not name them, and how.
  var exclusion = Exclusion()
  var links: String?
  var batch = false
  /// Whether nothing is said about words of a query that finds nothing.
  var noRemarks = false
  /// Whether counts are followed by the revision of the index.
  var lastmod = false
  /// Which index is meant; nil for any.
  var uuid: String?
  var failEmpty = false
  /// Whether questions of other machines are answered.
  var serve = false
  /// Whether archives on other machines are left out.
  var noArchives = false
  /// Whether an archive that is out is a failure.
  var strict = false
  /// The version of notmuch's format that a program knows.
  var formatVersion: Int?
  /// The language whose forms of words are found; `none` for no forms.
  var stem: String?

  /// Whether the options make sense together.
  func check(_ line: ParsedLine) throws(UsageMistake) {
    if let duplicate, duplicate < 1 { throw UsageMistake("--duplicate counts from 1") }
    if bareAddresses || withCounts, ![.addresses, .senders, .recipients].contains(output) {
      throw UsageMistake(
        "--\(withCounts ? "with-counts" : "bare-addresses") goes with --output addresses, senders and recipients"
      )
    }
    if duplicate != nil, output != .files, output != .messages {
      throw UsageMistake("--duplicate goes with --output files and messages")
    }
    if let limit, limit < 0 { throw UsageMistake("--limit must not be negative") }
    if count || output == .count, limit != nil || offset != 0 {
      throw UsageMistake("--limit and --offset do not go with --count, which counts all results")
    }
    if lastmod, !count, output != .count { throw UsageMistake("--lastmod goes with --count") }
    if batch, !line.operands.isEmpty { throw UsageMistake("--batch takes no query") }
    if batch, links != nil { throw UsageMistake("--batch and --links exclude each other") }
    if format == .mutt, output != .addresses || batch || count || links != nil {
      throw UsageMistake("--format mutt goes with --output addresses alone")
    }
    if serve, !line.operands.isEmpty || batch || links != nil || count {
      throw UsageMistake("--serve takes no query")
    }
    if line.globals.json, format != .text, format != .json {
      throw UsageMistake("--json and --format \(format.rawValue) exclude each other")
    }
    if !maildirs.isEmpty, !line.globals.accounts.isEmpty || line.globals.config != nil {
      throw UsageMistake("--maildir cannot be combined with --config or --account")
    }
  }

  /// Whether it is about files, which archives have none of here; lists are told by them.
  var wantsFiles: Bool { output == .files || output == .lists || links != nil || duplicate != nil }

  /// Whether it is about one index and how far that has come, or for each key that is pressed.
  var isLocal: Bool { noArchives || serve || lastmod || uuid != nil || format == .mutt }

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

/// Which messages a search leaves out, as notmuch's search.exclude_tags and --exclude have it.
struct Exclusion: Hashable {
  /// What becomes of messages with a tag that is left out.
  enum Mode: String {
    /// They are not found, but shown in the threads of others.
    case match = "true"
    /// They are not even shown.
    case all
    /// They are found like any other.
    case off = "false"
    /// They are found, but not counted among the messages found of a thread.
    case flag
  }

  /// The values of the option: modes, the last of which counts, and tags.
  var words: [String] = []

  private var mode: Mode { words.last { Mode(rawValue: $0) != nil }.flatMap(Mode.init) ?? .match }

  /// The tags that are left out of what a query finds, unless it names them; `usual` are those of the configuration.
  func tags(beside query: Query, usual: [String]) -> [[UInt8]] {
    let named = words.filter { Mode(rawValue: $0) == nil }
    return query.unnamed((named + (mode == .off ? [] : usual)).map { Array($0.utf8) })
  }

  /// The query that finds what is wanted.
  func query(_ query: Query, without tags: [[UInt8]]) -> Query {
    mode == .flag ? query : query.excluding(tags)
  }

  /// A thread as it is shown.
  func shown(_ thread: FoundThread, without tags: [[UInt8]]) -> FoundThread {
    guard mode == .all, !tags.isEmpty else { return thread }
    var thread = thread
    thread.messages.removeAll { $0.hasTag(tags) }
    return thread
  }

  /// The tags of messages that are not counted among those found of a thread.
  func uncounted(_ tags: [[UInt8]]) -> [[UInt8]] { mode == .flag ? tags : [] }
}
