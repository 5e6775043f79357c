import TestSupport
import Testing

/// What ends runs is in `magnum status`, and a run with nothing to work on is no success.
@Suite struct TroubleStatusTests {
  @Test func aPatternThatLeavesOutAllMailboxesIsAFinding() throws {
    let stage = try Stage()
    try stage.fill()
    try stage.settle()
    try stage.configure(sync: "include = [\"Nothing/*\"]")
    let sync = try stage.sync()
    #expect(sync.code == 78 && sync.errors.contains("leave out all mailboxes"), "\(sync)")
    let status = try stage.magnum("status")
    #expect(status.code == 1 && status.output.contains("leave out all mailboxes"), "\(status)")
    #expect(try stage.magnum("verify").code == 78)
    // Once a day off a terminal, and always in the status.
    let second = try stage.sync()
    #expect(second.code == 78 && second.errors.isEmpty, "\(second)")
    try stage.configure()
    try stage.syncWell()
    #expect(try stage.magnum("status").code == 0)
    #expect(try stage.magnum("verify").code == 0)
  }

  @Test func foldersThatAreNotMadeAreAFinding() throws {
    let stage = try Stage()
    try stage.fill()
    try stage.configure(sync: "create = \"none\"")
    let sync = try stage.sync()
    #expect(sync.code == 78 && sync.errors.contains("create makes none"), "\(sync)")
  }

  @Test func aMailboxThatIsLeftOutCannotBeNamed() throws {
    let stage = try Stage()
    try stage.fill()
    try stage.settle()
    try stage.configure(sync: "exclude = [\"Archive\"]")
    for outcome in [try stage.sync("test/Archive"), try stage.magnum("verify", "test/Archive")] {
      #expect(outcome.code == 64 && outcome.errors.contains("not mirrored"), "\(outcome)")
    }
  }

  @Test func aFolderThatIsAwayIsInTheStatus() throws {
    let stage = try Stage()
    try stage.fill()
    try stage.settle()
    try Command.shell("mv \"$1/Archive\" \"$1/../away\"", [stage.maildir])
    let sync = try stage.sync()
    #expect(sync.code == 1, "\(sync)")
    for _ in 0..<2 {
      let status = try stage.magnum("status")
      #expect(status.code == 1 && status.output.contains("Archive"), "\(status)")
      #expect(try stage.sync().code == 1)
    }
    try Command.shell("mv \"$1/../away\" \"$1/Archive\"", [stage.maildir])
    try stage.syncWell()
    #expect(try stage.magnum("status").code == 0)
  }

  @Test func aRefusedCertificateIsInTheStatusAndANetworkThatIsAwayIsNot() throws {
    let stage = try Stage()
    try stage.fill()
    try stage.settle()
    try stage.configure(account: "tls-fingerprint = \"\(String(repeating: "00", count: 32))\"")
    let configured = Files.text(stage.program.home[".config/magnum/config.toml"]) ?? ""
    let lines = configured.split(separator: "\n", omittingEmptySubsequences: false)
    try Files.write(
      lines.filter { !$0.hasPrefix("tls-ca-file") }.joined(separator: "\n"),
      to: stage.program.home[".config/magnum/config.toml"]
    )
    let sync = try stage.sync()
    #expect(sync.code == 69, "\(sync)")
    let status = try stage.magnum("status")
    #expect(status.code == 1 && status.output.contains("certificate"), "\(status)")
    try stage.configure(url: "imap+plain://127.0.0.1:\(try Loopback.freePort())")
    #expect(try stage.sync().code == 75)
    #expect(try stage.magnum("status").code == 0)
  }

  @Test func anIndexOfNothingIsAFinding() throws {
    let stage = try Stage()
    try Files.makeDirectories(stage.program.home["empty"])
    let outcome = try stage.magnum("index", stage.program.home["empty"])
    #expect(outcome.code == 1 && outcome.errors.contains("no Maildir"), "\(outcome)")
  }

  /// The problem of one message is said once in a day off a terminal, and always to who asks for the account.
  @Test func theProblemOfAMessageIsSaidOnce() throws {
    let stage = try Stage()
    try stage.fill()
    try stage.settle()
    try LocalFolder(stage.maildir, "INBOX").add("empty", [], flags: "S")
    let runs = [try stage.sync(), try stage.sync(), try stage.sync("test")]
    #expect(runs.map(\.code) == [1, 1, 1], "\(runs)")
    #expect(runs.map { $0.errors.isEmpty } == [false, true, false], "\(runs)")
    #expect(try stage.magnum("status").output.contains("empty"))
  }
}
