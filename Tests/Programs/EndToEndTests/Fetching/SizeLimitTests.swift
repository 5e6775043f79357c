import TestSupport
import Testing

/// Accounts that mirror large messages without their attachments.
@Suite struct SizeLimitTests {
  static let servers = [
    DovecotOptions(), DovecotOptions().hiding("QRESYNC", "CONDSTORE"),
    DovecotOptions().hiding("MOVE", "UIDPLUS"),
  ]

  /// A message with an attachment of that many lines of 76 octets.
  static func large(_ subject: String, lines: Int = 4000, type: String = "mixed") -> [UInt8] {
    let line = String(repeating: "QUJD", count: 19) + "\r\n"
    let text = """
      From: a@example.org
      Subject: \(subject)
      Message-ID: <\(subject)@large.example.org>
      Date: Mon, 06 Jan 2025 12:00:00 +0000
      MIME-Version: 1.0
      Content-Type: multipart/\(type); boundary="=_b"

      --=_b
      Content-Type: text/plain; charset=utf-8

      the text of \(subject)
      --=_b
      Content-Type: application/pdf; name="\(subject).pdf"
      Content-Disposition: attachment; filename="\(subject).pdf"
      Content-Transfer-Encoding: base64


      """.replacing("\n", with: "\r\n")
    return Array((text + String(repeating: line, count: lines) + "--=_b--\r\n").utf8)
  }

  /// Messages one to three are large, the others not.
  private func stage(_ options: DovecotOptions = DovecotOptions()) throws -> Stage {
    var options = options
    options.specialUse = ["Trash": "\\Trash"]
    let stage = try Stage(options)
    try stage.imap.create("Archive")
    for number in 1...3 { try stage.imap.append(Self.large("large\(number)"), flags: "\\Seen") }
    for number in 1...2 { try stage.imap.append(mail("small\(number)"), flags: "\\Seen") }
    try limit(stage)
    try stage.syncWell()
    return stage
  }

  private func limit(_ stage: Stage, _ more: String = "", isIndexed: Bool = false) throws {
    try stage.configure(sync: "size-limit = \"100kB\"\n\(more)", isIndexed: isIndexed)
  }

  private func inbox(_ stage: Stage) -> LocalFolder { LocalFolder(stage.maildir, "INBOX") }

  private func magnum(_ stage: Stage, _ arguments: String...) throws -> Outcome {
    var command = stage.program.command(arguments)
    command.program = "\(ProgramUnderTest.products)/magnum"
    return try command.run()
  }

