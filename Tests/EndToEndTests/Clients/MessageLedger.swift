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
    /// It stays in Drafts and gets new versions here.
    case draft
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
    /// Whether a client set the flag F in the folders.
    var wasFlagged = false
    /// Who set or cleared a flag, and whether it is set now; a flag without an entry has its first state.
    var flags: [Character: (clients: Set<Client>, isSet: Bool)] = [:]
    /// Words for a failed test.
    var story: [String] = []
  }

  private let entries = Mutex<[Int: Entry]>([:])
  private let failure = Mutex<String?>(nil)
  private let start = Stopwatch.now()

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
      for flag in flags { entry.flags[flag] = ([client], true) }
      entries[number] = entry
      return number
    }
  }

  /// The kind of a message; nil for one that is not numbered.
  func kind(_ number: Int) -> Kind? { entries.withLock { $0[number]?.kind } }

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
        let clients = entry.flags[flag]?.clients ?? []
        entry.flags[flag] = (clients.union([client]), after.contains(flag))
        if flag == "F", client == .folders, after.contains(flag) { entry.wasFlagged = true }
      }
    }
  }

  // MARK: The end

  /// A message where it was found in the end.
  struct Found {
    let mailbox: String
    let flags: String
    let body: [UInt8]
  }

  /// What is not as it has to be; empty where all is well.
  func objections(_ found: [String: [RawIMAP.Message]]) -> [String] {
    var places: [Int: [Found]] = [:]
    for (mailbox, messages) in found {
      for message in messages {
        let number = MessageLedger.number(of: message.body) ?? 0
        let flags = MaildirTree.letters(message.flags)
        places[number, default: []].append(
          Found(mailbox: mailbox, flags: flags, body: message.body)
        )
      }
    }
    let entries = entries.withLock { $0 }
    let strange = places.keys.filter { entries[$0] == nil }.map { "no. \($0) is nobody's" }
    return strange
      + entries.sorted { $0.key < $1.key }.flatMap { number, entry in
        objections(entry, places[number] ?? []).map {
          let boxes = (places[number] ?? []).map { "\($0.mailbox) [\($0.flags)]" }
          return "no. \(number): \($0); found in \(boxes)\n  "
            + entry.story.joined(separator: "\n  ")
        }
      }
  }

  private func objections(_ entry: Entry, _ found: [Found]) -> [String] {
    var lines: [String] = []
    let expected = Self.expected(entry)
    if !expected.contains(found.count) { lines.append("\(found.count) times, not \(expected)") }
    let outside = found.filter { $0.mailbox != "Trash" }
    if entry.removers.isEmpty {
      let count = outside.count
      if count != 1 + entry.copies { lines.append("\(count) times outside Trash") }
    }
    if entry.kind == .draft, let body = outside.first?.body {
      let text = String(decoding: body, as: UTF8.self)
      if !text.contains("version \(entry.version).\r\n") { lines.append("another version: \(text)") }
    }
    guard entry.removers.isEmpty, entry.kind == .common, !entry.wasRewritten, let only = outside.first
    else { return lines }
    for (flag, history) in entry.flags where history.clients.count == 1 {
      if only.flags.contains(flag) != history.isSet { lines.append("flag \(flag) is wrong") }
    }
    return lines
  }

  /// How often it may be there.
  ///
  /// What the server removed for good is gone, unless it was flagged here or written anew; what was
  /// removed here is in Trash, or where somebody flagged or moved it meanwhile.
  private static func expected(_ entry: Entry) -> ClosedRange<Int> {
    let whole = 1 + entry.copies
    if entry.wasRewritten { return (entry.removers.contains(.server) ? 0 : 1)...2 }
    if entry.isExpunged, !entry.wasFlagged { return 0...0 }
    if entry.removers.contains(.server) { return 0...1 }
    return whole...whole
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
