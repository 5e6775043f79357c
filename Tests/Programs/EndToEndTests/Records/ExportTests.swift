import TestSupport
import Testing

/// The way back: mbsync and offlineimap on a Maildir that was Magnum's fetch and upload nothing twice.
@Suite struct ExportTests {
  private func stage(
    _ layout: String = "verbatim",
    separator: String = "/"
  ) throws -> Stage {
    var options = DovecotOptions()
    options.separator = separator
    let stage = try Stage(options)
    try stage.configure(
      url: stage.server.clearURL,
      secret: "password-command = [\"echo\", \"pass\"]",
      account: "layout = \"\(layout)\"",
      sync: "exclude = [\"Left\"]\ncreate = \"both\""
    )
    try stage.imap.append((0..<5).map { mail("mail \($0)") }, flags: "\\Seen")
    try stage.imap.append(mail("unseen"))
    for name in ["Lists\(separator)swift", "Archive", "Entw&APw-rfe", "Left"] {
      try stage.imap.create(name)
      try stage.imap.append((0..<3).map { mail("\(name) \($0)") }, to: name, flags: "\\Flagged")
    }
    try stage.settle()
    return stage
  }

  private func export(
    _ stage: Stage,
    to other: String = "mbsync",
    fault: Int? = nil
  ) throws -> Outcome {
    let variables = fault.map { ["MAGNUM_FAULT": "\($0)"] } ?? [:]
    let environment = stage.program.command([], variables).environment
    let words = ["accounts", "export", "--to", other, "test"]
    return try Command("\(ProgramUnderTest.products)/magnum", words, environment: environment).run()
  }

  /// Exports, and runs mbsync with what was printed.
  private func handOver(_ stage: Stage) throws {
    let outcome = try export(stage)
    try #require(outcome.code == 0, "\(outcome)")
    let file = "\(stage.program.home.path)/mbsync.rc"
    try Files.write(outcome.output, to: file)
    try runMbsync(stage)
  }

  private func runMbsync(_ stage: Stage) throws {
    let file = "\(stage.program.home.path)/mbsync.rc"
    var command = Command("/usr/bin/env", ["mbsync", "-c", file, "-a"])
    command.environment = stage.program.command([]).environment
    let outcome = try command.run()
    #expect(outcome.code == 0, "\(outcome)")
  }

  private func subjects(_ stage: Stage) -> [String] {
    ["INBOX", "Lists/swift", "Archive", "Entwürfe", ".Lists.swift", ".Archive", ".Entwürfe", "."]
      .flatMap { folder in stage.tree[folder].map { "\(folder): \($0.subject) \($0.flags)" } }
      .sorted()
  }

  @Test(arguments: ["verbatim", "maildir++"])
  func mbsyncTakesOver(layout: String) throws {
    let stage = try stage(layout)
    let before = try ServerState(stage)
    let mail = subjects(stage)
    try #require(mail.count >= 9, "\(mail)")
    for _ in 0..<2 {
      try stage.settle()
      try handOver(stage)
      #expect(try ServerState(stage) == before, "nothing was uploaded or marked")
      #expect(subjects(stage) == mail, "nothing was fetched or lost")
    }
    #expect(!Files.exists("\(stage.maildir)/Left"), "what is excluded stays so")
    let again = try export(stage)
    #expect(again.code == 65, "what is recorded is older than what mbsync did: \(again)")
  }

  /// Files get other names, which the index has at once.
  @Test(arguments: ["verbatim", "maildir++"])
  func whatIsFoundIsWhereItIs(_ layout: String) throws {
    let stage = try stage(layout)
    try stage.configure(account: "layout = \"\(layout)\"", isIndexed: true)
    try stage.settle()
    func files() throws -> [String] {
      var command = stage.program.command(["--output", "files", "*"])
      command.program = "\(ProgramUnderTest.products)/magnum-search"
      return try command.run().output.split(separator: "\n").map { "\($0)" }.sorted()
    }
    let before = try files()
    #expect(before.count > 9 && before.allSatisfy { Files.exists($0) })
    #expect(try export(stage).code == 0)
    let after = try files()
    #expect(after.count == before.count && after != before)
    #expect(after.allSatisfy { Files.exists($0) }, "\(after)")
  }

  /// What only shows other mail once more is left out as Magnum does; the file says so.
  @Test(arguments: ["mbsync", "offlineimap"], [false, true])
  func viewsOfGmail(program: String, isMirroring: Bool) throws {
    let stage = try Stage()
    try stage.fill()
    try stage.settle()
    let sync = isMirroring ? "all-mail = true" : ""
    try stage.configure(url: "imaps://imap.gmail.com", sync: sync)
    let outcome = try export(stage, to: program)
    #expect(outcome.code == 0, "\(outcome)")
    let lines = outcome.output.split(separator: "\n")
    let remarks = lines.prefix { $0.hasPrefix("# ") }
    #expect(remarks.contains { $0.hasPrefix("# all-mail: ") } != isMirroring, "\(outcome)")
    let rest = lines.dropFirst(remarks.count)
    #expect(rest.contains { $0.contains("Starred") } != isMirroring, "\(outcome)")
  }

