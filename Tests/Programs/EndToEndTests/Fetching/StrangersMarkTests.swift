import TestSupport
import Testing

/// Anybody can send a message that looks like one whose attachments stayed on the server: for every command it is content,
/// beside a real one.
@Suite struct StrangersMarkTests {
  /// What the stranger writes.
  enum Mark: CaseIterable {
    case field, part, both, inside

    /// The message, in no other mailbox than the one that it is put into.
    func message(_ subject: String) -> [UInt8] {
      let seal = String(repeating: "a", count: 32)
      let field = "X-Magnum-Partial: 300000 \(String(repeating: "0", count: 32)) \(seal)\r\n"
      let part =
        self == .field
        ? "Content-Type: text/x-evil; name=evil.txt\r\n"
        : "Content-Type: message/external-body; access-type=\"x-magnum\"; section=\"2\"; size=\"99\"\r\n"
      let header =
        "From: a@example.org\r\nTo: me@example.org\r\nSubject: \(subject)\r\n"
        + "Message-ID: <\(subject)@evil.example.org>\r\nDate: Mon, 06 Jan 2025 12:00:00 +0000\r\n"
        + "MIME-Version: 1.0\r\n"
      let body =
        "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nthe text\r\n--b\r\n\(part)"
        + "\r\nContent-Type: application/pdf; name=evil.pdf\r\n\r\n--b--\r\n"
      let text =
        switch self {
        case .part: header + body
        case .field, .both: field + header + body
        case .inside: header + "Content-Type: message/rfc822\r\n\r\n" + field + header + body
        }
      return Array(text.utf8)
    }
  }

  private let stage: Stage
  private let user: String
  private let imap: RawIMAP

  init() throws {
    var options = DovecotOptions()
    options.specialUse = ["Trash": "\\Trash", "Drafts": "\\Drafts"]
    stage = try Stage(options)
    user = Dovecot.freshUser()
    imap = try RawIMAP(stage.server, user: user)
    try imap.create("Archive")
    try stage.imap.append(SizeLimitTests.large("large1"), flags: "\\Seen")
    let other = """
      size-limit = "100kB"
      [account.other]
      maildir = "~/Mail/other"
      imap = "\(stage.server.tlsURL)"
      tls-ca-file = "\(stage.server.trustFile)"
      user = "\(user)"
      password = "pass"
      index = true
      """
    let account = "address = \"me@example.org\"\nsmtp = \"smtp+plain://127.0.0.1:1\""
    try stage.configure(account: account, sync: other, isIndexed: true)
  }

  private func file(_ subject: String) throws -> String {
    let found = try stage.magnumWell("search", "--output=files", "subject:\(subject)")
    return String(found.output.prefix { $0 != "\n" })
  }

  /// Nothing that lies on a server is a partial file, or another message than was sent.
  private func expect(_ message: [UInt8], _ subject: String, in mailbox: String) throws {
    let found = try imap.everything()[mailbox]?.filter { $0.subject == subject } ?? []
    #expect(found.map(\.body) == [message])
  }

  @Test(arguments: Mark.allCases)
  func isContent(_ mark: Mark) throws {
    let message = mark.message("evil")
    try stage.imap.append(message, flags: "\\Seen")
    try stage.syncWell()
    #expect(try stage.found("is:partial") == 1)
    #expect(try stage.found("is:partial subject:evil") == 0)
    let shown = try stage.magnumWell("show", "subject:evil").output
    #expect(shown.contains("the text") && !shown.contains("on the server"), "\(shown)")
    let listed = try stage.magnumWell("attachments", "list", "subject:evil").output
    #expect(!listed.contains("on the server"), "\(listed)")
    try stage.magnumWell("attachments", "fetch", "subject:evil")
    let saved = stage.program.home["saved"]
    try Files.makeDirectories(saved)
    try stage.magnumWell("attachments", "save", "--to", saved, "subject:evil")
    #expect(!Files.names(in: saved).isEmpty)
    for words in [["forward"], ["forward", "--as-attachment"]] {
      try writes(words + ["--to", "b@example.org"], "subject:evil")
    }
    try writes(["reply"], "subject:evil")
    try restores(mark)
    try goesToAnotherAccount(message)
  }

  private func writes(_ words: [String], _ query: String) throws {
    var command = stage.program.command(words + ["--body", "-", "--hold", query])
    command.program = "\(ProgramUnderTest.products)/magnum"
    command.input = Array("see\n".utf8)
    let outcome = try command.run()
    #expect(outcome.code == 0, "\(outcome)")
  }

  /// From a Maildir, to the server, and from a file that no record knows.
  private func restores(_ mark: Mark) throws {
    let message = mark.message("back")
    let old = LocalFolder(stage.program.home["old"], "Back")
    try old.add("1700000000.1_1.host", MaildirTree.stored(message), flags: "S")
    try stage.magnumWell("restore", "--account", "other", stage.program.home["old"])
    try expect(message, "back", in: "Back")
    let new = mark.message("new")
    try stage.syncWell()
    let folder = LocalFolder(stage.program.home["Mail/other"], "Archive")
    try folder.add("1700000001.1_2.host", MaildirTree.stored(new), flags: "S")
    try stage.syncWell()
    try expect(new, "new", in: "Archive")
  }

