import TestSupport
import Testing

/// What the real mutt does in the folders reaches the server.
@Suite struct MuttTests {
  static let servers = [DovecotOptions(), DovecotOptions().hiding("MOVE", "UIDPLUS")]

  private func stage(_ options: DovecotOptions = DovecotOptions()) throws -> Stage {
    var options = options
    options.specialUse = ["Drafts": "\\Drafts", "Trash": "\\Trash"]
    let stage = try Stage(options)
    try stage.imap.create("Archive")
    for number in 1...4 {
      let date = "Date: Mon, 06 Jan 2025 12:0\(number):00 +0000\r\n"
      let text =
        "From: a@example.org\r\n\(date)Subject: mail \(number)\r\n"
        + "Message-ID: <\(number).mutt@example.org>\r\n\r\ntext \(number)\r\n"
      try stage.imap.append(Array(text.utf8), flags: "\\Seen")
    }
    try stage.settle()
    return stage
  }

  /// The commands of a run, in capitals.
  private func commands(_ stage: Stage) throws -> [Substring] {
    var link = DelayProxy.Link()
    link.isRecorded = true
    let proxy = try DelayProxy(to: stage.server.ports.clear, link)
    try stage.configure(url: "imap+plain://127.0.0.1:\(proxy.port)", sync: "connections = 1")
    try stage.syncWell()
    let text = proxy.transcript.uppercased()
    try stage.configure()
    return text.split(whereSeparator: \.isNewline)
  }

  /// The subjects in a mailbox of the server.
  private func subjects(_ mailbox: String, _ stage: Stage) throws -> [String] {
    try stage.imap.messages(in: mailbox).map { message in
      let lines = String(decoding: message.body, as: UTF8.self).split(separator: "\r\n")
      return lines.first { $0.hasPrefix("Subject: ") }.map { String($0.dropFirst(9)) } ?? ""
    }.sorted()
  }

  /// Another run changes no mail on either side.
  private func expectNothingLeft(_ stage: Stage) throws {
    let (files, mails) = (TreeSnapshot(stage.maildir), try stage.imap.everything())
    try stage.syncWell()
    let changed = TreeSnapshot(stage.maildir).differences(from: files)
    #expect(changed.filter { !$0.contains("/.magnum") } == [])
    #expect(try stage.imap.everything() == mails)
    #expect(stage.tree.mailboxes.mapValues(\.count).count == mails.count)
    for (mailbox, messages) in mails {
      #expect(stage.tree[OctetName(Array(mailbox.utf8))].count == messages.count, "\(mailbox)")
    }
  }

  @Test(arguments: Turn.part(of: servers))
  func aSavedMessageIsMovedWithoutAnUpload(_ options: DovecotOptions) throws {
    let stage = try stage(options)
    try Mutt(stage.maildir).type("<first-entry><save-message>+Archive<enter><sync-mailbox>")
    let commands = try commands(stage)
    let moves = commands.filter { $0.contains("UID MOVE") || $0.contains("UID COPY") }
    #expect(moves.count == 1)
    #expect(!commands.contains { $0.contains(" APPEND ") })
    #expect(try subjects("Archive", stage) == ["mail 1"])
    #expect(try subjects("INBOX", stage) == ["mail 2", "mail 3", "mail 4"])
    #expect(try subjects("Trash", stage) == [])
    try expectNothingLeft(stage)
  }

  @Test func aDeletedMessageGoesToTrash() throws {
    let stage = try stage()
    try Mutt(stage.maildir).type("<first-entry><delete-message><sync-mailbox>")
    try stage.syncWell()
    try stage.syncWell()
    #expect(try subjects("INBOX", stage) == ["mail 2", "mail 3", "mail 4"])
    #expect(try subjects("Trash", stage) == ["mail 1"])
    try expectNothingLeft(stage)
    try stage.expectMirrored()
  }

  @Test func withMaildirTrashADeletedMessageIsMarkedAndStays() throws {
    let stage = try stage()
    let mutt = try Mutt(stage.maildir, "set maildir_trash=yes")
    try mutt.type("<first-entry><delete-message><sync-mailbox>")
    try stage.syncWell()
    let marked = try stage.imap.messages().filter { $0.flags.contains("\\Deleted") }
    #expect(marked.map(\.uid) == [1])
    #expect(try subjects("Trash", stage) == [])
    try expectNothingLeft(stage)
    try mutt.type("<first-entry><undelete-message><sync-mailbox>")
    try stage.syncWell()
    #expect(try stage.imap.messages().allSatisfy { !$0.flags.contains("\\Deleted") })
    try stage.expectMirrored()
  }

  @Test func aFlagIsSetAndTakenBack() throws {
    let stage = try stage()
    let mutt = try Mutt(stage.maildir)
    try mutt.type("<first-entry><flag-message><sync-mailbox>")
    try stage.syncWell()
    #expect(try stage.imap.messages().first?.flags == ["\\Flagged", "\\Seen"])
    try expectNothingLeft(stage)
    try mutt.type("<first-entry><flag-message><sync-mailbox>")
    try stage.syncWell()
    #expect(try stage.imap.messages().first?.flags == ["\\Seen"])
    try stage.expectMirrored()
  }

  @Test(arguments: Turn.part(of: servers))
  func aPostponedReplyIsADraftOfWhichTheLastVersionStays(_ options: DovecotOptions) throws {
    let stage = try stage(options)
    let mutt = try Mutt(stage.maildir)
    try mutt.type("<last-entry><reply><postpone-message>")
    try stage.syncWell()
    #expect(try subjects("Drafts", stage) == ["Re: mail 4"])
    try expectNothingLeft(stage)
    let first = try stage.imap.messages(in: "Drafts")
    for _ in 0..<2 {
      try mutt.type("<recall-message><postpone-message>")
      try stage.syncWell()
      try stage.syncWell()
      try stage.expectMirrored()
    }
    let last = try stage.imap.messages(in: "Drafts")
    #expect(last.count == 1)
    #expect((last.first?.body.count ?? 0) > (first.first?.body.count ?? 0))
    #expect(try subjects("Trash", stage) == [])
    try expectNothingLeft(stage)
  }
}
