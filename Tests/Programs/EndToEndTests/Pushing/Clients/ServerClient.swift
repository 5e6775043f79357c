import TestSupport

/// A mail client that works on the server without rest, over a connection of its own.
struct ServerClient {
  private static let letters: [(String, Character)] = [
    ("\\Seen", "S"), ("\\Flagged", "F"), ("\\Answered", "R"), ("$Forwarded", "P"),
  ]

  private let imap: RawIMAP
  private let ledger: MessageLedger
  private var random: SeededGenerator
  private var removals = 0
  private var folders = 0
  private var appends = 0

  /// A message as it is seen in the selected mailbox.
  private struct Seen {
    let uid: UInt32
    let number: Int
    let flags: String
  }

  init(_ imap: RawIMAP, _ ledger: MessageLedger, seed: UInt64) {
    self.imap = imap
    self.ledger = ledger
    random = SeededGenerator(seed: seed)
  }

  /// Does one thing.
  mutating func act() throws {
    let mailbox = try anyMailbox()
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<10 where appends < 40:
      appends += 1
      try append(to: mailbox)
    case 10..<12: try create()
    case 12..<17: try expunge(in: mailbox)
    case 17..<40: try move(from: mailbox)
    default: try store(in: mailbox)
    }
  }

  /// A new message.
  mutating func append(
    to mailbox: String,
    _ kind: MessageLedger.Kind = .common,
    flags: [String]? = nil
  ) throws {
    let flags = flags ?? Self.letters.map(\.0).filter { _ in Bool.random(using: &random) }
    let letters = MaildirTree.letters(flags)
    let number = ledger.add(kind, flags: letters, by: .server, in: mailbox)
    let words = flags.joined(separator: " ")
    try imap.append(MessageLedger.octets(number), to: mailbox, flags: words)
    ledger.note(number, .server, "appended to \(mailbox) [\(letters)]")
  }

  private mutating func anyMailbox() throws -> String {
    let names = try imap.mailboxes().filter { $0 != "Trash" && $0 != "Drafts" }.sorted()
    return names.randomElement(using: &random) ?? "INBOX"
  }

  private mutating func create() throws {
    guard folders < 2 else { return }
    folders += 1
    let name = "Made there/\(folders)"
    try imap.create(name)
    try append(to: name)
  }

  /// One of the messages of the mailbox, which is selected.
  private mutating func pick(_ mailbox: String) throws -> Seen? {
    try imap.select(mailbox)
    return try command("UID FETCH 1:* (FLAGS BODY.PEEK[HEADER.FIELDS (SUBJECT)])")
      .compactMap(Self.seen).randomElement(using: &random)
  }

  /// The answer to a command; none where another client removed messages in the midst of it (RFC 5530 §3).
  private func command(_ text: String) throws -> [[UInt8]] {
    do {
      return try imap.command(text)
    } catch let error as HarnessError where error.description.contains("[EXPUNGEISSUED]") {
      return []
    }
  }

  private static func seen(_ line: [UInt8]) -> Seen? {
    let text = String(decoding: line, as: UTF8.self)
    guard let number = MessageLedger.number(of: line), let uid = word(after: "UID ", text),
      let uid = UInt32(uid), let open = text.firstRange(of: "FLAGS (")
    else { return nil }
    let flags = text[open.upperBound...].prefix { $0 != ")" }.split(separator: " ").map { "\($0)" }
    return Seen(uid: uid, number: number, flags: MaildirTree.letters(flags))
  }

  private static func word(after prefix: String, _ text: String) -> Substring? {
    text.firstRange(of: prefix).map { text[$0.upperBound...].prefix { $0.isNumber } }
  }

  private mutating func store(in mailbox: String) throws {
    guard let message = try pick(mailbox),
      let (flag, letter) = Self.letters.randomElement(using: &random),
      // Somebody who flags what another removes keeps it.
      letter != "F" || ledger.kind(message.number) != .rewritten
    else { return }
    let isSet = !message.flags.contains(letter)
    let lines = try command("UID STORE \(message.uid) \(isSet ? "+" : "-")FLAGS (\(flag))")
    guard lines.contains(where: { Self.tells(of: message.uid, $0) }) else { return }
    let before = isSet ? "" : String(letter)
    ledger.noteFlags(message.number, .server, from: before, to: isSet ? String(letter) : "")
  }

  private static func tells(of uid: UInt32, _ line: [UInt8]) -> Bool {
    let text = String(decoding: line, as: UTF8.self)
    return text.contains(" FETCH ") && word(after: "UID ", text).flatMap { UInt32($0) } == uid
  }

  private mutating func move(from mailbox: String) throws {
    let target = try anyMailbox()
    guard target != mailbox, let message = try pick(mailbox), ledger.kind(message.number) == .common
    else { return }
    let lines = try command("UID MOVE \(message.uid) \"\(target)\"")
    let isMoved = lines.contains { String(decoding: $0, as: UTF8.self).contains("COPYUID") }
    ledger.note(message.number, .server, "\(isMoved ? "" : "not ")moved \(mailbox) -> \(target)") {
      $0.wasMovedThere = true
    }
  }

  private mutating func expunge(in mailbox: String) throws {
    guard removals < 12, let message = try pick(mailbox), ledger.kind(message.number) == .common
    else { return }
    removals += 1
    ledger.note(message.number, .server, "removing from \(mailbox)") {
      $0.removers.insert(.server)
    }
    try imap.command("UID STORE \(message.uid) +FLAGS (\\Deleted)")
    let lines = try imap.command("UID EXPUNGE \(message.uid)")
    // Others may be told of at the same time.
    try imap.select(mailbox)
    let isGone = lines.contains { String(decoding: $0, as: UTF8.self).hasSuffix(" EXPUNGE") }
    ledger.note(message.number, .server, isGone ? "removed" : "not removed")
  }
}
