import Testing
import TestSupport

#if canImport(Glibc)
import Glibc
#endif

/// The server numbers its messages anew, or is put back: files and messages find each other again.
@Suite struct RematchTests {
  /// What a mailbox that was made anew holds.
  enum Content: CaseIterable {
    case same, half, others, none
  }

  @Test(arguments: Content.allCases)
  func aMailboxMadeAnew(holding content: Content) throws {
    let stage = try Stage()
    try stage.fill(inbox: 22)
    try stage.settle()
    let old = try stage.imap.messages(in: "Archive")
    try stage.imap.select()
    try stage.imap.delete("Archive")
    try stage.imap.create("Archive")
    let archive = LocalFolder(stage.maildir, "Archive")
    try archive.setFlags("FRS", of: 1)
    var expected = Rematch()
    switch content {
    case .same:
      for mail in old.reversed() {
        try stage.imap.append(mail.body, to: "Archive", flags: "\\Seen")
      }
      expected.recognised = 5
    case .half:
      for mail in old.prefix(3) { try stage.imap.append(mail.body, to: "Archive", flags: "\\Seen") }
      expected.recognised = 3
      expected.apart = old.dropFirst(3).map { "Archive: \($0.subject)" }
    case .others:
      try stage.imap.append((0..<7).map { mail("another \($0)") }, to: "Archive")
      expected.fetched = 7
      expected.recognised = 0
      expected.apart = old.map { "Archive: \($0.subject)" }
    case .none:
      expected.recognised = 0
      expected.apart = old.map { "Archive: \($0.subject)" }
    }
    try stage.expect(expected)
    guard content == .same else { return }
    let letters = try stage.imap.messages(in: "Archive").map { MaildirTree.letters($0.flags) }
    #expect(letters.sorted() == ["FS", "S", "S", "S", "S"], "what was not synced yet survives")
  }

