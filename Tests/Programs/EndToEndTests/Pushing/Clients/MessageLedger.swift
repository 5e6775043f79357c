import Synchronization
import TestSupport

/// What two mail clients did to numbered messages, and what has to become of them because of it.
///
/// The number of a message is in its subject, "no. 12". Only what a client knows to have happened counts as done.
final class MessageLedger: Sendable {
  /// A mail client: of the server, or of the folders.
  enum Client: String, Sendable {
    case server, folders
  }

  /// What may be done to a message, chosen when it is made.
  enum Kind: Sendable {
    /// Anything.
    case common
    /// It is copied here: neither moved nor removed.
    case copied
    /// It is saved elsewhere under another name once, and left alone except for flags there.
    case rewritten
    /// It stays in Drafts and gets new versions here.
    case draft
  }

  /// What happened to one flag of a message.
  struct FlagHistory: Sendable {
    /// Who set or cleared it.
    var clients: Set<Client>
    /// Whether it is set now.
    var isSet: Bool
    /// Whether anybody ever cleared it.
    var wasCleared = false
  }

  /// What happened to one message.
  struct Entry: Sendable {
    let kind: Kind
    /// Copies that were made of it.
    var copies = 0
    /// The text of the last version.
    var version = 0
    /// Clients that removed it, or may have.
    var removers: Set<Client> = []
    /// Whether the server surely removed it for good.
    var isExpunged = false
    /// Whether a client wrote it anew under another name and removed the old one: in between there were two.
    var wasRewritten = false
    /// Whether it was made here, so that it may be removed before the server knew it.
    var isLocal = false
    /// Whether it was moved on the server.
    var wasMovedThere = false
    /// Whether it was moved in the folders.
    var wasMovedHere = false
    /// Whether a client set the flag F in the folders.
    var wasFlagged = false
    /// What happened to its flags; one without an entry was never set.
    var flags: [Character: FlagHistory] = [:]
    /// Words for a failed test.
    var story: [String] = []
  }

  private let entries = Mutex<[Int: Entry]>([:])
  private let failure = Mutex<String?>(nil)
  private let start = Stopwatch.now()

  /// Whether the program moves in one step: without MOVE a message that another moves between copy and removal is
  /// in both places.
  private let isMoveWhole: Bool

  init(isMoveWhole: Bool) { self.isMoveWhole = isMoveWhole }

  /// What made a client give up.
  var problem: String? { failure.withLock { $0 } }

  /// A client could not go on.
  func giveUp(_ client: Client, _ error: any Error) {
    failure.withLock { $0 = $0 ?? "\(client.rawValue): \(error)" }
  }

  /// A new number.
  func add(_ kind: Kind, flags: String, by client: Client, in folder: String) -> Int {
    entries.withLock { entries in
      let number = entries.count + 1
      var entry = Entry(kind: kind)
      entry.isLocal = client == .folders
      for flag in flags { entry.flags[flag] = FlagHistory(clients: [client], isSet: true) }
      entries[number] = entry
      return number
    }
  }

  /// The kind of a message; nil for one that is not numbered.
  func kind(_ number: Int) -> Kind? { entries.withLock { $0[number]?.kind } }

  /// Whether it was saved under another name.
  func wasRewritten(_ number: Int) -> Bool {
    entries.withLock { $0[number]?.wasRewritten ?? false }
  }

  /// The version that a draft gets next.
  func nextVersion(_ number: Int) -> Int {
    entries.withLock { entries in
      entries[number]?.version += 1
      return entries[number]?.version ?? 0
    }
  }

  /// Notes what a client did, or is about to do.
  func note(
    _ number: Int,
    _ client: Client,
    _ words: String,
    _ change: (inout Entry) -> Void = { _ in }
  ) {
    let time = Int((Stopwatch.now() - start) * 1000)
    entries.withLock { entries in
      guard var entry = entries[number] else { return }
      change(&entry)
      entry.story.append("\(time) ms \(client.rawValue): \(words)")
      entries[number] = entry
    }
  }

  /// Notes that a run began or ended.
  func note(_ words: String) {
    let time = Int((Stopwatch.now() - start) * 1000)
    entries.withLock { entries in
      for number in entries.keys { entries[number]?.story.append("\(time) ms \(words)") }
    }
  }

  /// Notes what flags a client set and cleared.
  func noteFlags(_ number: Int, _ client: Client, from before: String, to after: String) {
    note(number, client, "flags \(before) -> \(after)") { entry in
      for flag in Set(before).symmetricDifference(after) {
        var history = entry.flags[flag] ?? FlagHistory(clients: [], isSet: false)
        history.clients.insert(client)
        history.isSet = after.contains(flag)
        if !history.isSet { history.wasCleared = true }
        entry.flags[flag] = history
        if flag == "F", client == .folders, after.contains(flag) { entry.wasFlagged = true }
      }
    }
  }

  // MARK: The end

  /// A message where it was found in the end.
  private struct Found: Hashable {
    let mailbox: String
    let flags: String
    let text: String

    init(_ mailbox: String, _ flags: String, _ body: [UInt8]) {
      self.mailbox = mailbox
      self.flags = flags
      var text = String(decoding: body.filter { $0 != 13 }, as: UTF8.self)[...]
      while text.hasPrefix(addedHeaders) { text = text.dropFirst(addedHeaders.count) }
      self.text = String(text)
    }
  }

