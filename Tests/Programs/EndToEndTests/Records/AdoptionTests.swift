import Testing
import TestSupport

/// A Maildir that another tool filled becomes Magnum's, without a message going over the wire.
@Suite struct AdoptionTests {
  private static let umlauts = "Entw&APw-rfe"

  /// Mail that is hard to tell apart, in folders whose names tools spell differently.
  private func stage() throws -> Stage {
    let stage = try Stage()
    try stage.fill()
    try stage.imap.append(twins)
    try stage.imap.append(unidentified, flags: "\\Flagged")
    try stage.imap.append(mail("late"), flags: "\\Seen")
    try stage.imap.append(mail("gone"), flags: "\\Seen")
    for name in [Self.umlauts, "INBOX/sub"] {
      try stage.imap.create(name)
      try stage.imap.append((0..<3).map { mail("\(name) \($0)") }, to: name, flags: "\\Seen")
    }
    return stage
  }

  /// Fifty of one Message-ID: the same mail, others of the same size, and longer ones.
  private var twins: [[UInt8]] {
    let bodies =
      (0..<30).map { _ in "all the same" } + (10..<20).map { "all but \($0)" }
      + (0..<10).map { String(repeating: "long ", count: $0 + 10) }
    return bodies.map { mail("twin", body: $0) }
  }

  /// Mail without a Message-ID: some alike, some not, one without any header.
  private var unidentified: [[UInt8]] {
    let texts =
      (0..<3).map { "Subject: different \($0)\r\n\r\nbody\r\n" }
      + (0..<3).map { _ in "Subject: alike\r\n\r\nbody\r\n" } + ["\r\nbody only\r\n"]
    return texts.map { Array($0.utf8) }
  }

  /// What the user does in the Maildir, and others on the server, after the last run of the other tool.
  private func change(_ stage: Stage) throws {
    let inbox = LocalFolder(stage.maildir, "INBOX")
    try inbox.setFlags(on: "late", "RS")
    try inbox.add("1700000000.new.host", mail("written here"), flags: "S")
    try Files.write(mail("with CRLF"), to: "\(stage.maildir)/INBOX/new/1700000001.crlf.host")
    let late = try stage.imap.message(about: "late").uid
    let gone = try stage.imap.message(about: "gone").uid
    try stage.imap.select()
    try stage.imap.store("\(late)", "+FLAGS (\\Flagged)")
    try stage.imap.expunge("\(gone)")
    try stage.imap.append(mail("from elsewhere"))
  }

  /// Mail of `fill` without an empty line behind its header, which mbsync never pulls.
  private let leftOut = 2

  private func expectAdopted(_ stage: Stage, directory: @escaping (String) -> String) throws {
    var expected = Rematch(fetched: 1 + leftOut, uploaded: 2, directory: directory)
    expected.recognised = 12 + 50 + 7 + 1 + 5 + 5 + 3 + 3 - leftOut
    expected.apart = ["INBOX: gone"]
    try stage.expect(expected)
    let late = try stage.imap.message(about: "late")
    #expect(MaildirTree.letters(late.flags) == "FRS", "the flags of both sides")
  }

  @Test(arguments: ["*", nil])
  func ofMbsync(state: String?) throws {
    let stage = try stage()
    let mbsync = Mbsync(stage: stage, state: state)
    try mbsync.run()
    // Both directions once more: files that mbsync pushed are named in another way.
    try LocalFolder(stage.maildir, "INBOX").add(
      "1600000000.pushed.host",
      mail("pushed"),
      flags: "FS"
    )
    try LocalFolder(stage.maildir, "INBOX").setFlags("R", of: 3)
    try mbsync.run()
    try change(stage)
    var expected = Rematch(fetched: 1 + leftOut, uploaded: 2)
    expected.recognised = 12 + 50 + 7 + 1 + 1 + 5 + 5 + 3 + 3 - leftOut
    expected.apart = ["INBOX: gone"]
    try stage.expect(expected)
  }

  @Test(arguments: ["Legacy", "Maildir++"])
  func ofMbsyncInOtherFolders(layout: String) throws {
    let stage = try stage()
    try Mbsync(stage: stage, layout: layout).run()
    try change(stage)
    try expectAdopted(stage) { name in
      switch (layout, name) {
      case (_, "INBOX"): "INBOX"
      case ("Legacy", "Lists/swift"): "Lists/.swift"
      case ("Legacy", "INBOX/sub"): "INBOX/.sub"
      case ("Legacy", _): name
      case (_, "INBOX/sub"): "INBOX/..sub"
      default: "INBOX/." + name.split(separator: "/").joined(separator: ".")
      }
    }
  }

  @Test func ofOfflineIMAP() throws {
    let stage = try stage()
    try OfflineIMAP(stage: stage).run()
    try LocalFolder(stage.maildir, "INBOX").add(
      "1600000000.pushed.host",
      mail("pushed"),
      flags: "FS"
    )
    try OfflineIMAP(stage: stage).run()
    try change(stage)
    var expected = Rematch(fetched: 1, uploaded: 2)
    expected.recognised = 12 + 50 + 7 + 1 + 1 + 5 + 5 + 3 + 3
    expected.apart = ["INBOX: gone"]
    expected.directory = { $0.split(separator: "/").joined(separator: ".") }
    try stage.expect(expected)
  }