  /// The subjects of what lies in a mailbox of the server, each of which has to be there as it was sent.
  private func subjects(_ mailbox: String, _ stage: Stage) throws -> [String] {
    try stage.imap.messages(in: mailbox).map { message in
      let subject = message.subject
      #expect(!message.holds("Magnum-Partial") && !message.holds("x-magnum"))
      if subject.hasPrefix("large") { #expect(message.body == Self.large(subject)) }
      return subject
    }.sorted()
  }

  private func isPartial(_ stage: Stage, _ subject: String, _ folder: String = "INBOX") throws
    -> Bool
  {
    let octets = try LocalFolder(stage.maildir, folder).content(subject)
    return String(decoding: octets, as: UTF8.self).contains("access-type=\"x-magnum\"")
  }

  // MARK: Fetching

  @Test(arguments: Turn.part(of: servers))
  func largeMessagesComeWithoutAttachments(_ options: DovecotOptions) throws {
    let stage = try stage(options)
    let inbox = inbox(stage)
    #expect(inbox.bases.count == 5)
    for number in 1...3 {
      let octets = try inbox.content("large\(number)")
      let text = String(decoding: octets, as: UTF8.self)
      #expect(octets.count < 2000)
      #expect(text.hasPrefix("X-Magnum-Partial: "))
      #expect(text.contains("the text of large\(number)\n"))
      #expect(text.contains("section=\"2\"; size=\"311998\""), "\(text)")
      #expect(text.contains("filename=\"large\(number).pdf\""))
    }
    #expect(inbox.bases.filter { $0.contains(",S=") }.count == 2)
    #expect(stage.stateText().contains(" partial 1 S "))
    let (files, mails) = (TreeSnapshot(stage.maildir), try stage.imap.everything())
    try stage.syncWell("--scan")
    let changed = TreeSnapshot(stage.maildir).differences(from: files)
    #expect(changed.filter { !$0.contains("/.magnum") } == [])
    #expect(try stage.imap.everything() == mails)
  }

  @Test func onlyTextsAreFetched() throws {
    let stage = try Stage()
    for number in 1...20 { try stage.imap.append(Self.large("large\(number)")) }
    for number in 1...20 { try stage.imap.append(mail("small\(number)")) }
    let proxy = try DelayProxy(to: stage.server.ports.clear, DelayProxy.Link())
    let url = "imap+plain://127.0.0.1:\(proxy.port)"
    try stage.configure(url: url, sync: "size-limit = \"100kB\"")
    let outcome = try stage.syncWell("-v")
    #expect(outcome.output.contains("20 without attachments"), "\(outcome)")
    #expect(proxy.counters.down < 60_000, "\(proxy.counters.down)")
  }

  /// Where the file system cannot exchange files, none could be made whole later.
  @Test func whereFilesCannotBeExchangedAllComeWhole() throws {
    let stage = try stage()
    var whole = 0
    for change in 1...20 {
      let subject = "large1\(change)"
      try stage.imap.append(Self.large(subject))
      let run = try stage.program.command([], ["MAGNUM_FAULT_ERROR": "\(change):22"]).run()
      if run.code == 0, try !isPartial(stage, subject) { whole += 1 }
      try stage.syncWell()
    }
    #expect(whole == 1)
  }

  /// A stranger may send such messages: neither what they are made of nor its length may end a sync.
  @Test(arguments: ["nested", "many", "long"])
  func monstrousStructuresComeWhole(_ kind: String) throws {
    let stage = try Stage()
    var text = "Subject: large1\nMessage-ID: <1@x>\nMIME-Version: 1.0\n"
    if kind == "nested" {
      for depth in 0..<150 {
        text += "Content-Type: multipart/mixed; boundary=\"b\(depth)\"\n\n--b\(depth)\n"
      }
      text += "\n" + String(repeating: "a line of a text in there\n", count: 10_000)
    } else if kind == "long" {
      text += "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: application/pdf"
      for number in 0..<20_000 {
        text += ";\n n\(number)=\"\(String(repeating: "x", count: 900))\""
      }
      text += "\n\ntext\n--b--\n"
    } else {
      text += "Content-Type: multipart/mixed; boundary=b\n\n"
      let name = String(repeating: "x", count: 200)
      let part = "--b\nContent-Type: application/pdf; name=\"\(name).pdf\"\n\n\n"
      text += String(repeating: part, count: 9000) + "--b--\n"
    }
    try stage.imap.append(Array(text.replacing("\n", with: "\r\n").utf8))
    try stage.imap.append(Self.large("large2"))
    try limit(stage)
    try stage.syncWell()
    #expect(inbox(stage).bases.count == 2)
    #expect(try isPartial(stage, "large2"))
    #expect(try !isPartial(stage, "large1"))
  }

  @Test func whatIsSignedComesWhole() throws {
    let stage = try Stage()
    try stage.imap.append(Self.large("large1", type: "signed"))
    try stage.imap.append(Self.large("large2"), flags: "\\Draft")
    try limit(stage)
    try stage.syncWell()
    try stage.expectMirrored()
  }

  // MARK: What happens to them

  @Test(arguments: Turn.part(of: servers))
  func flagsAndMovesTravel(_ options: DovecotOptions) throws {
    let stage = try stage(options)
    let inbox = inbox(stage)
    try inbox.setFlags("FS", of: "large1")
    try stage.imap.select()
    try stage.imap.store("2", "+FLAGS (\\Answered)")
    _ = try inbox.move("large3", to: "Archive", flags: "S")
    try stage.syncWell()
    #expect(try subjects("INBOX", stage) == ["large1", "large2", "small1", "small2"])
    #expect(try subjects("Archive", stage) == ["large3"])
    #expect(try isPartial(stage, "large3", "Archive"))
    let flags = try stage.imap.messages(in: "INBOX").map { Set($0.flags) }
    #expect(flags[0].contains("\\Flagged") && flags[1].contains("\\Answered"))
    let answered = try inbox.index("large2")
    #expect(inbox.flags(answered).contains("R"))
    try stage.imap.select("Archive")
    try stage.imap.move("1", to: "INBOX")
    try stage.syncWell()
    #expect(inbox.bases.count == 5)
    #expect(try isPartial(stage, "large3"))
    #expect(stage.stateText().contains("partial"))
  }

  /// A copy that went to a mailbox that was made anew is taken back, and the message goes where its file is.
  @Test func aCopyIntoAnotherMailboxIsTakenBack() throws {
    let stage = try stage(DovecotOptions().hiding("MOVE"))
    _ = try inbox(stage).move("large1", to: "Archive", flags: "S")
    let outcome = try stage.sync(before: "COPY", sync: "size-limit = \"100kB\"") { imap in
      try imap.rename("Archive", to: "Archive-2025")
      try imap.create("Archive")
    }
    try limit(stage)
    for _ in 1...2 { try stage.syncWell("-v") }
    #expect(try subjects("Archive-2025", stage) == ["large1"], "\(outcome)")
    #expect(try subjects("Archive", stage) == [], "\(outcome)")
    #expect(try subjects("INBOX", stage) == ["large2", "large3", "small1", "small2"])
    #expect(try subjects("Trash", stage) == [])
  }

  @Test(arguments: Turn.part(of: servers))
  func aRemovedFileExpungesNothing(_ options: DovecotOptions) throws {
    let stage = try stage(options)
    try limit(stage, "on-local-delete = \"expunge\"\nexpunge = \"all\"")
    try inbox(stage).remove("large1")
    try inbox(stage).remove("small1")
    try stage.syncWell()
    #expect(try subjects("INBOX", stage) == ["large2", "large3", "small2"])
    #expect(try subjects("Trash", stage) == ["large1"])
    try stage.syncWell()
    // Marked, or removed in Trash: the server has the only whole copy.
    let trash = LocalFolder(stage.maildir, "Trash")
    #expect(try isPartial(stage, "large1", "Trash"))
    try trash.setFlags("ST", of: "large1")
    try inbox(stage).setFlags("ST", of: "large2")
    try stage.syncWell()
    try stage.syncWell()
    #expect(try subjects("Trash", stage) == ["large1"])
    #expect(try subjects("INBOX", stage) == ["large2", "large3", "small2"])
    try trash.remove("large1")
    let outcome = try stage.sync("-v")
    #expect(outcome.output.contains("its attachments are only on the server"), "\(outcome)")
    #expect(try subjects("Trash", stage) == ["large1"])
  }

  @Test func whatWasFlaggedAndIsGoneStaysWithoutAttachments() throws {
    let stage = try stage()
    try inbox(stage).setFlags("FS", of: "large1")
    try stage.imap.select()
    try stage.imap.store("1,2", "+FLAGS (\\Deleted)")
    try stage.imap.command("EXPUNGE")
    let outcome = try stage.syncWell("-v")
    #expect(outcome.errors.contains("its attachments are lost"), "\(outcome)")
    #expect(try subjects("INBOX", stage) == ["large3", "small1", "small2"])
    #expect(inbox(stage).bases.count == 4)
    try stage.syncWell()
    #expect(try subjects("INBOX", stage) == ["large3", "small1", "small2"])
    #expect(try isPartial(stage, "large1"))
  }

  @Test func copiesAreLeftAndSaid() throws {
    let stage = try stage()
    try inbox(stage).copy("large1", to: "Archive")
    let inner = Array("Content-Type: message/rfc822\n\n".utf8)
    try inbox(stage).add("1.forwarded", inner + inbox(stage).content("large2"), flags: "S")
    for _ in 1...2 {
      let outcome = try stage.sync("-v")
      #expect(outcome.errors.contains("its attachments are only on the server"), "\(outcome)")
      #expect(try subjects("INBOX", stage) == ["large1", "large2", "large3", "small1", "small2"])
      #expect(try subjects("Archive", stage) == [])
    }
    // With the copy still there the original is not taken for removed, whatever the copy is called.
    try inbox(stage).remove("large1")
    _ = try stage.sync()
    #expect(try subjects("Trash", stage) == [])
  }

  @Test func nothingPassesThemOn() throws {
    let stage = try stage()
    let path = "\(stage.maildir)/INBOX/cur/"
    let file = try #require(
      Files.names(in: path).map { String(decoding: $0, as: UTF8.self) }.sorted().first
    )
    try stage.configure(url: "imap+plain://127.0.0.1:1", sync: "size-limit = \"100kB\"")
    let copied = try magnum(stage, "copy", "Archive", path + file)
    #expect(copied.code == 75 && copied.errors.contains("could not be fetched"), "\(copied)")
    try limit(stage)
    let restored = try magnum(stage, "restore", "\(stage.maildir)/INBOX", "--to", "test")
    #expect(restored.code != 0, "\(restored)")
    #expect(try subjects("INBOX", stage) == ["large1", "large2", "large3", "small1", "small2"])
  }

