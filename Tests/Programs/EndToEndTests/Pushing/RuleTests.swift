import Synchronization
import TestSupport
import Testing

/// Rules of the sync that need a server, a folder and a moment of their own.
@Suite struct RuleTests {
  private func stage(_ options: DovecotOptions = DovecotOptions()) throws -> Stage {
    let stage = try Stage(options)
    for name in ["Archive", "Trash"] { try stage.imap.create(name) }
    try stage.imap.append(["one", "two", "three", "four"].map { mail($0) })
    try stage.imap.append(mail("old"), to: "Archive", flags: "\\Seen")
    try stage.syncWell()
    return stage
  }

  private func expectSettled(_ stage: Stage) throws {
    for _ in 1...2 { try stage.syncWell() }
    try stage.expectMirrored()
  }

  // MARK: What changed here

  @Test func aFileThatIsBackBeforeItsRemovalIsSentStays() throws {
    let stage = try stage()
    let (inbox, aside) = ("\(stage.maildir)/INBOX/new", stage.program.home["aside"])
    try Command.shell("mkdir \"$2\"; mv \"$1\"/* \"$2\"", [inbox, aside])
    try Command.shell(
      "cd \"$2\"; for file in *; do [ \"$file\" = \"$(ls | head -n 1)\" ] || mv \"$file\" \"$1\"; done",
      [inbox, aside]
    )
    try stage.imap.append(mail("new"))
    let outcome = try stage.sync(before: "BODY.PEEK[]") { _ in
      try Command.shell("mv \"$1\"/* \"$2\"", [aside, inbox])
    }
    try expectSettled(stage)
    #expect(try stage.imap.messages(in: "Trash").isEmpty, "\(outcome)")
    #expect(stage.tree["INBOX"].count == 5)
  }

  /// Where removals stay here, one folder alone does not tell a file that moved from one that went.
  @Test(arguments: ["keep", "trash"])
  func aFileThatMovesMovesItsMessageUnderEachPolicy(policy: String) throws {
    let stage = try stage()
    try stage.configure(sync: "on-local-delete = \"\(policy)\"")
    try stage.syncWell()
    _ = try LocalFolder(stage.maildir, "INBOX").move("two", to: "Archive", flags: "S")
    try stage.syncWell()
    #expect(try stage.places(of: "two") == ["Archive [S]"])
    try expectSettled(stage)
  }

  /// No run would have the message follow: the file is a new one, wherever it is put.
  @Test func aFileOutOfAMailboxThatIsExcludedIsUploaded() throws {
    let stage = try stage()
    try stage.configure(sync: "exclude = [\"Archive\"]")
    try stage.syncWell()
    _ = try LocalFolder(stage.maildir, "Archive").move("old", to: "INBOX", flags: "S")
    for _ in 1...2 { try stage.syncWell() }
    #expect(try stage.places(of: "old") == ["Archive [S]", "INBOX [S]"])
    try stage.configure(sync: "on-local-delete = \"keep\"")
    for _ in 1...2 { try stage.syncWell() }
    #expect(try stage.places(of: "old") == ["Archive [S]", "INBOX [S]"])
  }

  /// An account without the mailbox Private, another account, and a folder in one of both places.
  private func stage(beside place: String) throws -> Stage {
    let stage = try stage()
    let sync = """
      exclude = ["Private"]
      [account.other]
      maildir = "~/Mail/other"
      """
    try stage.configure(sync: sync)
    try LocalFolder(stage.program.home["Mail"], place).make()
    return stage
  }

  /// A folder that is not synced, and the root of another account.
  @Test(arguments: ["test/Private", "other/Kept"])
  func aFileThatLiesAnywhereElseIsNoDeletion(place: String) throws {
    let stage = try stage(beside: place)
    try Command.shell(
      "set -- \"$1\" \"$2\" \"$(ls \"$1\"/INBOX/new | head -n 1)\"; mv \"$1/INBOX/new/$3\" \"$2/cur/$3:2,S\"",
      [stage.maildir, stage.program.home["Mail/\(place)"]]
    )
    let first = try stage.sync("test")
    #expect(first.code == 1 && first.errors.contains("the file lies in another folder"), "\(first)")
    let second = try stage.sync("test")
    #expect(second.code == 1 && second.errors.isEmpty, "\(second)")
    #expect(try stage.imap.messages().count == 4)
    #expect(try stage.imap.messages(in: "Trash").isEmpty)
    try Command.shell("rm \"$1\"/cur/*", [stage.program.home["Mail/\(place)"]])
    for _ in 1...2 { try stage.syncWell("test") }
    #expect(try stage.imap.messages().count == 3)
    #expect(try stage.imap.messages(in: "Trash").count == 1)
  }

