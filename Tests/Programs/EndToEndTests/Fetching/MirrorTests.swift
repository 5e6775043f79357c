import Testing
import TestSupport

/// A mirror of an account on a real server: what comes, what changes, what goes.
@Suite struct MirrorTests {
  @Test func firstSyncBringsEverything() throws {
    let stage = try Stage()
    try stage.fill(inbox: 33)
    try stage.syncWell()
    try stage.expectMirrored()
    #expect(stage.tree.count == 43)
  }

  @Test func aSecondSyncChangesNoMail() throws {
    let stage = try Stage()
    try stage.fill()
    try stage.syncWell()
    let before = TreeSnapshot(stage.maildir, isDetailed: true)
    try stage.syncWell()
    let changed = TreeSnapshot(stage.maildir).differences(from: before)
    #expect(changed.filter { !$0.contains("/.magnum") } == [])
  }

  @Test func aNoOpWritesNothingAndSelectsINBOXAlone() throws {
    let stage = try Stage()
    try stage.fill()
    try stage.settle()
    var link = DelayProxy.Link()
    link.isRecorded = true
    let proxy = try DelayProxy(to: stage.server.ports.clear, link)
    try stage.configure(url: "imap+plain://127.0.0.1:\(proxy.port)")
    // What the server does with commands behind the log-in is learned in two runs.
    for _ in 0..<2 { try stage.syncWell() }
    let before = TreeSnapshot(stage.program.home.path)
    try stage.syncWell()
    let changed = TreeSnapshot(stage.program.home.path).differences(from: before)
    // Only the time of the last sync.
    #expect(changed.filter { !$0.contains("/accounts/test/synced ") } == [])
    let commands = proxy.transcript.uppercased()
    #expect(commands.contains("LIST"))
    let selections = commands.split(separator: "\r\n").filter { $0.contains(" SELECT ") }
    #expect(selections.count == 1 && selections.allSatisfy { $0.contains("INBOX") }, "\(commands)")
  }

  @Test func newMailComes() throws {
    let stage = try Stage()
    try stage.fill()
    try stage.settle()
    try stage.imap.append(mail("later"))
    try stage.imap.append(mail("elsewhere"), to: "Archive", flags: "\\Flagged")
    try stage.syncWell()
    try stage.expectMirrored()
  }

  @Test func mailWithoutSeenIsNewAndTheRestCurrent() throws {
    let stage = try Stage()
    try stage.imap.append(mail("unread"))
    try stage.imap.append(mail("read"), flags: "\\Seen")
    try stage.syncWell()
    let places = stage.tree["INBOX"].map { "\($0.subdirectory) \($0.flags)" }
    #expect(places.sorted() == ["cur S", "new "])
  }

  @Test(arguments: [
    ("+FLAGS (\\Seen)", "S"), ("+FLAGS (\\Answered)", "R"), ("+FLAGS (\\Flagged)", "F"),
    ("+FLAGS (\\Draft)", "D"), ("+FLAGS (\\Deleted)", "T"), ("+FLAGS ($Forwarded)", "P"),
    ("FLAGS (\\Seen \\Answered \\Flagged \\Draft \\Deleted $Forwarded)", "DFPRST"),
  ])
  func flagsFollowTheServer(change: String, letters: String) throws {
    let stage = try Stage()
    try stage.imap.append([mail("one"), mail("two")])
    try stage.syncWell()
    try stage.imap.select()
    try stage.imap.store("2", change)
    try stage.syncWell()
    try stage.expectMirrored()
    #expect(stage.tree["INBOX"].map(\.flags).sorted() == ["", letters])
    try stage.imap.store("2", "FLAGS ()")
    try stage.syncWell()
    try stage.expectMirrored()
  }

  @Test func keywordsAreKept() throws {
    let stage = try Stage()
    try stage.imap.append(mail("one"), flags: "Important_Work $label1")
    try stage.syncWell()
    #expect(stage.stateText().contains("Important_Work"))
    #expect(stage.stateText().contains("$label1"))
    try stage.imap.select()
    try stage.imap.store("1", "+FLAGS (Later)")
    try stage.syncWell()
    #expect(stage.stateText().contains("Later"))
  }