  /// A copy that somebody made in the folder of another account may be all that is left of a message.
  @Test func whatLiesInAnotherAccountIsNotTakenForRemoved() throws {
    let stage = try stage()
    try limit(stage, "[account.old]\nmaildir = \"~/Mail/old\"")
    let old = LocalFolder(stage.program.home["Mail/old"], "2024")
    try old.make()
    let octets = try inbox(stage).content("large1")
    // As mutt saves it there: another name, and a field of its own.
    try old.add("1700000000.1_2.host", Array("X-Label: kept\n".utf8) + octets, flags: "S")
    try stage.syncWell()
    try inbox(stage).remove("large1")
    for _ in 1...2 {
      let outcome = try stage.sync("-v")
      #expect(outcome.errors.contains("the file lies in another folder"), "\(outcome)")
      #expect(try subjects("INBOX", stage) == ["large1", "large2", "large3", "small1", "small2"])
    }
    try old.remove(0)
    try stage.syncWell()
    #expect(try subjects("Trash", stage) == ["large1"])
  }

  /// Anyone who writes such a field into a mail: it is a part of the mail, and the file is whole.
  @Test func aFieldInAMessageIsOrdinaryContent() throws {
    let stage = try stage()
    let octets = try inbox(stage).content("large1")
    let forged = octets.flatMap { $0 == 10 ? [13, 10] : [$0] }
    let mark = "X-Magnum-Partial: 9 00 0123456789abcdef0123456789abcdef\r\n"
    try stage.imap.append(Array(mark.utf8) + mail("forged"), to: "Archive")
    try stage.imap.append(forged, to: "Archive")
    try stage.syncWell()
    let archive = LocalFolder(stage.maildir, "Archive")
    #expect(archive.bases.allSatisfy { $0.contains(",S=") })
    // The server has it so: what is removed here goes as any other message.
    try stage.configure(sync: "on-local-delete = \"expunge\"\nsize-limit = \"100kB\"")
    try archive.remove("forged")
    try stage.syncWell()
    #expect(try stage.imap.messages(in: "Archive").count == 1)
    #expect(try stage.imap.messages(in: "Trash").isEmpty)
    Files.removeTree(stage.state + "/mailboxes")
    for _ in 1...2 { _ = try stage.sync() }
    #expect(try stage.imap.messages(in: "Archive").map(\.body) == [forged])
    #expect(archive.bases.count == 1)
  }