  /// Also where a client gave it another name, and whatever is recorded of other messages since.
  @Test(arguments: ["test/Private", "other/Kept"])
  func aFileThatWasRenamedOnItsWayElsewhereIsNoDeletion(place: String) throws {
    let stage = try stage(beside: place)
    try stage.imap.append(mail("first"))
    try stage.syncWell("test")
    let moved = stage.program.home["Mail/\(place)/cur/1799.host:2,S"]
    try Command.shell(
      "mv \"$(grep -rl '^Subject: first' \"$1/INBOX\")\" \"$2\"",
      [stage.maildir, moved]
    )
    for number in 1...3 {
      #expect(try stage.sync("test").code == 1)
      try stage.imap.append(mail("later \(number)"))
      #expect(try stage.sync("test").code == 1)
      // As if all that was recorded had come some time after the move.
      try Command.shell(
        "find \"$1/.magnum\" -name '*.log' -o -name '*.map' | xargs touch -d '1 minute'",
        [stage.maildir]
      )
    }
    #expect(try stage.imap.messages().count == 8)
    #expect(try stage.imap.messages(in: "Trash").isEmpty)
    try Command.shell("rm \"$1\"", [moved])
    for _ in 1...2 { try stage.syncWell("test") }
    #expect(try stage.imap.messages().count == 7)
    #expect(try stage.imap.messages(in: "Trash").count == 1)
  }

  @Test func aCopyWhoseSourceGoesBeforeItIsSentIsAMove() throws {
    let stage = try stage()
    let inbox = LocalFolder(stage.maildir, "INBOX")
    try inbox.copy("one", to: "Archive")
    try inbox.setFlags("F", of: "two")
    let outcome = try stage.sync(before: "UID STORE") { _ in try inbox.remove("one") }
    #expect(!outcome.errors.contains(" APPEND \""), "\(outcome)")
    try expectSettled(stage)
    #expect(try stage.places(of: "one") == ["Archive [S]"])
  }

  @Test func anEditInItsPlaceIsSentForDraftsOnly() throws {
    let stage = try stage()
    let archive = LocalFolder(stage.maildir, "Archive")
    try stage.imap.append(mail("draft", body: "first"), to: "Archive", flags: "\\Draft \\Seen")
    try stage.syncWell()
    try archive.write("draft", mail("draft", body: "second, longer"))
    try archive.write("old", mail("old", body: "edited"))
    try archive.setFlags("FS", of: "old")
    for _ in 1...2 { try stage.syncWell() }
    let bodies = try stage.imap.messages(in: "Archive").map {
      String(decoding: $0.body, as: UTF8.self)
    }
    #expect(bodies.count == 2)
    #expect(bodies.contains { $0.contains("second, longer") })
    #expect(bodies.contains { $0.contains("Subject: old\r\n") && $0.contains("text\r\n") })
    #expect(try archive.content("old").suffix(7).elementsEqual("edited\n".utf8))
    #expect(try stage.places(of: "old") == ["Archive [FS]"])
  }

  /// What a mailbox is for may change between runs: its files stay drafts where they are marked, or become drafts.
  @Test(arguments: ["\\Draft", "\\Seen"])
  func anEditIsSeenWhereAnotherMailboxIsForDraftsNow(_ flag: String) throws {
    let stage = try stage()
    let roles = "connections = 1\n\n[account.test.roles]\ndrafts = \"Archive\""
    let isMarked = flag == "\\Draft"
    try stage.configure(sync: isMarked ? roles : "")
    try stage.imap.append(mail("draft", body: "first"), to: "Archive", flags: flag)
    try stage.settle()
    try stage.configure(sync: isMarked ? "" : roles)
    try stage.settle()
    try LocalFolder(stage.maildir, "Archive").write("draft", mail("draft", body: "second, longer"))
    let outcome = try stage.program.trustingCommand(["-v"]).run()
    #expect(outcome.code == 0, "\(outcome)")
    let bodies = try stage.imap.messages(in: "Archive").map {
      String(decoding: $0.body, as: UTF8.self)
    }
    #expect(bodies.contains { $0.contains("second, longer") }, "\(outcome)")
    try expectSettled(stage)
  }

