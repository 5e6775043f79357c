internal import SearchIndex

/// What the command line asks for.
struct SearchOptions: Hashable {
  /// What is printed of what is found.
  enum Output: String, CaseIterable {
    case summary, threads, messages, files, tags, count, addresses, senders, recipients, tree
  }

  /// How it is printed.
  enum Format: String, CaseIterable {
    case text, text0, json, jsonl
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

  var config: String?
  var maildirs: [String] = []
  var accounts: [String] = []
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
  /// Tags whose messages are left out, where the query does not name them.
  var excludedTags: [String] = []
  var links: String?
  var batch = false
  var failEmpty = false
  var stem = "english"
  var query: [String] = []

  /// Options that do not go together, or a value that makes no sense.
  struct Mistake: Error {
    let text: String
  }

  /// Whether the options make sense together.
  func check() throws(Mistake) {
    // A word may begin with a dash (-tag:unread); an option that nobody knows must not be searched for.
    if let word = query.first(where: { $0.hasPrefix("--") && $0 != "--" }) {
      throw Mistake(text: "unknown option \(word)")
    }
    if let duplicate, duplicate < 1 { throw Mistake(text: "--duplicate counts from 1") }
    if duplicate != nil, output != .files, output != .messages {
      throw Mistake(text: "--duplicate goes with --output files and messages")
    }
    if let limit, limit < 0 { throw Mistake(text: "--limit must not be negative") }
    if batch, !query.isEmpty { throw Mistake(text: "--batch takes no query") }
    if batch, links != nil { throw Mistake(text: "--batch and --links exclude each other") }
    if !maildirs.isEmpty, !accounts.isEmpty || config != nil {
      throw Mistake(text: "--maildir needs neither --config nor --account")
    }
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