  @Test func deletionsOnTheServerRemoveTheFile() throws {
    let stage = try Stage()
    try stage.fill()
    try stage.syncWell()
    try stage.imap.select()
    try stage.imap.expunge("2,5:6")
    try stage.syncWell()
    try stage.expectMirrored()
    #expect(stage.tree["INBOX"].count == 9)
  }

  @Test func aMoveOnTheServerIsFollowed() throws {
    let stage = try Stage()
    try stage.fill()
    try stage.syncWell()
    try stage.imap.select()
    try stage.imap.move("3:4", to: "Archive")
    try stage.syncWell()
    try stage.expectMirrored()
  }

  @Test func everythingAtOnce() throws {
    let stage = try Stage()
    try stage.fill(inbox: 40)
    try stage.settle()
    try stage.imap.select()
    try stage.imap.expunge("1:3")
    try stage.imap.store("10:20", "+FLAGS (\\Seen)")
    try stage.imap.move("30", to: "Lists/swift")
    try stage.imap.append(Corpus(seed: 9).shapes())
    try stage.imap.create("New/deep/er")
    try stage.imap.append(mail("deep"), to: "New/deep/er")
    try stage.syncWell()
    try stage.expectMirrored()
  }

  /// What another client moved meanwhile is seen once the mailbox takes part again; nothing waits for one that does not.
  @Test func aMailboxThatWasExcludedForAWhile() throws {
    let stage = try Stage()
    try stage.imap.create("Work")
    try stage.imap.append((0..<4).map { mail("w\($0)") }, to: "Work", flags: "\\Seen")
    try stage.settle()
    try stage.configure(sync: "exclude = [\"Work\"]")
    try stage.imap.select("Work")
    try stage.imap.move("1", to: "INBOX")
    for _ in 1...3 { try stage.syncWell() }
    try LocalFolder(stage.maildir, "Work").setFlags(on: "w0", "FS")
    try stage.configure()
    for _ in 1...2 { try stage.syncWell() }
    try stage.expectMirrored()
    #expect(try stage.imap.messages(in: "Work").count == 3)
    #expect(try stage.imap.messages().count == 1)
    #expect(MaildirTree.letters(try stage.imap.message(about: "w0").flags) == "FS")
  }

  /// New mail makes the losses of a small mailbox no smaller.
  @Test func whatIsHeldBackStaysHeldBack() throws {
    let stage = try Stage()
    try stage.imap.append((0..<5).map { mail("old \($0)") }, flags: "\\Seen")
    try stage.settle()
    try stage.imap.select()
    try stage.imap.expunge("1:5")
    #expect(try stage.sync().code == 1)
    try stage.imap.append(mail("new"))
    for _ in 1...3 {
      let held = try stage.sync()
      #expect(stage.tree["INBOX"].count == 6, "\(held)")
    }
    try stage.syncWell("--allow-mass-delete", "test/INBOX")
    try stage.expectMirrored()
    // What is removed from now on is judged anew.
    try stage.imap.append(mail("newer"))
    try stage.syncWell()
    try stage.imap.expunge("6")
    try stage.syncWell()
    try stage.expectMirrored()
  }

  @Test func aMassDeletionWaitsForAWord() throws {
    let stage = try Stage()
    try stage.imap.append(Corpus().shapes() + Corpus(seed: 2).shapes() + Corpus(seed: 3).shapes())
    try stage.syncWell()
    try stage.imap.select()
    try stage.imap.expunge("1:*")
    try stage.imap.append(mail("new"))
    let held = try stage.sync()
    #expect(held.code == 1, "\(held)")
    #expect(held.errors.contains("--allow-mass-delete"))
    #expect(stage.tree["INBOX"].count == 34)
    try stage.syncWell("--allow-mass-delete", "test/INBOX")
    try stage.expectMirrored()
    try stage.imap.append([mail("second"), mail("third")])
    try stage.syncWell()
    try stage.imap.select()
    try stage.imap.expunge("1")
    try stage.syncWell()
    try stage.expectMirrored()
  }

  @Test func aMailboxRemovedOnTheServerIsLeftHere() throws {
    let stage = try Stage()
    try stage.fill()
    try stage.syncWell()
    try stage.imap.delete("Archive")
    let outcome = try stage.sync()
    #expect([0, 1].contains(outcome.code), "\(outcome)")
    #expect(stage.tree["Archive"].count == 5)
  }