  /// Exports, and runs offlineimap with what was printed.
  @discardableResult
  private func handOverToOfflineIMAP(_ stage: Stage) throws -> Outcome {
    let outcome = try export(stage, to: "offlineimap")
    try #require(outcome.code == 0, "\(outcome)")
    try Files.write(outcome.output, to: "\(stage.program.home.path)/offlineimap.rc")
    return try runOfflineIMAP(stage)
  }

  /// Runs offlineimap, and gives what it said.
  @discardableResult
  private func runOfflineIMAP(_ stage: Stage) throws -> Outcome {
    let file = "\(stage.program.home.path)/offlineimap.rc"
    var command = Command("/usr/bin/env", ["offlineimap", "-c", file, "-o", "-u", "basic"])
    command.environment = stage.program.command([]).environment
    let outcome = try command.run()
    #expect(outcome.code == 0 && !outcome.errors.contains("ERROR"), "\(outcome)")
    return outcome
  }

  /// Nothing went over the wire, though a file's name lost what offlineimap has no letter for.
  @Test(arguments: ["verbatim", "maildir++"], ["/", "."])
  func offlineIMAPTakesOver(layout: String, separator: String) throws {
    let stage = try stage(layout, separator: separator)
    try stage.imap.select("Archive")
    try stage.imap.store("1", "+FLAGS ($Forwarded)")
    try stage.settle()
    let before = try ServerState(stage)
    let mail = subjects(stage).map { $0.replacing("P", with: "") }
    try #require(mail.count >= 9, "\(mail)")
    for _ in 0..<2 {
      try stage.settle()
      let first = try handOverToOfflineIMAP(stage)
      for said in [first, try runOfflineIMAP(stage)] {
        for word in ["Copy message", "Adding flags", "Deleting", "Creating folder", "flag"] {
          #expect(!said.output.contains(word), "\(word): \(said)")
        }
      }
      let after = try ServerState(stage)
      #expect(after.lines == before.lines, "nothing was uploaded or marked")
      #expect(subjects(stage).map { $0.replacing("P", with: "") } == mail, "or fetched or lost")
    }
    #expect(!Files.exists("\(stage.maildir)/Left"), "what is excluded stays so")
    let again = try export(stage, to: "offlineimap")
    #expect(again.code == 65, "what is recorded is older than what offlineimap did: \(again)")
  }

  /// What was changed, removed and written since the last sync is done once, on the other side.
  @Test func offlineIMAPGoesOn() throws {
    let stage = try stage()
    try LocalFolder(stage.maildir, "INBOX").setFlags("FS", of: 2)
    try LocalFolder(stage.maildir, "Archive").add("1.new.host", mail("written here"), flags: "S")
    try LocalFolder(stage.maildir, "Lists/swift").remove(1)
    try stage.imap.append(mail("from elsewhere"), to: "Archive")
    try stage.imap.select("Entw&APw-rfe")
    try stage.imap.expunge("1")
    for _ in 0..<2 {
      try stage.imap.select("INBOX")
      try handOverOnce(stage)
      #expect(stage.tree["Archive"].count == 5)
      #expect(stage.tree["Entwürfe"].count == 2)
      #expect(stage.tree["INBOX"].count == 6)
      #expect(try stage.imap.messages().count == 6)
      let flags = try stage.imap.messages().map { MaildirTree.letters($0.flags) }
      #expect(flags.count { $0 == "FS" } == 1, "\(flags)")
      for (mailbox, count) in [("Lists/swift", 2), ("Archive", 5), ("Entw&APw-rfe", 2)] {
        try stage.imap.select(mailbox)
        #expect(try stage.imap.messages(in: mailbox).count == count, "\(mailbox)")
      }
    }
  }

  private func handOverOnce(_ stage: Stage) throws {
    let isFirst = !Files.exists("\(stage.program.home.path)/offlineimap.rc")
    if isFirst { try handOverToOfflineIMAP(stage) } else { try runOfflineIMAP(stage) }
  }

  /// A Maildir that was offlineimap's, with its names of folders, goes back to it.
  @Test func offlineIMAPHasItsOwnBack() throws {
    let stage = try stage()
    Files.removeTree(stage.maildir)
    Files.removeTree("\(stage.program.home.path)/.local")
    try OfflineIMAP(stage: stage).run()
    try stage.settle()
    let before = try ServerState(stage)
    let mail = stage.tree.mailboxes.values.flatMap { $0.map(\.subject) }.sorted()
    try #require(mail.count == 18, "\(mail)")
    let said = try handOverToOfflineIMAP(stage)
    #expect(!said.output.contains("Copy message"), "\(said)")
    #expect(try ServerState(stage) == before)
    #expect(stage.tree.mailboxes.values.flatMap { $0.map(\.subject) }.sorted() == mail)
  }

