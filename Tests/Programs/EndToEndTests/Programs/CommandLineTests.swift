import Testing
import TestSupport

/// What a person, a script and cron see.
@Suite struct CommandLineTests {
  @Test(arguments: try Fixtures.load("Fixtures/mistakes.txt"))
  func mistakesAreSaid(block: Fixture) throws {
    let program = try ProgramUnderTest()
    if let text = block["config"] { try program.configure(text) }
    let arguments = block.body.split(separator: " ").map { "\($0)" }
    let outcome = try program.command(arguments).run()
    #expect(outcome.code == Int32(try block.text("exit")), "\(outcome)")
    #expect(outcome.output == "")
    let said = outcome.errors.split(separator: program.home.path).joined(separator: "~")
    for line in block.lines("says") { #expect(said.contains(line), "\(outcome)") }
  }

  @Test(arguments: ["--help", "--version"])
  func helpIsNoError(option: String) throws {
    let outcome = try ProgramUnderTest().run(option)
    #expect(outcome.code == 0 && outcome.errors == "")
    #expect(outcome.output.contains("magnum-sync") || option == "--version")
    #expect(outcome.lines.allSatisfy { $0.count <= 80 || $0.hasPrefix("USAGE") })
  }

  /// What needs no OpenSSL or expat starts without it.
  @Test(arguments: ["magnum-sync", "magnum-send", "magnum-search", "magnum"])
  func librariesAreLoadedOnFirstUse(program: String) throws {
    let outcome = try Command(
      "/usr/bin/ldd",
      ["\(ProgramUnderTest.products)/\(program)"],
      environment: ["PATH": "/usr/bin:/bin"]
    ).run()
    #expect(outcome.output.contains("libc.so") && !outcome.output.contains("libcrypto"))
    #expect(!outcome.output.contains("libssl"), "\(outcome)")
    #expect(!outcome.output.contains("libexpat"), "\(outcome)")
  }

  @Test func cronHearsNothingWhenAllIsWell() throws {
    let stage = try Stage()
    try stage.fill()
    let outcome = try stage.syncWell()
    #expect(outcome.output == "" && outcome.errors == "", "\(outcome)")
    let verbose = try stage.syncWell("-v")
    #expect(verbose.output + verbose.errors != "")
    #expect(!(verbose.output + verbose.errors).contains("\u{1b}"))
  }

  @Test func aPersonSeesASummary() throws {
    let stage = try Stage()
    try stage.fill()
    let outcome = try stage.program.runOnTerminal()
    #expect(outcome.code == 0, "\(outcome)")
    #expect(outcome.output.contains("test") && outcome.output.contains("22"), "\(outcome)")
    let quiet = try stage.program.runOnTerminal("-q")
    #expect(quiet.output == "", "\(quiet)")
  }

  @Test(arguments: [["TERM": "dumb"], ["NO_COLOR": "1"]])
  func plainTerminalsGetNoColour(variables: [String: String]) throws {
    let stage = try Stage()
    try stage.fill()
    let outcome = try stage.program.runOnTerminal(variables: variables)
    #expect(
      !outcome.output.contains("\u{1b}[3") && !outcome.output.contains("\u{1b}[1"),
      "\(outcome)"
    )
    if variables["TERM"] == "dumb" { #expect(!outcome.output.contains("\u{1b}"), "\(outcome)") }
  }

  @Test func programsGetJSON() throws {
    let stage = try Stage()
    try stage.fill()
    let outcome = try stage.syncWell("--json")
    let events = try outcome.lines.map { try ParsedJSON($0) }
    #expect(events.count >= 2)
    for event in events {
      #expect(event["event"]?.text != nil || event["state"]?.text != nil, "\(event)")
    }
    #expect(events.contains { $0["event"]?.text == "completed" }, "\(outcome)")
    #expect(events.contains { $0["event"]?.text == "fetched" && $0["messages"]?.integer == 12 })
    #expect(outcome.errors == "")
  }

  @Test func failuresAreEventsToo() throws {
    let stage = try Stage()
    try stage.configure(url: "imaps://localhost:\(try Loopback.freePort())")
    let outcome = try stage.sync("--json")
    #expect(outcome.code == 75)
    let events = try outcome.lines.map { try ParsedJSON($0) }
    #expect(events.contains { $0["event"]?.text == "failed" }, "\(outcome)")
  }

  @Test func mailboxesAreListed() throws {
    var options = DovecotOptions()
    options.specialUse = ["Sent": "\\Sent", "Bin": "\\Trash"]
    let stage = try Stage(options)
    try stage.fill()
    try stage.imap.create("Gr&APwA3w-e")
    let before = TreeSnapshot(stage.program.home.path)
    let outcome = try stage.syncWell("--list-mailboxes")
    for name in ["INBOX", "Lists/swift", "Archive", "Grüße", "Sent", "Bin"] {
      #expect(outcome.lines.contains { $0.contains(name) }, "\(outcome)")
    }
    #expect(outcome.lines.contains { $0.contains("Bin") && $0.contains("trash") }, "\(outcome)")
    #expect(TreeSnapshot(stage.program.home.path).differences(from: before) == [])
  }

  @Test func aFullPipeIsAnError() throws {
    let stage = try Stage()
    try stage.fill()
    let outcome = try run("exec \"$0\" --json > /dev/full", on: stage)
    #expect(outcome.code == 74, "\(outcome)")
  }

  @Test func aReaderThatLeavesIsNoFault() throws {
    let stage = try Stage()
    try stage.fill()
    let outcome = try run("\"$0\" --json -v | head -n 1 >/dev/null; true", on: stage)
    #expect(outcome.errors == "", "\(outcome)")
  }

  /// Runs a line of shell in which `$0` is the program.
  private func run(_ script: String, on stage: Stage) throws -> Outcome {
    let plain = stage.program.command([])
    let arguments = ["-c", script, plain.program]
    return try Command("/bin/sh", arguments, environment: plain.environment).run()
  }

  @Test func theTraceShowsTheProtocolWithoutBodies() throws {
    let stage = try Stage()
    // The second comes with the answer to what is new.
    for number in 1...2 {
      try stage.imap.append(mail("secret \(number)", body: "for your eyes only"))
      let outcome = try stage.syncWell("--trace")
      let said = outcome.output + outcome.errors
      #expect(said.contains("FETCH"))
      #expect(!said.contains("for your eyes only"))
    }
  }
}
