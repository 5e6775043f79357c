import Glibc
import TestSupport
import Testing

/// A Maildir that is restored, with all that messages can be.
struct RestoreScene {
  let source: String

  /// Makes it; servers other than Dovecot change some of what can be in a message, such as octets above 127 in headers.
  init(_ source: String, isPlain: Bool = false) throws {
    self.source = source
    var corpus = Corpus(seed: 3)
    for (index, octets) in corpus.take(6).enumerated() {
      let octets = isPlain ? mail("corpus \(index)") : octets
      try add("\(index).corpus:2,\(["", "S", "FS", "RS", "P", "T"][index])", octets)
    }
    try add("a.equal:2,S", mail("equal"))
    try add("b.equal:2,S", mail("equal"))
    try add("a.same:2,", mail("same id"))
    try add("b.same:2,", mail("same id", body: "other text"))
    try add("no.id:2,S", Array("From: a@x\r\nSubject: no id\r\n\r\ntext\r\n".utf8))
    try add("1.draft:2,DS", mail("draft"), to: ".Drafts")
    try add("1.deep:2,RS", mail("deep"), to: ".Lists.swift")
    try add("2.deep:2,S", mail("deeper"), to: "Lists/swift/evolution")
    try add("1.far:2,S", mail("far"), to: ".Entw&APw-rfe")
    try make(".Empty")
  }

  func make(_ folder: String) throws {
    for name in ["cur", "new", "tmp"] { try Files.makeDirectories("\(source)/\(folder)/\(name)") }
  }

  /// Writes a file whose date is its number of octets after 2001.
  func add(_ name: String, _ octets: [UInt8], to folder: String = "") throws {
    try make(folder)
    let path = "\(source)/\(folder)/cur/\(name)"
    let octets = octets.filter { $0 != 13 }
    try Files.write(octets, to: path)
    try Command.shell("touch -d @$((1000000000 + $2)) \"$1\"", [path, "\(octets.count)"])
  }

  /// What the server is to have, a line a message: the mailbox in its own words.
  func expected(_ wire: (String) -> String = { $0 }) -> [String] {
    MaildirTree(source).mailboxes.flatMap { folder, messages in
      messages.map { message in
        let octets = message.body.flatMap { $0 == 10 ? [13, 10] : [$0] }
        let date = 1_000_000_000 + message.body.count
        let flags = message.flags
        let mailbox = wire(Self.mailbox(folder.description))
        return "\(mailbox) [\(flags)] \(date) \(TreeSnapshot.hash(octets))"
      }
    }.sorted()
  }

  private static func mailbox(_ folder: String) -> String {
    folder.isEmpty ? "INBOX" : folder.split { "./".contains($0) }.joined(separator: "/")
  }

  /// What the server has, in the same form.
  static func found(_ imap: RawIMAP) throws -> [String] {
    var lines: [String] = []
    for (mailbox, messages) in try imap.everything() {
      try imap.command("EXAMINE \"\(mailbox)\"")
      let dates = try imap.command("UID FETCH 1:* (UID INTERNALDATE)")
      for message in messages {
        let date = try date(of: message.uid, dates)
        let flags = MaildirTree.letters(message.flags)
        lines.append("\(mailbox) [\(flags)] \(date) \(TreeSnapshot.hash(message.body))")
      }
    }
    return lines.sorted()
  }

  private static func date(of uid: UInt32, _ lines: [[UInt8]]) throws -> Int {
    for line in lines {
      let text = String(decoding: line, as: UTF8.self)
      guard text.contains("UID \(uid) ") || text.contains("UID \(uid))") else { continue }
      let words = text.split(separator: "\"")
      if words.count > 1, let date = seconds(String(words[1])) { return date }
    }
    throw HarnessError("no date of \(uid)")
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Seconds since 1970 of a date such as "14-Jul-2017 02:40:04 +0000".
  private static func seconds(_ text: String) -> Int? {
    let words = text.split { "- :+".contains($0) }.map { "\($0)" }
    guard words.count == 7, let month = months.firstIndex(of: words[1]) else { return nil }
    let numbers = words.compactMap { Int32($0) }
    guard numbers.count == 6 else { return nil }
    var time = tm()
    (time.tm_mday, time.tm_mon, time.tm_year) = (numbers[0], Int32(month), numbers[1] - 1900)
    (time.tm_hour, time.tm_min, time.tm_sec) = (numbers[2], numbers[3], numbers[4])
    let zone = Int(numbers[5] / 100 * 3600 + numbers[5] % 100 * 60)
    return timegm(&time) - (text.contains("+") ? zone : -zone)
  }
}