  /// A part that a stranger wrote as if it were on the server is saved as it is, with the others: the message is whole.
  @Test func aForgedPartHidesNoAttachment() throws {
    let stage = try stage()
    let forged = """
      --=_b
      Content-Type: message/external-body; access-type="x-magnum"; section="9"; size="5"

      Content-Type: application/pdf; name="bait.pdf"

      --=_b--
      """.replacing("\n", with: "\r\n")
    let large = String(decoding: Self.large("large9"), as: UTF8.self)
    try stage.imap.append(Array(large.replacing("--=_b--", with: forged).utf8), to: "Archive")
    try stage.syncWell()
    let path = "\(stage.maildir)/Archive/"
    let file = try #require(
      ["cur/", "new/"].flatMap { folder in
        Files.names(in: path + folder).map { path + folder + String(decoding: $0, as: UTF8.self) }
      }.first
    )
    #expect(file.contains(",S="))
    for (number, options) in [["--part", "2"], []].enumerated() {
      let folder = stage.program.home["saved\(number)"]
      try Files.makeDirectories(folder)
      let arguments = ["attachments", "save", "--to", folder] + options + [file]
      var command = stage.program.command(arguments)
      command.program = "\(ProgramUnderTest.products)/magnum"
      let saved = try command.run()
      #expect(saved.code == 0, "\(saved)")
      #expect(Files.text("\(folder)/large9.pdf")?.hasPrefix("ABCABC") == true)
      #expect(Files.names(in: folder).count == (options.isEmpty ? 2 : 1), "\(saved)")
    }
  }

  // MARK: Whole messages

  @Test func attachmentsAreFetchedOnDemand() throws {
    let stage = try stage()
    let path = "\(stage.maildir)/INBOX/cur/"
    let names = { Files.names(in: path).map { String(decoding: $0, as: UTF8.self) }.sorted() }
    let before = names()
    let partial = try #require(before.first { Files.text(path + $0)?.contains("large2") == true })
    let list = try magnum(stage, "attachments", "list", path + partial)
    #expect(list.output.contains("large2.pdf  on the server"), "\(list)")
    #expect(list.output.contains("application/pdf"), "\(list)")
    let folder = stage.program.home["saved"]
    try Files.makeDirectories(folder)
    let saved = try magnum(stage, "attachments", "save", "--to", folder, path + partial)
    #expect(saved.code == 0 && saved.output.hasSuffix("large2.pdf\n"), "\(saved)")
    #expect(Files.text("\(folder)/large2.pdf")?.hasPrefix("ABCABC") == true)
    #expect(names() == before)
    #expect(try isPartial(stage, "large1"))
    #expect(try isPartial(stage, "large2"))
    let other = try #require(before.first { Files.text(path + $0)?.contains("large3") == true })
    let fetched = try magnum(stage, "attachments", "fetch", path + other)
    #expect(fetched.code == 0, "\(fetched)")
    #expect(try inbox(stage).content("large3") == MaildirTree.stored(Self.large("large3")))
    try stage.syncWell("--scan")
    #expect(try isPartial(stage, "large1") && isPartial(stage, "large2"))
    #expect(try !isPartial(stage, "large3"))
  }

  @Test(arguments: Turn.part(of: servers))
  func aHigherLimitOrNoneMakesThemWhole(_ options: DovecotOptions) throws {
    let stage = try stage(options)
    try stage.configure(sync: "size-limit = \"1MB\"")
    let outcome = try stage.syncWell("-v")
    #expect(outcome.output.contains("3 completed"), "\(outcome)")
    try stage.expectMirrored()
    try limit(stage)
    try stage.syncWell()
    try stage.expectMirrored()
    #expect(stage.stateText().contains("magnum-map 5") == false)
    try stage.imap.append(Self.large("large4"))
    try stage.syncWell()
    #expect(try isPartial(stage, "large4"))
    try stage.configure()
    try stage.syncWell()
    try stage.expectMirrored()
  }

  /// A run that was ended before it could record it leaves such files, and so does an older record that is put back.
  @Test func aWholeFileDecidesWhateverIsOnRecord() throws {
    let stage = try stage()
    let inbox = inbox(stage)
    for number in 1...2 {
      try inbox.write("large\(number)", MaildirTree.stored(Self.large("large\(number)")))
    }
    // Under another name, as some clients move files.
    let octets = try inbox.content("large1")
    try inbox.remove("large1")
    try LocalFolder(stage.maildir, "Archive").add("1700000000.1_2.host", octets, flags: "S")
    let outcome = try stage.syncWell("-v")
    #expect(outcome.output.contains("2 completed"), "\(outcome)")
    #expect(try subjects("Archive", stage) == ["large1"])
    #expect(try subjects("Trash", stage) == [])
    try inbox.remove("large2")
    try limit(stage, "on-local-delete = \"expunge\"")
    try stage.syncWell()
    #expect(try subjects("INBOX", stage) == ["large3", "small1", "small2"])
    #expect(try subjects("Trash", stage) == [])
  }

  /// People change drafts, and only what is whole can be sent up again.
  @Test func whatIsMovedToDraftsIsMadeWhole() throws {
    var options = DovecotOptions()
    options.specialUse = ["Drafts": "\\Drafts"]
    let stage = try Stage(options)
    for number in 1...2 { try stage.imap.append(Self.large("large\(number)"), flags: "\\Seen") }
    try limit(stage)
    try stage.syncWell()
    try stage.imap.select()
    try stage.imap.move("1", to: "Drafts")
    _ = try inbox(stage).move("large2", to: "Drafts", flags: "S")
    for _ in 1...2 { try stage.syncWell() }
    let drafts = LocalFolder(stage.maildir, "Drafts")
    for number in 1...2 {
      let whole = MaildirTree.stored(Self.large("large\(number)"))
      #expect(try drafts.content("large\(number)") == whole)
    }
    #expect(try subjects("Drafts", stage) == ["large1", "large2"])
  }

  /// The body of what is in Sent was never seen whole, and it is the same message all the same.
  @Test func aCopyInSentIsNotUploadedAgain() throws {
    var options = DovecotOptions()
    options.specialUse = ["Sent": "\\Sent"]
    let stage = try Stage(options)
    try stage.imap.append(Self.large("large1"), to: "Sent", flags: "\\Seen")
    try limit(stage)
    try stage.syncWell()
    let octets = MaildirTree.stored(Self.large("large1"))
    try LocalFolder(stage.maildir, "Sent").add("1700000000.1_2.host", octets, flags: "S")
    for _ in 1...2 {
      try stage.syncWell("--scan")
      #expect(try subjects("Sent", stage) == ["large1"])
    }
  }

  @Test func theDayLimitsWhatIsFetched() throws {
    let stage = try stage()
    try stage.configure(sync: "daily-limit = \"400kB\"")
    let outcome = try stage.syncWell("-v")
    #expect(outcome.output.contains("deferred (daily limit)"), "\(outcome)")
    #expect(try subjects("INBOX", stage).count == 5)
    try stage.configure()
    try stage.syncWell()
    try stage.expectMirrored()
  }

  @Test func whatWasChangedHereIsNotReplaced() throws {
    let stage = try stage()
    let octets = try inbox(stage).content("large1")
    try inbox(stage).write("large1", octets + Array("typed here\n".utf8))
    try stage.configure()
    let outcome = try stage.sync("-v")
    #expect(outcome.errors.contains("was changed here"), "\(outcome)")
    #expect(try inbox(stage).content("large1").suffix(11) == Array("typed here\n".utf8)[...])
    #expect(try !isPartial(stage, "large2"))
  }

  /// Whatever ends a run that makes messages whole, no message is lost or doubled, and the next run ends it.
  @Test func runsThatAreKilled() throws {
    let stage = try stage()
    var point = 1
    var killed = 0
    while point < 400 {
      try stage.configure()
      let run = try stage.program.command([], ["MAGNUM_FAULT": "\(point)"]).run()
      if run.code != 0 { killed += 1 }
      try limit(stage)
      try stage.syncWell()
      #expect(inbox(stage).bases.count == 5)
      point += 7
      guard run.code == 0 else { continue }
      break
    }
    #expect(killed > 5)
    try stage.configure()
    try stage.syncWell()
    try stage.expectMirrored()
  }

  /// A run that is killed between a file and its record: the file says what it is.
  @Test func firstRunsThatAreKilled() throws {
    var killed = 0
    for point in stride(from: 20, to: 100, by: 5) {
      let stage = try Stage()
      for number in 1...2 { try stage.imap.append(Self.large("large\(number)")) }
      try limit(stage)
      let run = try stage.program.command([], ["MAGNUM_FAULT": "\(point)"]).run()
      if run.code != 0 { killed += 1 }
      try stage.syncWell()
      #expect(inbox(stage).bases.count == 2)
      #expect(try isPartial(stage, "large1") && isPartial(stage, "large2"))
      try stage.configure()
      try stage.syncWell()
      try stage.expectMirrored()
    }
    #expect(killed > 5)
  }

  // MARK: Records

  @Test(arguments: [false, true])
  func lostRecordsMakeNoMessageOfThem(_ isKeyLost: Bool) throws {
    let stage = try stage()
    if isKeyLost {
      Files.removeTree("\(stage.state)")
    } else {
      for name in Files.names(in: "\(stage.state)/mailboxes") {
        Files.removeTree("\(stage.state)/mailboxes/\(String(decoding: name, as: UTF8.self))")
      }
    }
    for _ in 1...3 { _ = try stage.sync("-v") }
    #expect(try subjects("INBOX", stage) == ["large1", "large2", "large3", "small1", "small2"])
    if !isKeyLost { #expect(inbox(stage).bases.count == 5) }
    try stage.configure()
    for _ in 1...2 { _ = try stage.sync("-v") }
    #expect(try subjects("INBOX", stage) == ["large1", "large2", "large3", "small1", "small2"])
    let whole = try (0..<inbox(stage).bases.count).map { try inbox(stage).content($0) }
    for number in 1...3 {
      #expect(whole.contains(MaildirTree.stored(Self.large("large\(number)"))))
    }
  }

  @Test func anotherUIDVALIDITY() throws {
    let stage = try stage()
    try stage.imap.create("Other")
    try stage.imap.select()
    try stage.imap.move("1:*", to: "Other")
    try stage.imap.rename("Other", to: "Fresh")
    try stage.syncWell()
    #expect(try subjects("Fresh", stage).count == 5)
    #expect(LocalFolder(stage.maildir, "Fresh").bases.count == 5)
    #expect(try isPartial(stage, "large1", "Fresh"))
  }

  /// A backup that is put back may hold the file as it was before its message was made whole: then nothing that happens to it
  /// takes the attachments from the server.
  @Test(arguments: [true, false]) func aPartialFileThatIsPutBackIsKnown(_ isLimited: Bool) throws {
    let stage = try stage()
    let before = try inbox(stage).content("large1")
    try stage.configure()
    try stage.syncWell()
    if isLimited { try limit(stage, "on-local-delete = \"expunge\"\nexpunge = \"all\"") }
    try inbox(stage).write("large1", before)
    let verified = try magnum(stage, "verify")
    #expect(verified.code == 1, "\(verified)")
    #expect(verified.output.contains("does not hold what was synced"), "\(verified)")
    let outcome = try stage.syncWell("-v", "--scan")
    #expect(outcome.errors.contains("without its attachments again"), "\(outcome)")
    #expect(try magnum(stage, "verify").code == 0)
    // Where there is no limit it is made whole again.
    guard isLimited else { return try stage.expectMirrored() }
    #expect(try isPartial(stage, "large1"))
    try inbox(stage).remove("large1")
    try stage.syncWell()
    #expect(try subjects("Trash", stage) == ["large1"])
  }

  /// The same where its message went to another mailbox since: it goes back, and removing the file expunges nothing.
  @Test func aPartialFileThatIsPutBackIntoItsFormerFolderIsKnown() throws {
    let stage = try stage()
    let before = try inbox(stage).content("large1")
    try stage.configure()
    try stage.syncWell()
    try limit(stage, "on-local-delete = \"expunge\"\nexpunge = \"all\"")
    let base = try inbox(stage).move("large1", to: "Archive", flags: "S")
    try stage.syncWell()
    #expect(try subjects("Archive", stage) == ["large1"])
    try LocalFolder(stage.maildir, "Archive").remove("large1")
    try inbox(stage).add(base, before, flags: "S")
    let outcome = try stage.syncWell("-v")
    #expect(outcome.errors.contains("without its attachments again"), "\(outcome)")
    #expect(try subjects("Archive", stage) == [])
    #expect(try subjects("INBOX", stage) == ["large1", "large2", "large3", "small1", "small2"])
    #expect(try isPartial(stage, "large1"))
    try inbox(stage).remove("large1")
    try stage.syncWell()
    #expect(try subjects("Trash", stage) == ["large1"])
  }

  /// A copy from the time when its message was partial says nothing of where that went, unless it has its name.
  @Test(arguments: [true, false])
  func aCopyOfAPartialFileIsNoMove(hasItsName: Bool) throws {
    let stage = try stage()
    let before = try inbox(stage).content("large1")
    let base = try inbox(stage).bases[inbox(stage).index("large1")]
    let archive = LocalFolder(stage.maildir, "Archive")
    try archive.add(hasItsName ? base : "1700000000.1_2.host", before, flags: "S")
    try stage.configure()
    _ = try stage.sync()
    let whole = try inbox(stage).content("large1")
    try inbox(stage).remove("large1")
    try LocalFolder(stage.maildir, "Sent").add("1700000001.1_2.host", whole, flags: "S")
    for _ in 0..<2 { _ = try stage.sync() }
    #expect(try subjects("Sent", stage) == ["large1"])
    #expect(try subjects("Archive", stage) == (hasItsName ? ["large1"] : []))
    #expect(try subjects("INBOX", stage) == ["large2", "large3", "small1", "small2"])
  }

  @Test func verifyCountsThemApart() throws {
    let stage = try stage()
    let plain = try magnum(stage, "verify")
    #expect(plain.code == 0, "\(plain)")
    #expect(plain.output == "test  2 messages equal  3 without attachments\n")
    let deep = try magnum(stage, "verify", "--deep")
    #expect(deep.code == 0, "\(deep)")
    #expect(deep.output.contains("2 messages equal octet by octet  3 without attachments"))
  }

  @Test func theyAreFound() throws {
    let stage = try stage()
    try limit(stage, isIndexed: true)
    try stage.syncWell("--scan")
    _ = try magnum(stage, "index")
    func found(_ query: String) throws -> Int {
      var command = stage.program.command(["--count", query])
      command.program = "\(ProgramUnderTest.products)/magnum-search"
      let outcome = try command.run()
      return Int(outcome.output.filter { $0 != "\n" }) ?? -1
    }
    #expect(try found("is:partial") == 3)
    #expect(try found("attachment:large2") == 1)
    #expect(try found("mimetype:application/pdf") == 3)
    let fetched = try magnum(stage, "attachments", "fetch", "is:partial", "subject:large2")
    #expect(fetched.code == 0, "\(fetched)")
    #expect(try found("is:partial") == 2)
  }
}