  /// Magnum knows the files again, and leaves offlineimap's directory alone.
  @Test(arguments: ["verbatim", "maildir++"])
  func magnumComesBackFromOfflineIMAP(layout: String) throws {
    let stage = try stage(layout)
    try handOverToOfflineIMAP(stage)
    try stage.imap.append(mail("while away"))
    try runOfflineIMAP(stage)
    let before = try ServerState(stage)
    let back = try stage.syncWell("--json")
    expectNothingMoved(back)
    #expect(try ServerState(stage) == before)
  }

  /// Lists of more messages than a page of the database holds.
  @Test func manyMessages() throws {
    let stage = try Stage()
    try stage.configure(
      url: stage.server.clearURL,
      secret: "password-command = [\"echo\", \"pass\"]"
    )
    try stage.imap.append((0..<900).map { mail("mail \($0)") }, flags: "\\Seen")
    try stage.settle()
    let said = try handOverToOfflineIMAP(stage)
    #expect(!said.output.contains("Copy message"), "\(said)")
    #expect(stage.tree["INBOX"].count == 900)
    #expect(try stage.imap.messages().count == 900)
    let list = "\(stage.maildir)/.offlineimap/Account-test/LocalStatus-sqlite/INBOX"
    let script = """
      import sqlite3
      file = sqlite3.connect('\(list)')
      print(*file.execute('pragma integrity_check').fetchall()[0])
      print(*file.execute('select count(*), min(id), max(id) from status').fetchall()[0])
      print(*file.execute('select flags, count(*) from status group by flags').fetchall()[0])
      """
    let judged = try Command("/usr/bin/python3", ["-c", script]).run()
    #expect(judged.output == "ok\n900 1 900\nS 900\n", "\(judged)")
  }

  /// Changes after the hand-over go where they belong, and are not taken for others.
  @Test func mbsyncGoesOn() throws {
    let stage = try stage()
    try LocalFolder(stage.maildir, "INBOX").setFlags("FS", of: 2)
    try LocalFolder(stage.maildir, "Archive").add("1.new.host", mail("written here"), flags: "S")
    try stage.imap.append(mail("from elsewhere"), to: "Archive")
    try handOver(stage)
    #expect(stage.tree["Archive"].count == 5)
    #expect(try stage.imap.messages().count == 6)
    #expect(stage.tree["INBOX"].count == 6)
    let flags = try stage.imap.messages().map { MaildirTree.letters($0.flags) }
    #expect(flags.count { $0 == "FS" } == 1, "\(flags)")
    try stage.imap.select("Archive")
    #expect(try stage.imap.messages(in: "Archive").count == 5)
  }

  /// What was removed and moved since the last sync goes there too; what is moved is not twice on the server.
  @Test func mbsyncRemovesWhatWasRemoved() throws {
    let stage = try stage()
    try stage.configure(
      url: stage.server.clearURL,
      secret: "password-command = [\"echo\", \"pass\"]",
      sync: "exclude = [\"Left\"]\ncreate = \"both\"\nexpunge = \"all\""
    )
    try LocalFolder(stage.maildir, "Lists/swift").remove(1)
    try LocalFolder(stage.maildir, "Archive").move(0, to: "Lists/swift", flags: "F")
    try handOver(stage)
    for mailbox in ["Lists/swift", "Archive"] {
      try stage.imap.select(mailbox)
      let count = mailbox == "Archive" ? 2 : 3
      #expect(try stage.imap.messages(in: mailbox).count == count, "\(mailbox)")
      #expect(stage.tree[OctetName(mailbox)].count == count, "\(mailbox)")
    }
  }

  /// What the account keeps on one side mbsync keeps, too.
  @Test func mbsyncKeepsWhatIsKept() throws {
    let stage = try stage()
    try stage.configure(
      url: stage.server.clearURL,
      secret: "password-command = [\"echo\", \"pass\"]",
      sync:
        "create = \"both\"\nexpunge = \"all\"\non-remote-delete = \"keep\"\non-local-delete = \"keep\""
    )
    try LocalFolder(stage.maildir, "Lists/swift").remove(1)
    try handOver(stage)
    try stage.imap.select("Archive")
    try stage.imap.expunge("1")
    for _ in 0..<2 {
      try runMbsync(stage)
      #expect(stage.tree["Archive"].count == 3 && stage.tree["Lists/swift"].count == 2)
      #expect(stage.tree["Archive"].allSatisfy { !$0.flags.contains("T") })
      #expect(try stage.imap.messages(in: "Lists/swift").count == 3)
    }
  }

