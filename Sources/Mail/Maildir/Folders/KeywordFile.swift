internal import Octets
package import Platform

/// The keywords of the messages in a folder, which the names of their files cannot hold.
///
/// The file `.magnum-keywords` lies beside `cur` and `new`, and so goes where the folder goes. Its first line is
/// `magnum-keywords 1`. Each other line has the base name of a message's file and its keywords, separated by commas and
/// percent-escaped as in the files of the sync. Messages without keywords are not in it; a folder without keywords has no file.
package struct KeywordFile: Hashable, Sendable {
  /// Keywords as the server spells them, by the base names of the files.
  package private(set) var keywords: [[UInt8]: [[UInt8]]] = [:]

  /// Keywords of messages; those that have none are left out.
  package init(_ keywords: [[UInt8]: [[UInt8]]] = [:]) {
    self.keywords = keywords.filter { !$0.value.isEmpty }
  }

  /// The keywords of a message by the base name of its file; none where it has none.
  package subscript(base base: [UInt8]) -> [[UInt8]] { keywords[base] ?? [] }

  /// Has a message have these keywords, by the base name of its file.
  package mutating func set(_ words: [[UInt8]], of base: [UInt8]) {
    keywords[base] = words.isEmpty ? nil : words
  }

  // MARK: Octets

  private static let title = [UInt8](ascii: "magnum-keywords 1")
  private static let comma = UInt8(ascii: ",")

  /// What a file says; lines that mean nothing are skipped, and so is all of a file of another kind.
  package init(octets: [UInt8]) {
    let lines = octets.split(separator: ASCII.lineFeed)
    guard let first = lines.first, first.elementsEqual(Self.title) else { return }
    keywords.reserveCapacity(lines.count)
    for line in lines.dropFirst() {
      let words = line.split(separator: ASCII.space)
      guard words.count == 2, let base = PercentEscape.unescape(words[0]) else { continue }
      let found = words[1].split(separator: Self.comma).compactMap { PercentEscape.unescape($0) }
      if !found.isEmpty { keywords[base] = found }
    }
  }

  /// The file's content, the same for the same keywords.
  package var octets: [UInt8] {
    var octets = Self.title + [ASCII.lineFeed]
    for (base, words) in keywords.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      octets += PercentEscape.escape(base, Self.mustEscape) + [ASCII.space]
      octets += words.map { PercentEscape.escape($0, Self.mustEscape) }.joined(separator: [
        Self.comma
      ])
      octets.append(ASCII.lineFeed)
    }
    return octets
  }

  private static func mustEscape(_ octet: UInt8) -> Bool {
    octet <= 0x20 || octet >= 0x7F || octet == comma
  }

  // MARK: Disk

  /// Where the file of a folder is.
  package static func path(in maildir: Path) -> Path { maildir.appending(".magnum-keywords") }

  /// Far above what any folder has.
  private static let sizeLimit = 256 << 20

  /// The keywords that a folder's file tells; none where there is no file.
  ///
  /// - Throws: why it cannot be read.
  package static func of(_ maildir: Path) throws(SystemError) -> KeywordFile {
    guard let octets = try FileSystem.readFile(path(in: maildir), limit: sizeLimit) else {
      return KeywordFile()
    }
    return KeywordFile(octets: octets)
  }

  /// Whether the folder's file says just this.
  ///
  /// - Throws: why it cannot be read.
  package func isWritten(in maildir: Path) throws(SystemError) -> Bool {
    let octets = try FileSystem.readFile(Self.path(in: maildir), limit: Self.sizeLimit)
    return keywords.isEmpty ? octets == nil : octets == self.octets
  }

  /// Has the folder's file say this; durable on return.
  ///
  /// Nothing is written where it says so already. Only for one writer at a time.
  ///
  /// - Returns: the base names of the messages of which it said something else, sorted.
  /// - Throws: why it cannot be written; what it said before is still there then.
  package func write(in maildir: Path) throws(SystemError) -> [[UInt8]] {
    try Self.write([(self, maildir)])[0].get()
  }

  /// Has the files of several folders say this, as `write(in:)` has that of one; all of them are durable together.
  ///
  /// - Returns: what `write(in:)` gives or throws, for each.
  package static func write(
    _ files: [(file: KeywordFile, maildir: Path)]
  ) -> [Result<[[UInt8]], SystemError>] {
    var drafts: [Int: AtomicFile.Draft] = [:]
    var results: [Result<[[UInt8]], SystemError>] = []
    for (index, item) in files.enumerated() {
      do throws(SystemError) {
        let (changed, draft) = try item.file.draft(in: item.maildir)
        drafts[index] = draft
        results.append(.success(changed))
      } catch {
        results.append(.failure(error))
      }
    }
    let written = drafts.keys.sorted()
    let unflushed = written.map { drafts[$0].map { Unflushed(file: $0.temporary) } ?? Unflushed() }
    for (index, error) in zip(written, Unflushed.flush(unflushed)) {
      do throws(SystemError) {
        if let error { throw error }
        try drafts[index]?.place()
      } catch {
        drafts[index]?.discard()
        results[index] = .failure(error)
      }
    }
    let placed = written.filter { if case .success = results[$0] { true } else { false } }
    let errors = Unflushed.flush(placed.map { Unflushed(directory: files[$0].maildir) })
    for (index, error) in zip(placed, errors) {
      if let error { results[index] = .failure(error) }
    }
    return results
  }

  /// What the folder's file said otherwise, and its new content beside it; nil where there is none to be written.
  private func draft(
    in maildir: Path
  ) throws(SystemError) -> (changed: [[UInt8]], draft: AtomicFile.Draft?) {
    let path = Self.path(in: maildir)
    let old = try FileSystem.readFile(path, limit: Self.sizeLimit)
    if keywords.isEmpty {
      guard let old else { return ([], nil) }
      try Self.remove(in: maildir)
      return (Self.difference([], old), nil)
    }
    let octets = octets
    guard old != octets else { return ([], nil) }
    try AtomicFile.removeLeftovers(in: maildir, of: path)
    let draft = try AtomicFile.draft(path, withPieces: [octets])
    return (Self.difference(octets, old ?? []), draft)
  }

  /// The base names of which two files say different things, sorted.
  ///
  /// Only the lines between those that both begin and end with are read: of very many messages few change at a time.
  private static func difference(_ one: [UInt8], _ other: [UInt8]) -> [[UInt8]] {
    let most = min(one.count, other.count)
    var (before, behind) = (0, 0)
    while before < most, one[before] == other[before] { before += 1 }
    let start = one[..<before].lastIndex(of: ASCII.lineFeed).map { $0 + 1 } ?? 0
    while behind < most - start, one[one.count - behind - 1] == other[other.count - behind - 1] {
      behind += 1
    }
    let tail = one[(one.count - behind)...]
    // What a file of another kind says at its end means nothing.
    let end = start == 0 ? nil : tail.firstIndex(of: ASCII.lineFeed).map { one.count - $0 - 1 }
    let (mine, others) = (lines(one, start, end ?? 0), lines(other, start, end ?? 0))
    return Set(mine.keys).union(others.keys).filter { mine[$0] != others[$0] }
      .sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// What the lines say that are left between so many octets at the start and at the end.
  private static func lines(
    _ octets: [UInt8],
    _ start: Int,
    _ end: Int
  ) -> [[UInt8]: [[UInt8]]] {
    let title = start > 0 ? title + [ASCII.lineFeed] : []
    return KeywordFile(octets: title + octets[start..<(octets.count - end)]).keywords
  }

  /// Removes the folder's file; gives whether there was one.
  @discardableResult
  package static func remove(in maildir: Path) throws(SystemError) -> Bool {
    guard try FileSystem.status(path(in: maildir)) != nil else { return false }
    try FileSystem.remove(path(in: maildir))
    return true
  }
}