  /// The flags that the map knows tell what was taken away from what was never there.
  @Test func flagsAreMergedAcrossIt() throws {
    let stage = try Stage()
    let mails = (0..<6).map { mail("mail \($0)") }
    try stage.imap.create("Box")
    try stage.imap.append(mails, to: "Box", flags: "\\Flagged work")
    try stage.settle()
    try stage.imap.delete("Box")
    try stage.imap.create("Box")
    try stage.imap.append(mails[0], to: "Box", flags: "\\Flagged work")
    try stage.imap.append(mails[1], to: "Box", flags: "\\Flagged \\Seen work")
    try stage.imap.append(mails[2], to: "Box", flags: "work")
    try stage.imap.append(mails[3], to: "Box", flags: "\\Flagged work")
    try stage.imap.append(mails[4], to: "Box", flags: "")
    try stage.imap.append(mails[5], to: "Box", flags: "\\Flagged work")
    let box = LocalFolder(stage.maildir, "Box")
    try box.setFlags(on: "mail 0", "FR")
    try box.setFlags(on: "mail 1", "FR")
    try box.setFlags(on: "mail 2", "FR")
    try box.setFlags(on: "mail 3", "")
    try stage.expect(Rematch(recognised: 6))
    let found = try stage.imap.messages(in: "Box").map {
      "\($0.subject): \($0.flags.joined(separator: " "))"
    }
    #expect(
      found == [
        "mail 0: \\Answered \\Flagged work", "mail 1: \\Answered \\Flagged \\Seen work",
        "mail 2: \\Answered work", "mail 3: work", "mail 4: ", "mail 5: \\Flagged work",
      ]
    )
  }

  /// MAGNUM_REBIND_MESSAGES=10000 in the environment makes them more.
  @Test func twoThousandMessages() throws {
    let count = getenv("MAGNUM_REBIND_MESSAGES").flatMap { Int(String(cString: $0)) } ?? 2000
    let stage = try Stage()
    let mails = (0..<count).map { mail("mail \($0)", body: "body \($0)") }
    try stage.imap.create("Box")
    try stage.imap.append(mails, to: "Box", flags: "\\Seen")
    try stage.syncWell()
    try stage.imap.delete("Box")
    try stage.imap.create("Box")
    try stage.imap.append(Array(mails[100...]) + Array(mails[..<50]), to: "Box", flags: "\\Seen")
    try stage.imap.append((0..<5).map { mail("new \($0)") }, to: "Box", flags: "\\Seen")
    var expected = Rematch(fetched: 5, recognised: count - 50)
    expected.apart = (50..<100).map { "Box: mail \($0)" }
    try stage.expect(expected)
  }

  /// A server in two halves that do not agree: each time all is matched anew, and nothing comes of it.
  @Test func aValidityThatAlternates() throws {
    let stage = try Stage()
    let mails = (0..<8).map { mail("mail \($0)") }
    for name in ["Box", "Other"] {
      try stage.imap.create(name)
      try stage.imap.append(name == "Box" ? mails : mails.reversed(), to: name, flags: "\\Seen")
    }
    let change = { (script: String) in
      let there = "\(stage.server.folder)/mail/\(stage.user)"
      try stage.reconnect { try Command.shell("cd \"$1\"; \(script)", [there]) }
    }
    try change("mv .Other other")
    try stage.syncWell()
    let box = LocalFolder(stage.maildir, "Box")
    let names = box.bases
    for (round, flags) in ["FS", "RS", "FRS", "S"].enumerated() {
      try change("mv .Box aside; mv other .Box; mv aside other")
      try box.setFlags(flags, of: 0)
      let (outcome, server) = (try stage.syncWell(), try stage.imap.messages(in: "Box"))
      #expect(outcome.errors.isEmpty, "round \(round): \(outcome)")
      #expect(server.count == 8 && box.bases == names, "round \(round)")
    }
  }

  /// Messages that get the UIDs of others, which have another size and came in another second.
  private func appendOthers(_ numbers: Range<Int>, _ stage: Stage) throws {
    let date = "01-Feb-2024 10:00:00 +0000"
    for number in numbers {
      _ = try stage.imap.append(mail("new \(number), longer"), flags: "\\Seen", date: date)
    }
  }

  /// The newest messages that were known are gone there before: others tell that UIDs are given to other messages.
  @Test(arguments: Turn.part(of: [[], ["QRESYNC"], ["CONDSTORE", "QRESYNC"]]), [1, 4])
  func theServerOfLastWeekWithoutTheNewest(without hidden: [String], gone: Int) throws {
    var options = DovecotOptions()
    for name in hidden { options = options.hiding(name) }
    let stage = try Stage(options)
    try stage.imap.append((0..<5).map { mail("old \($0)") }, flags: "\\Seen")
    try stage.settle()
    let backup = try ServerBackup(stage)
    try stage.imap.append((0..<7).map { mail("lost \($0)") }, flags: "\\Seen")
    try stage.settle()
    try stage.imap.select()
    try stage.imap.expunge("\(13 - gone):12")
    try stage.settle()
    try backup.restore()
    try appendOthers(0..<9, stage)
    var expected = Rematch(fetched: 9, recognised: 5)
    expected.apart = (0..<(7 - gone)).map { "INBOX: lost \($0)" }
    try stage.expect(expected)
  }

  /// The server's own copy of last week is put back, and the UIDs since then are given to other messages.
  @Test(arguments: [true, false])
  func theServerOfLastWeek(withNewMail hasNew: Bool) throws {
    let stage = try Stage()
    try stage.imap.append((0..<6).map { mail("old \($0)") }, flags: "\\Seen")
    try stage.settle()
    let backup = try ServerBackup(stage)
    try stage.imap.append((0..<3).map { mail("lost \($0)") }, flags: "\\Seen")
    try stage.imap.select()
    try stage.imap.store("2", "+FLAGS (\\Flagged)")
    try stage.imap.expunge("1")
    try stage.settle()
    try LocalFolder(stage.maildir, "INBOX").setFlags(on: "old 3", "RS")
    try backup.restore()
    if hasNew { try appendOthers(0..<4, stage) }
    var expected = Rematch(fetched: hasNew ? 5 : 1, recognised: 5)
    expected.apart = (0..<3).map { "INBOX: lost \($0)" }
    try stage.expect(expected)
    #expect(MaildirTree.letters(try stage.imap.message(about: "old 3").flags) == "RS")
    #expect(MaildirTree.letters(try stage.imap.message(about: "old 1").flags) == "FS")
  }
}

