import Configuration
import Platform
import Query
import SearchIndex
import TestSupport

/// A Maildir of messages with attachments, its index, and filters for it.
struct TextStage {
  let directory: TempDirectory
  let index: SearchIndex
  var seconds = 10.0

  init() throws {
    directory = try TempDirectory()
    for sub in ["cur", "new", "tmp"] { try Files.makeDirectories(directory["mail/INBOX/\(sub)"]) }
    var index = SearchIndex(try IndexPlace.of(Path(directory["mail"])))
    index.interruption = Interruption()
    self.index = index
  }

  /// Writes a message with attachments, each of a type.
  func deliver(
    _ name: String,
    _ attachments: [(type: String, content: String)],
    flags: String = ""
  ) throws {
    let number = name.utf8.reduce(0) { ($0 * 31 + Int($1)) % 28 }
    var lines = [
      "Message-ID: <\(name)@x>", "From: a@x", "Subject: about \(name)",
      "Date: \(number + 1) Jul 2026 10:00:00 +0000", "MIME-Version: 1.0",
      "Content-Type: multipart/mixed; boundary=b", "", "--b", "", "body of \(name)",
    ]
    for (type, content) in attachments {
      lines += ["--b", "Content-Type: \(type)", "Content-Disposition: attachment", "", content]
    }
    lines += ["--b--", ""]
    let file = directory["mail/INBOX/cur/\(name):2,\(flags)"]
    try Files.write(lines.joined(separator: "\n"), to: file)
  }

  static func filters(_ filters: [(type: String, command: [String])]) -> TextFilters {
    TextFilters(filters.compactMap { TextFilter(type: $0.type, command: $0.command) })
  }

  /// Has the attachments filtered by programs that are not confined, which so can tell the test what they did.
  func extract(
    _ filters: [(type: String, command: [String])],
    until deadline: Deadline = .never,
    cacheLimit: Int = TextCache.standardLimit,
    interruption: Interruption = Interruption()
  ) throws -> FilterReport {
    var limits = LimitedProcess.Limits()
    (limits.seconds, limits.output) = (seconds, 100_000)
    var extraction = Extraction(
      index,
      IndexFilterSettings(Self.filters(filters), isUnconfined: true),
      limits: limits,
      cache: TextCache(Path(directory["cache"]), limit: cacheLimit),
      interruption: interruption
    )
    return try extraction.extractTexts(until: deadline)
  }

  /// A filter that writes what it read, and a line to the file `calls`.
  var echo: [String] { ["sh", "-c", "echo call >>\(directory["calls"]); cat"] }

  var calls: Int { Files.text(directory["calls"])?.split(separator: "\n").count ?? 0 }

  /// The ids of what a query finds, sorted, without what follows their @.
  func found(_ text: String) throws -> [String] {
    let query = try QueryParser.parse(Array(text.utf8), DateContext(now: 1_795_267_845))
    let reader = IndexReader(index.place, account: "work")
    let found = try reader.read { (snapshot) throws(IndexError) in
      try snapshot.messages(query, .newestFirst)
    }
    return found.map { message in
      String(decoding: message.id.prefix { $0 != UInt8(ascii: "@") }, as: UTF8.self)
    }.sorted()
  }
}