/// The names of keywords that Dovecot shows as letters in the names of a folder's files.
///
/// Its file `dovecot-keywords` has a line for each: a number, which is 0 for `a` and 25 for `z`, and the name.
package struct KeywordTable: Hashable, Sendable {
  private var names: [UInt8: [UInt8]] = [:]

  /// The table of a folder without keywords.
  package init() {}

  /// The table that a file holds; lines that mean nothing are skipped.
  package init(_ file: [UInt8]) {
    for line in file.split(separator: ASCII.lineFeed) {
      let words = line.split(separator: ASCII.space, maxSplits: 1)
      guard words.count == 2, let number = Int(String(decoding: words[0], as: UTF8.self)),
        (0..<26).contains(number), words[1].allSatisfy({ $0 > ASCII.space && $0 < ASCII.delete })
      else { continue }
      names[UInt8(ascii: "a") + UInt8(number)] = Array(words[1])
    }
  }

  /// The table of a folder; one without keywords where it has none, or none that can be read.
  package static func of(_ maildir: Path) -> KeywordTable {
    let file = try? FileSystem.readFile(path(in: maildir), limit: 1 << 16)
    return KeywordTable(file ?? [])
  }

  /// Where the file of a folder is.
  package static func path(in maildir: Path) -> Path { maildir.appending("dovecot-keywords") }

  /// The name of a letter: ASCII without spaces and controls; nil where it has none.
  package func name(of letter: UInt8) -> [UInt8]? { names[letter] }
}