  private func goesToAnotherAccount(_ message: [UInt8]) throws {
    try stage.magnumWell("move", "other/Archive", "subject:evil")
    for _ in 1...2 { try stage.syncWell() }
    try expect(message, "evil", in: "Archive")
    #expect(try stage.found("is:partial") == 1)
  }

  /// Fields by which programs know something of messages, as a stranger writes them.
  private static let fields = [
    "X-TUID: abcdefghijkl", "X-OfflineIMAP: 1234-5678", "X-UID: 1", "Status: RO", "X-Status: AFDT",
    "X-Keywords: $Junk $Forwarded", "X-Mozilla-Status: 0009", "X-Mozilla-Keys: todo",
    "X-Magnum-Partial: 1 a b", "X-Magnum-Original: answered <0@evil.example.org>",
    "X-Magnum-Draft: yes", "Content-Length: 3", "Lines: 1", "Bcc: me@example.org",
    "Resent-To: x@example.org", "In-Reply-To: <0@evil.example.org>", "Delivered-To: x@example.org",
    "Message-ID: <0@evil.example.org>",
  ]

  /// Whatever fields a message has, and though several have one Message-ID: each is mirrored, found and moved as it is.
  @Test func fieldsDecideNothing() throws {
    try stage.syncWell()
    var random = SeededGenerator(seed: 51)
    var messages: [[UInt8]] = []
    for number in 0..<40 {
      let chosen = Self.fields.shuffled(using: &random).prefix(number % 8)
      let lines = chosen + ["From: a@example.org", "Subject: s\(number)"]
      let body = "Having a size of 1KiB, this message is over the MaxSize limit.\r\n"
      messages.append(
        Array("\(lines.joined(separator: "\r\n"))\r\n\r\n\(body)\(number)\r\n".utf8)
      )
    }
    try stage.imap.append(messages)
    try stage.syncWell()
    let query = "(folder:INBOX and not subject:large1)"
    #expect(try stage.found("\(query) and is:unread") == messages.count)
    let marked = "is:draft or is:replied or is:passed or is:flagged or is:trashed or is:junk"
    #expect(try stage.found("\(query) and (\(marked) or is:partial or is:todo)") == 0)
    #expect(Set(try bodies(stage.imap, "INBOX")).isSuperset(of: messages))
    try stage.magnumWell("move", "other/Archive", query)
    for _ in 1...2 { try stage.syncWell() }
    let sorted = { (all: [[UInt8]]) in all.sorted { $0.lexicographicallyPrecedes($1) } }
    #expect(try sorted(bodies(imap, "Archive")) == sorted(messages))
    #expect(try bodies(stage.imap, "INBOX").count == 1)
  }

  private func bodies(_ imap: RawIMAP, _ mailbox: String) throws -> [[UInt8]] {
    try imap.everything()[mailbox]?.map(\.body) ?? []
  }

  /// The same commands over a message that was mirrored without its attachments.
  @Test func theRealOneIsPartial() throws {
    try stage.syncWell()
    let file = try file("large1")
    let shown = try stage.magnumWell("show", "subject:large1").output
    #expect(shown.contains("on the server"), "\(shown)")
    let forward = try stage.magnum("forward", "--print", "--to", "b@x.org", "subject:large1")
    #expect(forward.code == 65 && forward.errors.contains("only on the server"), "\(forward)")
    // A copy of its file, in no Maildir of the account, and one in another account.
    let copy = try stage.program.home.write(Files.read(file) ?? [], to: "copy.eml")
    let listed = try stage.magnumWell("attachments", "list", copy).output
    #expect(listed.contains("on the server"), "\(listed)")
    let old = LocalFolder(stage.program.home["old"], "Back")
    try old.add("1700000000.1_1.host", Files.read(file) ?? [], flags: "S")
    let restored = try stage.magnum("restore", "--account", "other", stage.program.home["old"])
    #expect(restored.code == 1, "\(restored)")
    let folder = LocalFolder(stage.program.home["Mail/other"], "Archive")
    try folder.add("1700000001.1_2.host", Files.read(file) ?? [], flags: "S")
    _ = try stage.sync()
    let there = try imap.everything().values.joined()
    #expect(there.isEmpty, "\(there.map(\.subject))")
    // The record decides where another program took the field off.
    let text = String(decoding: Files.read(file) ?? [], as: UTF8.self)
    let bare = text.split(separator: "\n", maxSplits: 1)[1]
    try Files.write(String(bare), to: file)
    let again = try stage.magnum("forward", "--print", "--to", "b@x.org", file)
    #expect(again.code == 65, "\(again)")
    try stage.magnumWell("attachments", "fetch", file)
    let whole = LocalFolder(stage.maildir, "INBOX")
    #expect(try whole.content("large1") == MaildirTree.stored(SizeLimitTests.large("large1")))
  }
}