extension RematchTests {
  /// Where the server has no modification sequences, and more came since than was lost, only the last known message tells.
  @Test(arguments: [["CONDSTORE", "QRESYNC"], ["CONDSTORE", "QRESYNC", "ESEARCH"]])
  func theServerOfYesterday(without hidden: [String]) throws {
    var options = DovecotOptions()
    for name in hidden { options = options.hiding(name) }
    let stage = try Stage(options)
    try stage.imap.append((0..<3).map { mail("old \($0)") }, flags: "\\Seen")
    try stage.settle()
    let backup = try ServerBackup(stage)
    try stage.imap.append((0..<2).map { mail("lost \($0)") }, flags: "\\Seen")
    try stage.settle()
    try backup.restore()
    try appendOthers(0..<4, stage)
    var expected = Rematch(fetched: 4, recognised: 3)
    expected.apart = (0..<2).map { "INBOX: lost \($0)" }
    try stage.expect(expected)
  }
}

extension RematchTests {
  /// Reports that are alike except for their numbers: a UID that is given away again means one of the same size.
  @Test(arguments: Turn.part(of: [[], ["QRESYNC"], ["CONDSTORE", "QRESYNC"]]), ["size", "date"])
  func theServerOfYesterdayWithReports(without hidden: [String], alike same: String) throws {
    var options = DovecotOptions()
    for name in hidden { options = options.hiding(name) }
    let stage = try Stage(options)
    let day = "01-Feb-2024 10:00:00 +0000"
    try stage.imap.append(mail("old"), flags: "\\Seen", date: day)
    try stage.settle()
    let backup = try ServerBackup(stage)
    try stage.imap.append(mail("report 1"), flags: "\\Seen", date: day)
    try stage.settle()
    try backup.restore()
    let (next, date) =
      same == "size"
      ? ("report 2", "02-Feb-2024 10:00:00 +0000") : ("report 2, which is longer", day)
    try stage.imap.append(mail(next), flags: "\\Seen", date: date)
    try stage.imap.append(mail("more mail of another size"), flags: "\\Seen", date: date)
    try stage.expect(Rematch(fetched: 2, recognised: 1, apart: ["INBOX: report 1"]))
  }
}

extension RematchTests {
  /// What a server does not expunge has another size and date under another UIDVALIDITY: by these it is known from then on.
  @Test func aMessageThatIsToGoIsFoundAgainOnce() throws {
    let stage = try Stage()
    let proxy = try BendingProxy(
      to: stage.server.ports.clear,
      command: { $0.hasPrefix("UID EXPUNGE") ? .refused("NO [NOPERM] not here") : .passed }
    )
    try stage.configure(url: proxy.clearURL)
    try stage.imap.create("Drafts")
    try stage.imap.append(mail("draft", body: "first"), to: "Drafts", flags: "\\Draft")
    try stage.syncWell()
    try LocalFolder(stage.maildir, "Drafts").write(0, mail("draft", body: "the second"))
    #expect(try stage.sync().code == 1)
    let versions = try stage.imap.messages(in: "Drafts")
    #expect(versions.count == 2)
    try stage.imap.select()
    try stage.imap.delete("Drafts")
    try stage.imap.create("Drafts")
    for version in versions {
      let isOld = version.flags.contains("\\Deleted")
      _ = try stage.imap.append(
        Array((isOld ? "Received: from example.org\r\n" : "").utf8) + version.body,
        to: "Drafts",
        flags: isOld ? "\\Draft \\Deleted" : "\\Draft",
        date: "01-Feb-2024 10:00:00 +0000"
      )
    }
    for number in 1...3 {
      let outcome = try stage.sync("-v")
      let isRematched = "\(outcome)".contains("comparing with the server")
      #expect(outcome.code == 1 && isRematched == (number == 1), "run \(number): \(outcome)")
    }
    #expect(stage.tree["Drafts"].count == 1)
  }
}