  @Test func mailboxesAreChosenByPattern() throws {
    let stage = try Stage()
    try stage.fill()
    try stage.configure(sync: "include = [\"*\"]\nexclude = [\"Lists/*\"]")
    try stage.syncWell()
    #expect(Set(stage.tree.mailboxes.keys) == ["INBOX", "Archive"])
    try stage.configure()
    try stage.syncWell("test/Lists/%")
    #expect(Set(stage.tree.mailboxes.keys) == ["INBOX", "Archive", "Lists/swift"])
  }

  @Test func startTLSIsAsGood() throws {
    let stage = try Stage()
    try stage.fill()
    try stage.configure(url: stage.server.startTLSURL)
    try stage.syncWell()
    try stage.expectMirrored()
  }

  @Test(arguments: ["plain", "login", "scram-sha-256"])
  func mechanismsWork(mechanism: String) throws {
    var options = DovecotOptions()
    options.mechanisms = mechanism
    let stage = try Stage(options, store: DovecotOptions())
    try stage.imap.append(mail("one"))
    try stage.syncWell()
    try stage.expectMirrored()
  }

  @Test func maildirPlusPlusIsTheOtherLayout() throws {
    let stage = try Stage()
    try stage.fill()
    try stage.configure(account: "layout = \"maildir++\"")
    try stage.syncWell()
    try stage.expectMirrored { name in
      name == "INBOX" ? "" : "." + name.split(separator: "/").joined(separator: ".")
    }
    #expect(Files.isDirectory("\(stage.maildir)/_magnum"))
  }

  @Test func anotherSeparatorMakesTheSameFolders() throws {
    var options = DovecotOptions()
    options.separator = "."
    let stage = try Stage(options)
    try stage.imap.create("Lists.swift")
    try stage.imap.append(mail("one"), to: "Lists.swift")
    try stage.syncWell()
    try stage.expectMirrored { $0 == "Lists.swift" ? "Lists/swift" : $0 }
  }

  @Test func twoAccountsRunSideBySide() throws {
    let stage = try Stage()
    let other = try Stage()
    try stage.fill()
    try other.fill(seed: 2)
    let account = { (name: String, stage: Stage) in
      """
      [account.\(name)]
      maildir = "~/Mail/\(name)"
      imap = "\(stage.server.tlsURL)"
      user = "\(stage.user)"
      password = "pass"
      tls-ca-file = "\(stage.server.trustFile)"

      """
    }
    try stage.program.configure(account("one", stage) + account("two", other))
    try stage.syncWell()
    let home = stage.program.home
    #expect(MaildirTree(home["Mail/one"]).differences(from: try stage.imap.everything()) == [])
    #expect(MaildirTree(home["Mail/two"]).differences(from: try other.imap.everything()) == [])
    try stage.imap.append(mail("for one"))
    try other.imap.append(mail("for two"))
    try stage.syncWell("two")
    #expect(MaildirTree(home["Mail/two"]).differences(from: try other.imap.everything()) == [])
    #expect(MaildirTree(home["Mail/one"]).differences(from: try stage.imap.everything()) != [])
  }

  @Test func fiveConnectionsBeatOne() throws {
    let stage = try Stage()
    for number in 0..<8 {
      try stage.imap.create("box\(number)")
      try stage.imap.append(
        (0..<12).map { mail("\(number) \($0)", body: bulk) },
        to: "box\(number)"
      )
    }
    var link = DelayProxy.Link.delayed(0.05)
    link.window = 65_536
    let proxy = try DelayProxy(to: stage.server.ports.tls, link)
    let seconds = try [1, 5].map { connections in
      Files.removeTree(stage.program.home["Mail"])
      Files.removeTree(stage.program.home[".local"])
      let url = "imaps://localhost:\(proxy.port)"
      try stage.configure(url: url, sync: "connections = \(connections)")
      let outcome = try stage.syncWell()
      try stage.expectMirrored()
      return outcome.seconds
    }
    #expect(seconds[1] < seconds[0], "\(seconds)")
  }
}

/// A body of some 60,000 octets.
private let bulk = String(
  repeating: "All work and no play makes a test a dull test, line after line.\r\n",
  count: 1_000
)