  /// What is not as it has to be: on the server, or here since it is not the same; empty where all is well.
  ///
  /// Headers that a client added here do not count.
  func objections(_ server: [String: [RawIMAP.Message]], _ tree: MaildirTree) -> [String] {
    var there: [Int: [Found]] = [:]
    for (mailbox, message) in server.flatMap({ name, list in list.map { (name, $0) } }) {
      let found = Found(mailbox, MaildirTree.letters(message.flags), message.body)
      there[Self.number(of: message.body) ?? 0, default: []].append(found)
    }
    var here: [Int: [Found]] = [:]
    for (folder, message) in tree.mailboxes.flatMap({ name, list in list.map { (name, $0) } }) {
      let found = Found("\(folder)", message.flags, message.body)
      here[Self.number(of: message.body) ?? 0, default: []].append(found)
    }
    let entries = entries.withLock { $0 }
    return Set(entries.keys).union(there.keys).union(here.keys).sorted().flatMap { number in
      objections(number, entries[number], there[number] ?? [], here[number] ?? [])
    }
  }

  private func objections(
    _ number: Int,
    _ entry: Entry?,
    _ there: [Found],
    _ here: [Found]
  ) -> [String] {
    var lines = entry.map { objections($0, there) } ?? ["nobody's"]
    if Self.counts(there) != Self.counts(here) { lines.append("not the same here") }
    let places = [there, here].map { $0.map { "\($0.mailbox) [\($0.flags)]" } }
    let story = (entry?.story ?? []).joined(separator: "\n  ")
    return lines.map { "no. \(number): \($0); there \(places[0]), here \(places[1])\n  \(story)" }
  }

  private static func counts(_ found: [Found]) -> [Found: Int] {
    Dictionary(found.map { ($0, 1) }, uniquingKeysWith: +)
  }

  /// What a client writes that saves a message under another name.
  static let addedHeaders = "Status: RO\nLines: 2\n"

  private func objections(_ entry: Entry, _ found: [Found]) -> [String] {
    var lines: [String] = []
    let expected = expected(entry)
    if !expected.contains(found.count) { lines.append("\(found.count) times, not \(expected)") }
    let outside = found.filter { $0.mailbox != "Trash" }
    if entry.removers.isEmpty {
      let count = outside.count
      let most = mayBeTwice(entry) ? 3 : 1 + entry.copies
      if !(1 + entry.copies...most).contains(count) { lines.append("\(count) times outside Trash") }
    }
    if entry.kind == .draft, let text = outside.first?.text {
      if !text.contains("version \(entry.version).\n") { lines.append("another version: \(text)") }
    }
    if entry.removers.isEmpty, entry.kind == .common, outside.count == 1 {
      lines += wrongFlags(entry, outside[0].flags).map { "flag \($0) is wrong" }
    }
    return lines
  }

  /// Flags that are not as they have to be.
  ///
  /// A move between two looks of one run is a removal and a new message, without a base for its flags: those that both
  /// sides have are kept then, so that one which was cleared may come back; and what the other side does to the one
  /// that goes, goes with it. What the mover set and nobody cleared is set, and what nobody set is not.
  private func wrongFlags(_ entry: Entry, _ found: String) -> [Character] {
    let movers = [(Client.server, entry.wasMovedThere), (.folders, entry.wasMovedHere)]
      .filter(\.1).map(\.0)
    return "FPRS".filter { flag in
      let isSet = found.contains(flag)
      guard let history = entry.flags[flag] else { return isSet }
      if !movers.isEmpty {
        return movers.count == 1 && history.clients == [movers[0]] && !isSet && !history.wasCleared
      }
      return history.clients.count == 1 && isSet != history.isSet
    }.map { $0 }
  }

  /// How often it may be there.
  ///
  /// What the server removed for good is gone, unless it was flagged here or written anew; what was
  /// removed here is in Trash, or where somebody flagged or moved it meanwhile.
  private func expected(_ entry: Entry) -> ClosedRange<Int> {
    let whole = 1 + entry.copies
    if entry.wasRewritten { return whole...whole + 1 }
    if mayBeTwice(entry) { return (entry.removers.isEmpty ? 1 : 0)...3 }
    if entry.isExpunged, !entry.wasFlagged { return 0...0 }
    if entry.removers.contains(.server) || entry.isLocal && !entry.removers.isEmpty { return 0...1 }
    return whole...whole
  }

  /// Whether what both sides did is kept in two places.
  ///
  /// Dovecot itself makes two of a message that two clients MOVE in the same moment: both get a COPYUID. Otherwise only
  /// where the program has to copy in order to move.
  private func mayBeTwice(_ entry: Entry) -> Bool {
    let isCopied = !isMoveWhole && (entry.wasFlagged || entry.removers.contains(.folders))
    return entry.wasMovedThere && (entry.wasMovedHere || isCopied)
  }

  /// The number in the subject.
  static func number(of body: [UInt8]) -> Int? {
    let text = String(decoding: body.prefix(2_000), as: UTF8.self)
    guard let range = text.firstRange(of: "Subject: no. ") else { return nil }
    return Int(text[range.upperBound...].prefix { $0.isASCII && $0.isNumber })
  }

  /// The octets of a message; every seventh has no Message-ID, every fifth that of the one before.
  static func octets(_ number: Int, version: Int = 0) -> [UInt8] {
    let identifier = number % 5 == 0 ? number - 1 : number
    var lines = ["From: a@example.org", "Date: Mon, 06 Jan 2025 12:00:00 +0000"]
    lines.append("Subject: no. \(number)")
    if number % 7 != 0 { lines.append("Message-ID: <\(identifier).crowd@example.org>") }
    lines += ["", "text" + String(repeating: "+", count: number % 50), "version \(version).", ""]
    return Array(lines.joined(separator: "\r\n").utf8)
  }
}
