import Testing
import TestSupport

/// A dry run shows the plan and touches nothing, here or there.
@Suite struct DryRunTests {
  @Test func beforeTheFirstSyncNothingIsWritten() throws {
    let stage = try Stage()
    try stage.fill()
    let before = TreeSnapshot(stage.program.home.path)
    let server = try ServerState(stage)
    let outcome = try stage.sync("--dry-run")
    #expect(outcome.code == 0, "\(outcome)")
    #expect(outcome.output.contains("INBOX"), "\(outcome)")
    #expect(TreeSnapshot(stage.program.home.path).differences(from: before) == [])
    #expect(try ServerState(stage) == server)
  }

  @Test func withChangesNothingIsWritten() throws {
    let stage = try Stage()
    try stage.fill()
    try stage.settle()
    try stage.change()
    let before = TreeSnapshot(stage.program.home.path)
    let server = try ServerState(stage)
    let outcome = try stage.sync("--dry-run")
    #expect(outcome.code == 0, "\(outcome)")
    #expect(TreeSnapshot(stage.program.home.path).differences(from: before) == [])
    #expect(try ServerState(stage) == server)
    let done = try stage.syncWell("-v")
    #expect(plan(in: outcome) == plan(in: done))
    #expect(plan(in: outcome).count == 4, "\(outcome)")
    try stage.expectMirrored()
  }

  @Test func manyStepsOfOneKindAreOneLine() throws {
    let stage = try Stage()
    try stage.configure(sync: "window = \"3650d\"")
    try stage.imap.create("Archive")
    try stage.imap.append((1...5).map { mail("mail \($0)") })
    let first = try stage.syncWell("--dry-run")
    #expect(first.lines.count == 2, "one for the inbox, one for the account: \(first)")
    let words = "test/INBOX: fetch 5 messages, "
    let line = first.lines.first { $0.hasPrefix(words) } ?? ""
    #expect(line.hasSuffix(" B of the last 3650 days (new on the server)"), "\(first)")
    let each = try stage.syncWell("--dry-run", "-v").lines
    #expect(each.count { $0.hasPrefix("test/INBOX: fetch message ") } == 5, "\(each)")
    try stage.settle()
    let inbox = LocalFolder(stage.maildir, "INBOX")
    try inbox.move("mail 1", to: "Archive", flags: "S")
    try inbox.setFlags("S", of: "mail 2")
    let moved = try stage.syncWell("--dry-run")
    #expect(moved.output.contains("test/INBOX: move message 1 \"mail 1\" to Archive ("), "\(moved)")
    #expect(moved.output.contains("test/INBOX: mark message 2: +seen ("), "\(moved)")
    try stage.imap.select()
    try stage.imap.move("3", to: "Archive")
    try stage.imap.command("UNSELECT")
    let brought = try stage.syncWell("--dry-run").output
    #expect(brought.contains("\"mail 3\" here from INBOX as message"), "\(brought)")
  }

  /// What a run would not upload is not announced, but reported.
  @Test func whatCannotBeUploadedIsNotPlanned() throws {
    let stage = try Stage()
    try stage.fill()
    try stage.settle()
    for (name, text) in [("empty", ""), ("null", "a: b\n\n\0"), ("good", "Subject: a\n\n")] {
      try stage.program.home.write(text, to: "Mail/test/INBOX/new/\(name)")
    }
    let before = TreeSnapshot(stage.program.home.path)
    let outcome = try stage.sync("--dry-run")
    #expect(outcome.code == 1, "\(outcome)")
    let lines = outcome.lines.filter { $0.contains(": upload ") }
    #expect(lines == ["test/INBOX: upload good (new here)"])
    for words in ["it is empty; not uploaded", "contains a NUL byte"] {
      #expect(outcome.errors.contains(words), "\(outcome)")
    }
    #expect(TreeSnapshot(stage.program.home.path).differences(from: before) == [])
  }

  @Test func scriptsReadEachStepAndItsReason() throws {
    let stage = try Stage()
    for name in ["Archive", "Trash"] { try stage.imap.create(name) }
    try stage.imap.append(["one", "two", "three"].map { mail($0) })
    try stage.settle()
    let inbox = LocalFolder(stage.maildir, "INBOX")
    let bases = inbox.bases
    try inbox.setFlags("S", of: "one")
    try inbox.remove("two")
    try inbox.move("three", to: "Archive", flags: "")
    let outcome = try stage.sync("--dry-run", "--json")
    let steps = try outcome.lines.map { try ParsedJSON($0) }
      .filter { $0["event"]?.text == "planned" }
    let words = steps.map { step in
      let file = step["file"]?.text.flatMap { bases.firstIndex(of: $0) }.map { " file \($0 + 1)" }
      return "\(step["action"]?.text ?? "-") \(step["uid"]?.integer ?? 0)\(file ?? "")"
        + " \(step["reason"]?.text ?? "-")"
    }
    #expect(
      words == [
        "push-flags 1 flags-changed-here", "move 3 file 3 moved-here", "trash 2 deleted-here",
      ],
      "\(outcome)"
    )
  }

  /// The actions in the output of a run: what is planned, or what was done.
  private func plan(in outcome: Outcome) -> [String] {
    (outcome.lines + outcome.errorLines)
      .filter { line in [": fetch ", ": mark ", ": remove "].contains { line.contains($0) } }
      .sorted()
  }

  @Test(arguments: ["direction = \"pull\"", ""])
  func aPullNeverChangesTheServer(sync: String) throws {
    let stage = try Stage()
    try stage.configure(sync: sync)
    let option = sync.isEmpty ? "--pull" : "--json"
    try stage.fill()
    let server = try ServerState(stage)
    try stage.syncWell(option)
    #expect(try ServerState(stage) == server)
    let tree = stage.tree
    for message in tree["INBOX"].prefix(3) where message.subdirectory == "new" {
      try Command.shell(
        "mv \"$1/INBOX/new/$2\" \"$1/INBOX/cur/$2:2,RS\"",
        [stage.maildir, message.name]
      )
    }
    try stage.syncWell(option)
    #expect(try ServerState(stage) == server)
  }
}

/// What STATUS tells about every mailbox; asking for it changes nothing, not even `\Recent`.
struct ServerState: Equatable {
  let lines: [String]

  init(_ stage: Stage) throws {
    let items = "MESSAGES RECENT UNSEEN UIDNEXT UIDVALIDITY HIGHESTMODSEQ"
    lines = try stage.imap.mailboxes().sorted().flatMap { name in
      try stage.imap.command("STATUS \"\(name)\" (\(items))")
        .map { String(decoding: $0, as: UTF8.self) }.filter { $0.hasPrefix("* STATUS") }
    }
  }
}

extension Stage {
  /// One change of each kind on the server, after ``fill(seed:inbox:other:)``.
  func change() throws {
    try imap.select()
    try imap.expunge("2")
    try imap.store("3", "+FLAGS (\\Seen)")
    try imap.append(mail("new"))
    try imap.create("Fresh")
    try imap.append(mail("in Fresh"), to: "Fresh")
    try imap.command("UNSELECT")
  }
}