extension RematchTests {
  /// What is still to go for good hides nothing that went.
  @Test(arguments: Turn.part(of: [[], ["QRESYNC"], ["CONDSTORE", "QRESYNC"]]))
  func aMessageThatIsToGoHidesNoneThatWent(without hidden: [String]) throws {
    var options = DovecotOptions()
    for name in hidden { options = options.hiding(name) }
    let stage = try Stage(options)
    try stage.imap.create("Drafts")
    try stage.imap.append((0..<8).map { mail("draft \($0)") }, to: "Drafts", flags: "\\Draft")
    try stage.settle()
    try LocalFolder(stage.maildir, "Drafts").write("draft 1", mail("draft 1", body: "second"))
    try stage.imap.select("Drafts")
    try stage.imap.expunge("7")
    let proxy = try BendingProxy(
      to: stage.server.ports.clear,
      command: { $0.hasPrefix("UID STORE") ? .refused("") : .passed }
    )
    try stage.configure(url: proxy.clearURL)
    #expect(try stage.sync(timeLimit: 3).end == .timedOut)
    #expect(proxy.commands.contains { $0.hasPrefix("UID STORE") })
    try stage.configure()
    try stage.syncWell()
    try stage.expectMirrored()
    #expect(stage.tree["Drafts"].count == 7)
  }
}

extension RematchTests {
  /// The file of a message that the server lost, in a folder that is not mirrored, keeps back none that has its UID now.
  @Test(arguments: Turn.part(of: [[], ["QRESYNC"], ["CONDSTORE", "QRESYNC"]]))
  func aUIDThatIsGivenAgain(without hidden: [String]) throws {
    var options = DovecotOptions()
    for name in hidden { options = options.hiding(name) }
    let stage = try Stage(options)
    try stage.configure(sync: "exclude = [\"Kept\"]")
    try stage.imap.append([mail("old")], flags: "\\Seen")
    try stage.settle()
    let backup = try ServerBackup(stage)
    try stage.imap.append([mail("lost")], flags: "\\Seen")
    try stage.settle()
    try LocalFolder(stage.maildir, "Kept").make()
    _ = try LocalFolder(stage.maildir, "INBOX").move("lost", to: "Kept", flags: "S")
    try backup.restore()
    try appendOthers(0..<1, stage)
    try stage.syncWell()
    #expect(stage.tree["INBOX"].count == 2)
    try stage.syncWell()
  }
}

/// A copy of a user's mail on the server, with the server's own records.
struct ServerBackup {
  let stage: Stage

  init(_ stage: Stage) throws {
    self.stage = stage
    try Command.shell("cp -a \"$1\" \"$1.saved\"", [folder])
  }

  /// Puts the copy in place while nobody is logged in.
  func restore() throws {
    try stage.reconnect {
      try Command.shell("rm -rf \"$1\"; mv \"$1.saved\" \"$1\"", [folder])
    }
  }

  private var folder: String { "\(stage.server.folder)/mail/\(stage.user)" }
}

extension RawIMAP.Message {
  /// The text after "Subject:" in the header.
  var subject: String {
    MaildirTree.stored(body).split(separator: 10).first { $0.starts(with: "Subject: ".utf8) }
      .map { String(decoding: $0.dropFirst(9), as: UTF8.self) } ?? "no subject"
  }
}