  /// Its directory does not show it, and everything else is as the last run left it.
  @Test func anEditOfADraftOutsideDraftsIsSeenByTheNextRun() throws {
    let stage = try stage()
    let archive = LocalFolder(stage.maildir, "Archive")
    try stage.imap.append(mail("draft", body: "first"), to: "Archive", flags: "\\Draft \\Seen")
    try stage.settle()
    try archive.write("draft", mail("draft", body: "second, longer"))
    let outcome = try stage.program.trustingCommand(["-v"]).run()
    #expect(outcome.code == 0, "\(outcome)")
    let bodies = try stage.imap.messages(in: "Archive").map {
      String(decoding: $0.body, as: UTF8.self)
    }
    #expect(bodies.count { $0.contains("Subject: draft\r\n") } == 1, "\(outcome)")
    #expect(bodies.contains { $0.contains("second, longer") }, "\(outcome)")
    try expectSettled(stage)
  }

  /// Its files have other times: what was sent meanwhile does not come back, and nothing is sent for the others, which can be
  /// edited as before.
  @Test func draftsOfACopiedMaildirAreNotEdited() throws {
    var options = DovecotOptions()
    options.specialUse["Drafts"] = "\\Drafts"
    let stage = try stage(options)
    let names = ["kept", "sent", "edited"]
    try stage.imap.append(names.map { mail($0) }, to: "Drafts", flags: "\\Draft \\Seen")
    try stage.settle()
    try Command.shell(
      "mv \"$1\" \"$1.old\"; cp -r \"$1.old\" \"$1\"; rm -r \"$1.old\"",
      [stage.maildir]
    )
    let drafts = LocalFolder(stage.maildir, "Drafts")
    try drafts.write("edited", mail("edited", body: "TEXT"))
    try stage.imap.select("Drafts")
    try stage.imap.expunge("2")
    let outcome = try stage.syncWell("-v")
    #expect(outcome.errors.contains("1 uploaded"), "\(outcome)")
    #expect(try stage.imap.messages(in: "Drafts").map(\.uid) == [1, 4], "\(outcome)")
    try expectSettled(stage)
    try drafts.write("kept", mail("kept", body: "TEXT"))
    try stage.syncWell()
    #expect(try stage.imap.messages(in: "Drafts").map(\.uid) == [4, 5])
    try expectSettled(stage)
  }

  // MARK: Flags

  /// It stays here, nobody is bothered, and each run asks once, for all messages together.
  @Test func aFlagThatMayNotBeChangedStaysHereQuietly() throws {
    let stage = try stage()
    let inbox = LocalFolder(stage.maildir, "INBOX")
    for subject in ["one", "two"] { try inbox.setFlags("F", of: subject) }
    let isAllowed = Mutex(false)
    let proxy = try BendingProxy(to: stage.server.ports.clear) { line in
      guard line.hasPrefix("UID STORE "), !isAllowed.withLock({ $0 }) else { return .passed }
      return .refused("NO [NOPERM] Permission denied")
    }
    try stage.configure(url: proxy.clearURL)
    let first = try stage.syncWell("-v")
    #expect(first.errors.contains("2 the server does not permit these flags"), "\(first)")
    for _ in 1...3 {
      let outcome = try stage.syncWell()
      #expect(outcome.output + outcome.errors == "", "\(outcome)")
    }
    #expect(inbox.flags(0) == "F" && inbox.flags(1) == "F")
    let stores = proxy.commands.filter { $0.hasPrefix("UID STORE ") }
    #expect(stores.count == 4, "\(stores)")
    isAllowed.withLock { $0 = true }
    try expectSettled(stage)
    #expect(try stage.places(of: "one") == ["INBOX [F]"])
    #expect(try stage.places(of: "two") == ["INBOX [F]"])
  }

  // MARK: Deletions

  /// Those of the last 24 hours are counted together; what is let through is so once.
  @Test func deletionsOfADayAddUp() throws {
    let stage = try stage()
    try stage.imap.append((0..<36).map { mail("many \($0)") })
    try stage.syncWell()
    let inbox = LocalFolder(stage.maildir, "INBOX")
    for _ in 0..<15 { try inbox.remove(0) }
    try stage.syncWell()
    for _ in 0..<10 { try inbox.remove(0) }
    let held = try stage.sync()
    #expect(held.code == 1 && held.errors.contains("--allow-mass-delete"), "\(held)")
    #expect(try stage.imap.messages().count == 25)
    let unattended = try stage.sync()
    #expect(unattended.code == 1 && unattended.errors == "", "once a day: \(unattended)")
    #expect(try stage.sync("test").errors.contains("--allow-mass-delete"))
    try stage.syncWell("--allow-mass-delete", "test/INBOX")
    #expect(try stage.imap.messages().count == 15)
    while !inbox.bases.isEmpty { try inbox.remove(0) }
    let again = try stage.sync()
    #expect(again.code == 1, "\(again)")
    #expect(try stage.imap.messages().count == 15)
  }