  /// The newest messages come first: what a first sync left for another day is new to the other program.
  @Test(arguments: ["mbsync", "offlineimap"])
  func whatIsNotHereYetIsFetched(other: String) throws {
    let stage = try Stage()
    let body = String(repeating: String(repeating: "x", count: 98) + "\r\n", count: 100)
    try stage.imap.append((0..<12).map { mail("mail \($0)", body: body) })
    try stage.configure(
      url: stage.server.clearURL,
      secret: "password-command = [\"echo\", \"pass\"]",
      sync: "daily-limit = \"50kB\""
    )
    try stage.syncWell()
    try #require(stage.tree["INBOX"].count < 12)
    if other == "mbsync" { try handOver(stage) } else { try handOverToOfflineIMAP(stage) }
    #expect(stage.tree["INBOX"].count == 12)
    try stage.imap.select("INBOX")
    #expect(try stage.imap.messages().count == 12)
  }

  /// Other programs have no guard: they would remove on the server what was lost here.
  @Test(arguments: ["mbsync", "offlineimap"])
  func whatMayBeAnAccidentIsNotHandedOver(other: String) throws {
    let stage = try stage()
    let archive = LocalFolder(stage.maildir, "Archive")
    for index in (0..<3).reversed() { try archive.remove(index) }
    let before = TreeSnapshot(stage.maildir)
    let outcome = try export(stage, to: other)
    #expect(outcome.code == 65 && outcome.output.isEmpty, "\(outcome)")
    #expect(outcome.errors.contains("test/Archive: so much is gone"), "\(outcome)")
    let changed = TreeSnapshot(stage.maildir).differences(from: before)
    #expect(changed.filter { !$0.contains("/.magnum") } == [])
  }

  /// Of two files whose names differ in a foreign UID alone one would be taken for removed.
  @Test(arguments: ["mbsync", "offlineimap"])
  func filesWithOneNameAreNotHandedOver(other: String) throws {
    let stage = try stage()
    let archive = LocalFolder(stage.maildir, "Archive")
    try archive.add("1600000000.1.host,U=1", mail("one"), flags: "S")
    try archive.add("1600000000.1.host,U=2", mail("other"), flags: "S")
    try stage.settle()
    let outcome = try export(stage, to: other)
    #expect(outcome.code == 65 && outcome.errors.contains("1600000000.1.host,U="), "\(outcome)")
    expectNothingMoved(try stage.syncWell("--json"))
  }

  /// Magnum knows the files again, whatever they are called, also what mbsync did meanwhile.
  @Test func magnumComesBack() throws {
    let stage = try stage()
    try handOver(stage)
    try stage.imap.append(mail("while away"))
    try runMbsync(stage)
    let before = try ServerState(stage)
    let back = try stage.syncWell("--json")
    expectNothingMoved(back)
    #expect(try ServerState(stage) == before)
  }

  /// Wherever an export is killed, a sync fetches and uploads nothing, and so does mbsync after another export.
  @Test(arguments: ["mbsync", "offlineimap"])
  func killedExports(other: String) throws {
    let stage = try Stage()
    try stage.configure(
      url: stage.server.clearURL,
      secret: "password-command = [\"echo\", \"pass\"]"
    )
    try stage.imap.append((0..<2).map { mail("mail \($0)") }, flags: "\\Seen")
    try stage.imap.create("Archive")
    try stage.imap.append(mail("put away"), to: "Archive")
    var kills = 0
    for point in stride(from: 1, to: 400, by: 19) {
      try stage.settle()
      let before = try ServerState(stage)
      let killed = try export(stage, to: other, fault: point)
      if killed.code == 0 { break }
      kills += 1
      if point % 2 == 0 {
        if other == "mbsync" { try handOver(stage) } else { try handOverToOfflineIMAP(stage) }
      }
      expectNothingMoved(try stage.syncWell("--json"))
      #expect(try ServerState(stage) == before, "killed at \(point)")
      #expect(stage.tree["INBOX"].count == 2 && stage.tree["Archive"].count == 1, "\(point)")
    }
    #expect(kills > 3)
  }

  private func expectNothingMoved(_ outcome: Outcome) {
    let end = outcome.lines.last { $0.contains("\"event\":\"completed\"") } ?? ""
    for count in ["fetched", "uploaded", "trashed", "deleted", "removedHere", "blocked"] {
      #expect(end.contains("\"\(count)\":0,"), "\(outcome)")
    }
  }

  @Test func whatCannotBeHandedOverIsSaid() throws {
    let stage = try Stage()
    let outcome = try export(stage)
    #expect(outcome.code == 65 && outcome.output.isEmpty, "\(outcome)")
    #expect(outcome.errors.contains("was never synced"), "\(outcome)")
  }
}