  /// A file that mbsync made in place of a large message has its Message-ID, and nothing else of it.
  @Test(arguments: ["*", "~/elsewhere-"])
  func whatMbsyncLeftOutIsFetched(state: String) throws {
    let stage = try Stage()
    try stage.imap.append((0..<3).map { mail("small \($0)") })
    let large = String(repeating: "much to say\r\n", count: 1000)
    try stage.imap.append(mail("large", body: large))
    try Mbsync(stage: stage, state: state, store: "MaxSize 1k").run()
    let placeholder = stage.tree["INBOX"].first { $0.subject == "[placeholder] large" }
    try #require(placeholder != nil, "mbsync made a placeholder")
    try stage.expect(Rematch(fetched: 1, recognised: 3, apart: ["INBOX: [placeholder] large"]))
  }

  /// mbsync marks what is one too many for `MaxMessages` with a T that is not the server's.
  @Test func whatMbsyncExpiredIsNotDeleted() throws {
    let stage = try Stage()
    try stage.imap.append((0..<4).map { mail("old \($0)") }, flags: "\\Seen")
    let mbsync = Mbsync(stage: stage, channel: "MaxMessages 4\nExpireUnread yes")
    try mbsync.run()
    try stage.imap.append((0..<3).map { mail("new \($0)") }, flags: "\\Seen")
    try mbsync.run()
    try #require(stage.tree["INBOX"].contains { $0.flags.contains("T") }, "mbsync expired some")
    try stage.expect(Rematch(recognised: 7))
    #expect(!stage.tree["INBOX"].contains { $0.flags.contains("T") })
  }

  /// Files are matched with all messages, and of those that are left over only new ones are fetched.
  @Test func aWindowHidesNoMessage() throws {
    let stage = try Stage()
    let old = "02-Jan-2020 03:04:05 +0000"
    for number in 0..<4 { try stage.imap.append(mail("old \(number)"), date: old) }
    try stage.imap.append(mail("young"))
    try stage.configure(sync: "window = \"30d\"")
    let inbox = LocalFolder(stage.maildir, "INBOX")
    try inbox.add("1577934245.1.host", mail("old 1"), flags: "FS")
    try inbox.add("1577934245.2.host", mail("old 2"), flags: "S")
    let outcome = try stage.syncWell("--json")
    #expect(outcome.output.contains("\"rematched\":2"), "\(outcome)")
    #expect(try stage.imap.messages().count == 5, "nothing is uploaded again")
    #expect(stage.tree["INBOX"].map(\.subject).sorted() == ["old 1", "old 2", "young"])
    #expect(MaildirTree.letters(try stage.imap.message(about: "old 1").flags) == "FS")
    try stage.expectRest(#_sourceLocation)
    #expect(stage.tree["INBOX"].count == 3)
  }

  /// Files that mbsync numbered and could not push any more were never on the server.
  @Test func whatMbsyncDidNotPushIsUploaded() throws {
    let stage = try Stage()
    try stage.imap.append((0..<3).map { mail("there \($0)") })
    try Mbsync(stage: stage).run()
    let inbox = LocalFolder(stage.maildir, "INBOX")
    try inbox.add("1700000000.new.host,U=4", mail("numbered"), flags: "S")
    try inbox.add("1700000000.old.host,U=3", mail("another with a number of its own"), flags: "S")
    var expected = Rematch(uploaded: 1, recognised: 3)
    expected.apart = ["INBOX: another with a number of its own"]
    try stage.expect(expected)
  }

  /// The mapping is fixed when it is first made, and never two mailboxes share a folder.
  @Test func aFolderIsTakenOnce() throws {
    var options = DovecotOptions()
    options.hasFreeNames = true
    let stage = try Stage(options)
    for name in ["a.b", "a/b", "c/d"] {
      try stage.imap.create(name)
      try stage.imap.append(mail("in \(name)"), to: name)
    }
    try LocalFolder(stage.maildir, "a.b").add("1.x.host", mail("in a.b"), flags: "")
    try LocalFolder(stage.maildir, "c.d").add("1.y.host", mail("in c/d"), flags: "")
    let directory = { (name: String) in name == "c/d" ? "c.d" : name }
    try stage.expect(Rematch(fetched: 1, recognised: 2, directory: directory))
    try stage.imap.create("c.d")
    try stage.imap.append(mail("in c.d"), to: "c.d")
    let outcome = try stage.sync()
    #expect(outcome.code == 1 && outcome.errors.contains("test/c.d"), "\(outcome)")
    #expect(stage.tree["c.d"].map(\.subject) == ["in c/d"])
  }
}

extension LocalFolder {
  /// Sets the flags of the file with that subject.
  func setFlags(on subject: String, _ letters: String) throws {
    let place = try bases.indices.first { index in
      try content(index).firstRange(of: Array("Subject: \(subject)\n".utf8)) != nil
    }
    try setFlags(letters, of: try #require(place))
  }
}