  @Test func movesTrashAndJunkAreNoMassDeletion() throws {
    var options = DovecotOptions()
    options.specialUse = ["Junk": "\\Junk"]
    let stage = try stage(options)
    try stage.imap.append((0..<30).map { mail("many \($0)") })
    for name in ["Trash", "Junk"] {
      try stage.imap.append((0..<5).map { mail("\(name) \($0)") }, to: name, flags: "\\Seen")
    }
    try stage.syncWell()
    let inbox = LocalFolder(stage.maildir, "INBOX")
    for _ in 0..<32 { try inbox.move(0, to: "Archive") }
    for name in ["Trash", "Junk"] {
      for _ in 0..<5 { try LocalFolder(stage.maildir, name).remove(0) }
    }
    try expectSettled(stage)
    #expect(try stage.imap.messages(in: "Archive").count == 33)
    #expect(try stage.imap.messages(in: "Junk").isEmpty)
  }

  /// The folder, its mark, or all of the account's mail is not there.
  @Test(arguments: [
    "rm -r \"$1/INBOX\"",
    "rm -r \"$1/INBOX\"; mkdir -p \"$1/INBOX/cur\" \"$1/INBOX/new\" \"$1/INBOX/tmp\"",
    "rm -r \"$1\"", "rm -r \"$1\"; mkdir \"$1\"",
  ])
  func aWordLetsNoDeletionThroughWhereAFolderIsNotTheOneItWas(script: String) throws {
    let stage = try stage()
    try Command.shell(script, [stage.maildir])
    let outcome = try stage.sync("--allow-mass-delete", "test/INBOX")
    #expect(outcome.code != 0 || script.contains("INBOX/cur"), "\(outcome)")
    #expect(try stage.imap.messages().count == 4)
    #expect(try stage.imap.messages(in: "Trash").isEmpty)
  }

  // MARK: What was under way

  /// Another client saved a draft with the same Message-ID before: it is not taken for the one that was cut off.
  @Test func anAppendIsLookedForTwiceAndNothingBelowItsUIDNEXTCounts() throws {
    let stage = try stageWithDraft()
    let proxy = try BendingProxy(to: stage.server.ports.clear)
    try stage.configure(url: proxy.clearURL)
    try stage.syncWell()
    let commands = proxy.commands
    let sent = try #require(commands.firstIndex { $0.hasPrefix("APPEND ") }, "\(commands)")
    #expect(commands[..<sent].filter { $0 == "NOOP" }.count == 2, "\(commands)")
    try stage.expectSettled()
    let bodies = try stage.imap.messages(in: "Drafts").map {
      String(decoding: $0.body, as: UTF8.self)
    }
    #expect(bodies.count == 2)
    for text in ["their text", "ours, text"] { #expect(bodies.contains { $0.contains(text) }) }
  }

  /// A server that takes its time: the second look finds it.
  @Test func anAppendThatArrivesBetweenTwoLooksIsNotSentAgain() throws {
    let stage = try stageWithDraft()
    let (port, user) = (stage.server.ports.clear, stage.user)
    let looks = Mutex(0)
    let proxy = try BendingProxy(to: port) { line in
      let count = looks.withLock { looks in
        if line == "NOOP" { looks += 1 }
        return looks
      }
      guard line == "NOOP", count == 2 else { return .passed }
      return .after {
        _ = try? RawIMAP(port: port, user: user)
          .append(mail("draft", body: "ours, text"), to: "Drafts", flags: "\\Draft \\Seen")
      }
    }
    try stage.configure(url: proxy.clearURL)
    try stage.syncWell()
    #expect(!proxy.commands.contains { $0.hasPrefix("APPEND ") }, "\(proxy.commands)")
    try stage.expectSettled()
    #expect(try stage.imap.messages(in: "Drafts").count == 2)
  }

  /// A draft of another client on the server, and one of the same Message-ID here whose upload never reached it.
  private func stageWithDraft() throws -> Stage {
    var options = DovecotOptions()
    options.specialUse["Drafts"] = "\\Drafts"
    let stage = try stage(options)
    try stage.imap.append(mail("draft", body: "their text"), to: "Drafts", flags: "\\Draft \\Seen")
    try LocalFolder(stage.maildir, "Drafts").add(
      "mine",
      mail("draft", body: "ours, text"),
      flags: "DS"
    )
    let proxy = try BendingProxy(to: stage.server.ports.clear) { line in
      line.hasPrefix("APPEND ") ? .refused("") : .passed
    }
    try stage.configure(url: proxy.clearURL, sync: "connections = 1")
    let run = try stage.program.command([]).start()
    #expect(Stopwatch.wait(upTo: 20) { proxy.commands.contains { $0.hasPrefix("APPEND ") } })
    run.signal(9)
    _ = run.wait()
    return stage
  }
}
