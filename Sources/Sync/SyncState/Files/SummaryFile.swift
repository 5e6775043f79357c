internal import MailModel
internal import MessageContent
internal import Octets
internal import Platform

/// The summary as text: a line of general facts each, then a line a mailbox, then the checksum.
package enum SummaryFile {
  private static let title = TextFile.Title("magnum-summary", version: 3, newest: 4)

  /// The whole file.
  package static func encode(_ summary: Summary) -> [UInt8] {
    var octets = title.octets(isNewest: true) + [ASCII.lineFeed]
    for line in lines(of: summary) { octets += line.octets + [ASCII.lineFeed] }
    return TextFile.seal(octets)
  }

  /// The summary of a file.
  ///
  /// - Throws: `StateError` when the file is not whole or not a summary.
  package static func decode(_ octets: [UInt8]) throws(StateError) -> Summary {
    let body = try TextFile.open(octets, title: title)
    var summary = Summary(root: 0)
    summary.left = []
    var number = 1
    for line in body.split(separator: ASCII.lineFeed) {
      number += 1
      guard readLine(line, into: &summary) else {
        throw StateError(line: number, problem: .badRecord)
      }
    }
    // A file of before does not tell of drafts: each folder is looked at once.
    if octets.starts(with: title.octets + [ASCII.lineFeed]) {
      for name in summary.entries.keys { summary.entries[name]?.fingerprints = nil }
    }
    return summary
  }

  private static func lines(of summary: Summary) -> [LineWriter] {
    var root = LineWriter()
    root.word("root")
    root.name(Hex.digits(summary.root))
    var capabilities = LineWriter()
    capabilities.word("capabilities")
    capabilities.keywords(summary.capabilities)
    let entries = summary.entries.values.sorted {
      $0.header.mailbox.lexicographicallyPrecedes($1.header.mailbox)
    }
    return [root, capabilities] + lines(of: summary.names) + lines(of: summary.delimiter)
      + lines(left: summary.left)
      + summary.deletions.sorted { $0.key < $1.key }
      .map { line((hour: $0.key, count: $0.value)) }
      + entries.flatMap { entry in [line(entry)] + entry.drafts.map { line($0, of: entry) } }
  }

  private static func lines(of delimiter: UInt8?) -> [LineWriter] {
    guard let delimiter else { return [] }
    var line = LineWriter()
    line.word("delimiter")
    line.name([delimiter])
    return [line]
  }

  private static func lines(left directories: Set<[UInt8]>?) -> [LineWriter] {
    guard let directories else {
      var line = LineWriter()
      line.word("forgotten")
      return [line]
    }
    return directories.sorted { $0.lexicographicallyPrecedes($1) }.map { directory in
      var line = LineWriter()
      line.word("left")
      line.name(directory)
      return line
    }
  }

  private static func lines(of names: MailboxNames?) -> [LineWriter] {
    guard let names else { return [] }
    var style = LineWriter()
    style.word("names")
    style.name(Array(names.style.rawValue.utf8))
    for level in names.prefix { style.name(level) }
    let folders = names.folders.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    return [style]
      + folders.map { mailbox, folder in
        var line = LineWriter()
        line.word("folder")
        line.name(mailbox)
        line.name(folder)
        return line
      }
  }

  private static func line(_ draft: DraftFile, of entry: Summary.Entry) -> LineWriter {
    var line = LineWriter()
    line.word("draft")
    line.number(draft.version.size)
    line.number(draft.version.modified)
    line.name(draft.place)
    line.name(entry.header.mailbox)
    return line
  }

  private static func line(_ deletions: (hour: Int64, count: Int)) -> LineWriter {
    var line = LineWriter()
    line.word("deletions")
    line.number(deletions.hour)
    line.number(deletions.count)
    return line
  }

  private static func line(_ entry: Summary.Entry) -> LineWriter {
    var line = LineWriter()
    line.word("mailbox")
    line.name(Hex.digits(entry.header.id))
    line.number(entry.header.validity)
    line.known(entry.header.uidNext)
    line.known(entry.header.modSequence)
    line.number(entry.header.generation)
    line.number(entry.messages)
    line.number(entry.blocked)
    line.name(Array((entry.isComplete ? "complete" : "incomplete:\(entry.unfinishedRuns)").utf8))
    line.fingerprint(entry.fingerprints?.new)
    line.fingerprint(entry.fingerprints?.cur)
    line.name(entry.header.window)
    line.name(entry.header.serverID)
    line.name(entry.header.directory)
    line.name(entry.header.mailbox)
    write(entry.recent, to: &line)
    return line
  }

  private static func write(_ recent: RecentMessages, to line: inout LineWriter) {
    line.number(recent.first)
    line.number(recent.listed)
    line.number(recent.isLeftOut ? 2 : recent.isSeen ? 1 : 0)
    for uid in recent.sent.sorted() { line.number(uid) }
  }

  private static func readLine(_ line: ArraySlice<UInt8>, into summary: inout Summary) -> Bool {
    var reader = LineReader(line)
    guard let kind = reader.word() else { return false }
    if kind.elementsEqual("root".utf8) {
      guard let root = reader.identifier() else { return false }
      summary.root = root
    } else if kind.elementsEqual("capabilities".utf8) {
      guard let capabilities = reader.keywords() else { return false }
      summary.capabilities = capabilities
    } else if kind.elementsEqual("deletions".utf8) {
      guard let hour = reader.number(Int64.self), let count = reader.number(Int.self)
      else { return false }
      summary.deletions[hour] = count
    } else if kind.elementsEqual("mailbox".utf8) {
      guard let entry = entry(&reader) else { return false }
      summary.entries[entry.header.mailbox] = entry
    } else if kind.elementsEqual("delimiter".utf8) {
      guard let delimiter = reader.name(), delimiter.count == 1 else { return false }
      summary.delimiter = delimiter[0]
    } else if kind.elementsEqual("names".utf8) {
      guard let style = reader.name().flatMap(style) else { return false }
      var prefix: [[UInt8]] = []
      while let level = reader.name() { prefix.append(level) }
      summary.names = MailboxNames(prefix: prefix, style: style)
    } else if kind.elementsEqual("folder".utf8) {
      guard let names = summary.names, let mailbox = reader.name(), let folder = reader.name()
      else { return false }
      summary.names = MailboxNames(
        prefix: names.prefix,
        style: names.style,
        folders: names.folders.merging([mailbox: folder]) { $1 }
      )
    } else if kind.elementsEqual("forgotten".utf8) {
      summary.left = nil
    } else if kind.elementsEqual("left".utf8) {
      guard let directory = reader.name() else { return false }
      summary.left?.insert(directory)
    } else if kind.elementsEqual("draft".utf8) {
      guard takeDraft(&reader, into: &summary) else { return false }
    } else {
      return false
    }
    return reader.isAtEnd
  }

  private static func style(_ word: [UInt8]) -> NamespaceStyle? {
    NamespaceStyle(rawValue: String(decoding: word, as: UTF8.self))
  }

  private static func entry(_ reader: inout LineReader) -> Summary.Entry? {
    guard let id = reader.identifier(),
      let validity = reader.number(UInt32.self), let uidNext = reader.known(UInt32.self),
      let modSequence = reader.known(UInt64.self),
      let generation = reader.number(UInt64.self), let messages = reader.number(Int.self),
      let blocked = reader.number(Int.self), let unfinishedRuns = reader.word().map(unfinishedRuns),
      let new = reader.fingerprint(), let cur = reader.fingerprint(),
      let window = reader.name(), let serverID = reader.name(),
      let directory = reader.name(), let mailbox = reader.name()
    else { return nil }
    var fingerprints: MaildirFingerprints?
    if let new = new.value, let cur = cur.value {
      fingerprints = MaildirFingerprints(new: new, cur: cur)
    }
    let header = MailboxHeader(
      mailbox: mailbox,
      directory: directory,
      id: id,
      validity: validity,
      uidNext: uidNext.value,
      modSequence: modSequence.value,
      generation: generation,
      window: window,
      serverID: serverID
    )
    var entry = Summary.Entry(
      header: header,
      messages: messages,
      isComplete: unfinishedRuns == 0,
      fingerprints: fingerprints
    )
    entry.unfinishedRuns = unfinishedRuns
    entry.blocked = blocked
    entry.recent = recent(&reader)
    return entry
  }

  /// Behind the line of its mailbox.
  private static func takeDraft(_ reader: inout LineReader, into summary: inout Summary) -> Bool {
    guard let size = reader.number(Int64.self), let modified = reader.number(Int64.self),
      let place = reader.name(), let mailbox = reader.name(), summary.entries[mailbox] != nil
    else { return false }
    let draft = DraftFile(place: place, version: FileVersion(size: size, modified: modified))
    summary.entries[mailbox]?.drafts.append(draft)
    return true
  }

  /// Files of older versions have only the first number, or none.
  private static func recent(_ reader: inout LineReader) -> RecentMessages {
    var recent = RecentMessages()
    guard let first = reader.number(UInt32.self) else { return recent }
    (recent.first, recent.listed) = (first, first)
    guard let listed = reader.number(UInt32.self), let part = reader.number(Int.self) else {
      return recent
    }
    (recent.listed, recent.isSeen, recent.isLeftOut) = (listed, part == 1, part == 2)
    while let uid = reader.number(UInt32.self) { recent.sent.insert(uid) }
    return recent
  }

  /// `complete`, or `incomplete` with the number of runs.
  private static func unfinishedRuns(_ word: ArraySlice<UInt8>) -> Int {
    guard !word.elementsEqual("complete".utf8) else { return 0 }
    let digits = word.reversed().prefix(while: ASCII.isDigit).reversed()
    let count = Int(String(decoding: Array(digits), as: UTF8.self)) ?? 1
    return min(max(1, count), Summary.Entry.runLimit)
  }
}
