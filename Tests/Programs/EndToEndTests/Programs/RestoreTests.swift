import Platform
import Synchronization
import TestSupport
import Testing

/// `magnum restore`: each message once, with flags, keywords, dates and folders.
@Suite struct RestoreTests {
  private func restore(_ stage: Stage, _ arguments: String...) throws -> Outcome {
    try Self.command(stage, arguments).run()
  }

  static func command(
    _ stage: Stage,
    _ arguments: [String],
    _ variables: [String: String] = [:]
  ) -> Command {
    var command = stage.program.command(["restore"] + arguments, variables)
    command.program = "\(ProgramUnderTest.products)/magnum"
    return command
  }

  private func verify(_ stage: Stage) throws -> Outcome {
    var command = stage.program.command(["verify", "--deep"])
    command.program = "\(ProgramUnderTest.products)/magnum"
    return try command.run()
  }

  @Test func everythingOnce() throws {
    let stage = try Stage()
    let scene = try RestoreScene(stage.program.home["source"])
    let before = TreeSnapshot(scene.source)
    let planned = try restore(stage, scene.source, "--to", "test", "--dry-run")
    #expect(planned.code == 0 && planned.output.contains("15 would be uploaded"), "\(planned)")
    #expect(try RestoreScene.found(stage.imap) == [])
    let first = try restore(stage, scene.source, "--to", "test")
    #expect(first.code == 0, "\(first)")
    #expect(
      first.output.contains("15 messages on the server: 15 uploaded, 0 were there"),
      "\(first)"
    )
    #expect(try RestoreScene.found(stage.imap) == scene.expected())
    #expect(try stage.imap.mailboxes().contains("Empty"))
    let second = try restore(stage, scene.source, "--to", "test", "-v")
    #expect(second.code == 0 && second.output.contains("0 uploaded, 15 were there"), "\(second)")
    Files.removeTree(stage.program.home[".local"])
    let third = try restore(stage, scene.source, "--to", "test")
    #expect(third.code == 0 && third.output.contains("0 uploaded, 15 were there"), "\(third)")
    #expect(try RestoreScene.found(stage.imap) == scene.expected())
    #expect(TreeSnapshot(scene.source).differences(from: before) == [])
    try stage.syncWell()
    let equal = try verify(stage)
    #expect(equal.code == 0 && equal.output.contains("15 messages equal"), "\(equal)")
  }

  /// A mirror of one server, made by Magnum, goes to another account.
  @Test func aMirrorGoesToAnotherServer() throws {
    let old = try Stage()
    try old.fill(inbox: 150, other: 20)
    try old.imap.create("50% off")
    try old.imap.append(mail("escaped"), to: "50% off", flags: "\\Seen red $Label1")
    try old.settle()
    let stage = try Stage()
    let outcome = try restore(stage, old.maildir, "--to", "test")
    #expect(outcome.code == 0, "\(outcome)")
    #expect(try stage.contents() == old.contents())
    let below = try restore(stage, old.maildir, "--to", "test", "--into", "Old/mail")
    #expect(below.code == 0, "\(below)")
    let names = try old.imap.mailboxes().map { "Old/mail/\($0)" }
    #expect(Set(try stage.imap.mailboxes()).isSuperset(of: names), "\(below)")
  }

  @Test func theMirrorItselfIsRefused() throws {
    let stage = try Stage()
    try stage.fill()
    try stage.settle()
    for path in [stage.maildir, "\(stage.maildir)/INBOX", stage.program.home["Mail"]] {
      let outcome = try restore(stage, path, "--to", "test")
      #expect(outcome.code == 64, "\(outcome)")
      #expect(outcome.errors.contains("magnum-sync test uploads what the server lacks"))
    }
    let state = try restore(stage, "\(stage.maildir)/.magnum", "--to", "test")
    #expect(state.code == 64 && state.errors.contains("Magnum keeps its state"), "\(state)")
    guard case .acquired(let lock) = try FileLock.acquire(Path("\(stage.state)/lock")) else {
      Issue.record("no lock")
      return
    }
    let scene = try RestoreScene(stage.program.home["source"])
    let locked = try restore(stage, scene.source, "--to", "test")
    #expect(locked.code == 75, "\(locked)")
    lock.release()
  }

  /// What a server that was emptied lost, and what was kept of it, is put back from a copy.
  @Test func whatTheServerLostIsPutBack() throws {
    let stage = try Stage()
    try stage.configure(sync: "on-remote-delete = \"keep\"")
    try stage.fill()
    try stage.settle()
    let before = try stage.contents()
    try stage.imap.select()
    try stage.imap.store("1:*", "+FLAGS (\\Deleted)")
    try stage.imap.command("EXPUNGE")
    try stage.syncWell()
    let copy = stage.program.home["copy"]
    try Command.shell("cp -a \"$1\" \"$2\"", [stage.maildir, copy])
    let outcome = try restore(stage, copy, "--to", "test")
    #expect(outcome.code == 0, "\(outcome)")
    #expect(outcome.output.contains("12 uploaded, 10 were there"), "\(outcome)")
    #expect(try stage.contents() == before)
    // The next sync fetches what was put back; files that were kept stay beside it.
    try stage.syncWell()
    try stage.syncWell()
    #expect(try stage.contents() == before)
    let bases = LocalFolder(stage.maildir, "INBOX").bases
    #expect(bases.count == 24 && bases.count { $0.hasSuffix(",detached") } == 12, "\(bases)")
    #expect(try restore(stage, copy, "--to", "test").output.contains("0 uploaded, 22 were there"))
  }

  /// A quota: what does not fit is named, and what does is there.
  @Test func whatTheServerRefusesIsNamed() throws {
    var options = DovecotOptions()
    options.lines = [
      "mail_plugins = $mail_plugins quota", "plugin {", "  quota = count:all",
      "  quota_vsizes = yes", "  quota_rule = *:messages=8", "  quota_grace = 0", "}",
    ]
    let stage = try Stage(options)
    let scene = try RestoreScene(stage.program.home["source"])
    let outcome = try restore(stage, scene.source, "--to", "test")
    #expect(outcome.code == 1, "\(outcome)")
    #expect(outcome.output.contains("8 messages on the server: 8 uploaded"), "\(outcome)")
    #expect(outcome.output.contains("7 not taken"), "\(outcome)")
    let named = outcome.errors.split(separator: "\n").filter { $0.contains("did not take it") }
    #expect(named.count == 7, "\(outcome)")
    #expect(try RestoreScene.found(stage.imap).count == 8)
  }

  @Test func flagsThatTheMailboxDoesNotKeepAreSaid() throws {
    let stage = try Stage()
    let scene = try RestoreScene(stage.program.home["source"])
    let proxy = try BendingProxy(
      to: stage.server.ports.clear,
      reply: { line in
        guard line.contains("[PERMANENTFLAGS") else { return line }
        return "* OK [PERMANENTFLAGS (\\Answered \\Seen \\Draft)] Limited"
      }
    )
    try stage.configure(url: proxy.clearURL)
    let outcome = try restore(stage, scene.source, "--to", "test")
    #expect(outcome.code == 0, "\(outcome)")
    #expect(outcome.output.contains("test/INBOX: does not keep FPT"), "\(outcome)")
  }

  /// A limit of the server ends the run with 75; the next one, which a person starts, does the rest.
  @Test(arguments: ["APPEND", "UID FETCH"])
  func aLimitOfTheServerIsNoFailure(_ command: String) throws {
    let stage = try Stage()
    let scene = try RestoreScene(stage.program.home["source"])
    let isOver = Mutex(false)
    let proxy = try BendingProxy(
      to: stage.server.ports.clear,
      command: { line in
        guard line.hasPrefix(command), !isOver.withLock({ $0 }) else { return .passed }
        return .refused("NO [UNAVAILABLE] Request is throttled. Suggested Backoff Time: 9000 ms")
      }
    )
    try stage.configure(url: proxy.clearURL)
    let limited = try restore(stage, scene.source, "--to", "test")
    #expect(limited.code == 75, "\(limited)")
    isOver.withLock { $0 = true }
    let outcome = try restore(stage, scene.source, "--to", "test")
    #expect(outcome.code == 0, "\(outcome)")
    #expect(try RestoreScene.found(stage.imap) == scene.expected())
  }

  /// A connection that breaks behind an APPEND is made anew, and what was sent is found.
  @Test func aConnectionThatBreaksIsMadeAnew() throws {
    let stage = try Stage()
    let scene = try RestoreScene(stage.program.home["source"])
    let count = Mutex(0)
    let proxy = try BendingProxy(
      to: stage.server.ports.clear,
      command: { command in
        guard command.hasPrefix("APPEND") else { return .passed }
        return count.withLock { count in
          count += 1
          return count == 2 ? .unanswered : .passed
        }
      }
    )
    try stage.configure(url: proxy.clearURL)
    let outcome = try restore(stage, scene.source, "--to", "test")
    #expect(outcome.code == 0, "\(outcome)")
    #expect(count.withLock { $0 } > 2)
    #expect(try RestoreScene.found(stage.imap) == scene.expected())
  }

  @Test(arguments: OtherServer.there)
  func onOtherServers(_ kind: OtherServer) throws {
    let stage = try OtherStage(kind)
    let scene = try RestoreScene(stage.program.home["source"], isPlain: true)
    var command = stage.program.command(["restore", scene.source, "--to", "test"])
    command.program = "\(ProgramUnderTest.products)/magnum"
    let first = try command.run()
    #expect(first.code == 0 && first.output.contains("15 uploaded, 0 were there"), "\(first)")
    let expected = scene.expected { stage.server.wire($0) }
    #expect(try RestoreScene.found(stage.imap) == expected)
    let second = try command.run()
    #expect(second.code == 0 && second.output.contains("0 uploaded, 15 were there"), "\(second)")
    Files.removeTree(stage.program.home[".local"])
    let third = try command.run()
    #expect(third.code == 0 && third.output.contains("0 uploaded, 15 were there"), "\(third)")
    #expect(try RestoreScene.found(stage.imap) == expected)
    try stage.sync()
    var verify = stage.program.command(["verify", "--deep"])
    verify.program = "\(ProgramUnderTest.products)/magnum"
    let equal = try verify.run()
    #expect(equal.code == 0, "\(equal)")
  }

  /// A server may add the line end that the last line lacks: without records, too, it is the message that was sent.
  @Test(arguments: OtherServer.there)
  func aMessageWithoutALastLineEndIsFoundAgain(_ kind: OtherServer) throws {
    let stage = try OtherStage(kind)
    let source = stage.program.home["source"]
    for part in ["cur", "new", "tmp"] { try Files.makeDirectories("\(source)/\(part)") }
    let text = "From: a@example.org\nMessage-ID: <open@example.org>\n\nno line end"
    try Files.write(text, to: "\(source)/cur/1.host:2,S")
    var command = stage.program.command(["restore", source, "--to", "test"])
    command.program = "\(ProgramUnderTest.products)/magnum"
    let first = try command.run()
    #expect(first.output.contains("1 uploaded, 0 were there"), "\(first)")
    Files.removeTree(stage.program.home[".local"])
    let second = try command.run()
    #expect(second.output.contains("0 uploaded, 1 were there"), "\(second)")
    #expect(try stage.imap.messages().count == 1)
  }
}
