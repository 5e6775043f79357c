import TestSupport
import Testing

/// The way back: mbsync on a Maildir that was Magnum's fetches and uploads nothing twice.
@Suite struct ExportTests {
  private func stage(_ layout: String = "verbatim") throws -> Stage {
    let stage = try Stage()
    try stage.configure(
      url: stage.server.clearURL,
      secret: "password-command = [\"echo\", \"pass\"]",
      account: "layout = \"\(layout)\"",
      sync: "exclude = [\"Left\"]\ncreate = \"both\""
    )
    try stage.imap.append((0..<5).map { mail("mail \($0)") }, flags: "\\Seen")
    try stage.imap.append(mail("unseen"))
    for name in ["Lists/swift", "Archive", "Entw&APw-rfe", "Left"] {
      try stage.imap.create(name)
      try stage.imap.append((0..<3).map { mail("\(name) \($0)") }, to: name, flags: "\\Flagged")
    }
    try stage.settle()
    return stage
  }

  private func export(_ stage: Stage, fault: Int? = nil) throws -> Outcome {
    let variables = fault.map { ["MAGNUM_FAULT": "\($0)"] } ?? [:]
    let environment = stage.program.command([], variables).environment
    let words = ["accounts", "export", "--to", "mbsync", "test"]
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
  @Test func killedExports() throws {
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
      let killed = try export(stage, fault: point)
      if killed.code == 0 { break }
      kills += 1
      if point % 2 == 0 { try handOver(stage) }
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
