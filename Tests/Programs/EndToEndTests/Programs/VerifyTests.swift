import Glibc
import Synchronization
import TestSupport
import Testing

/// `magnum verify`: what differs is named, what does not is not, and nothing changes.
@Suite struct VerifyTests {
  private func magnum(_ stage: Stage, _ arguments: String...) throws -> Outcome {
    try magnum(stage, arguments)
  }

  private func magnum(_ stage: Stage, _ arguments: [String]) throws -> Outcome {
    var command = stage.program.command(["verify"] + arguments)
    command.program = "\(ProgramUnderTest.products)/magnum"
    return try command.run()
  }

  private func stage(messages: Int) throws -> Stage {
    let stage = try Stage()
    try stage.fill(inbox: messages)
    try stage.imap.select()
    try stage.imap.store("1:3", "+FLAGS (red)")
    try stage.settle()
    return stage
  }

  /// Where nothing was compared, nothing is proved.
  @Test func whatIsLeftOutIsNoSuccess() throws {
    let stage = try stage(messages: 3)
    try stage.configure(sync: "exclude = [\"Lists/*\"]")
    _ = try? stage.imap.command("CREATE Lists/x")
    let outcome = try magnum(stage, "test/Lists/x")
    #expect(outcome.code == 64 && outcome.errors.contains("is not mirrored"), "\(outcome)")
  }

  /// A mailbox or a folder without mail has no message or file that would be named.
  @Test func whatIsEmptyAndOnOneSideIsNamed() throws {
    let stage = try stage(messages: 3)
    try stage.imap.create("Empty")
    for sub in ["cur", "new", "tmp"] { try Files.makeDirectories("\(stage.maildir)/Plans/\(sub)") }
    let outcome = try magnum(stage)
    #expect(outcome.code == 1, "\(outcome)")
    #expect(outcome.output.contains("test/Empty: not synced yet\n"), "\(outcome)")
    #expect(outcome.output.contains("test/Plans: an empty folder, only here\n"), "\(outcome)")
    try stage.syncWell()
    let equal = try magnum(stage)
    #expect(equal.code == 0 && equal.output == "test  13 messages equal\n", "\(equal)")
  }

  /// What no sync makes a folder for is left out, with mail or without.
  @Test func whatGetsNoFolderIsLeftOut() throws {
    let stage = try stage(messages: 3)
    for name in ["Empty", "Other"] { try stage.imap.create(name) }
    try stage.imap.append(mail("other"), to: "Other")
    try stage.configure(sync: "create = \"none\"")
    let outcome = try magnum(stage)
    #expect(outcome.code == 0, "\(outcome)")
    #expect(outcome.output == "test  13 messages equal  2 mailboxes left out\n", "\(outcome)")
  }

  @Test func namesExactlyWhatDiffers() throws {
    let stage = try stage(messages: 1000)
    let equal = try magnum(stage)
    #expect(equal.code == 0, "\(equal)")
    #expect(equal.output == "test  1010 messages equal\n")
    let inbox = LocalFolder(stage.maildir, "INBOX")
    let (flipped, removed, flagged) = (inbox.bases[10], inbox.bases[20], inbox.bases[30])
    var octets = try inbox.content(10)
    octets[octets.count - 3] ^= 1
    try inbox.write(10, octets)
    try inbox.setFlags("F", of: 30)
    try inbox.remove(20)
    try inbox.add("1600000000.foreign.host", mail("foreign"), flags: "S")
    let before = TreeSnapshot(stage.program.home.path)
    for arguments in [[], ["--deep"]] {
      let outcome = try arguments.isEmpty ? magnum(stage) : magnum(stage, arguments[0])
      #expect(outcome.code == 1, "\(outcome)")
      let lines = outcome.output.split(separator: "\n").map { "\($0)" }
      #expect(lines.count == 5, "\(outcome)")
      #expect(
        lines.contains { $0.contains(flipped) && $0.hasSuffix("does not hold what was synced") }
      )
      #expect(lines.contains { $0.contains(removed) && $0.hasSuffix("its file is gone") })
      #expect(lines.contains { $0.contains(flagged) && $0.contains("(changed here)") })
      #expect(lines.contains { $0.contains("1600000000.foreign.host: only here") })
      #expect(lines.last?.contains("1007 messages equal") == true, "\(outcome)")
      #expect(lines.last?.contains("4 differences") == true)
    }
    let changed = TreeSnapshot(stage.program.home.path).differences(from: before)
    #expect(changed.filter { !$0.contains(".local/state") } == [])
    octets[octets.count - 3] ^= 1
    try inbox.write(inbox.bases.firstIndex(of: flipped) ?? 0, octets)
    try stage.syncWell()
    try stage.syncWell()
    let repaired = try magnum(stage)
    #expect(repaired.code == 0, "\(repaired)")
  }

  /// What the record cannot tell: the server's message is another one than was synced, with all that is told of it.
  @Test func deepFetchesAgain() throws {
    let stage = try stage(messages: 12)
    let outcome = try magnum(stage, "--deep")
    #expect(outcome.code == 0, "\(outcome)")
    #expect(outcome.output == "test  22 messages equal octet by octet\n")
    let inbox = LocalFolder(stage.maildir, "INBOX")
    // A field that identities leave out, so that only the octets tell.
    try inbox.write(2, Array("Received: from here\n".utf8) + inbox.content(2))
    #expect(try magnum(stage).code == 0)
    let deep = try magnum(stage, "--deep", "--rate", "50MB/s")
    #expect(deep.code == 1, "\(deep)")
    #expect(deep.output.contains("its file and the message on the server differ"), "\(deep)")
    var command = stage.program.command(["status"])
    command.program = "\(ProgramUnderTest.products)/magnum"
    let status = try command.run()
    #expect(status.output.contains("21 messages equal and 1 difference "), "\(status)")
  }

  /// What was compared before a run was killed is not compared again by the next one, but by the one after that.
  @Test func aKilledRunIsTakenUp() throws {
    let stage = try stage(messages: 1000)
    let memory = stage.program.home[".local/state/magnum/accounts/test"]
    var command = stage.program.command(["verify", "--deep", "--rate", "2MB"])
    command.program = "\(ProgramUnderTest.products)/magnum"
    let running = try command.start()
    while !Files.exists("\(memory)/verifying"), !running.hasEnded { Stopwatch.sleep(0.02) }
    running.signal(SIGKILL)
    _ = running.wait()
    let places = try #require(Files.text("\(memory)/verifying")).split(separator: "\n")
    let ranges = try #require(places.dropFirst().first?.split(separator: " ")[2])
    let uid = try #require(ranges.split(separator: "-").last)
    let inbox = LocalFolder(stage.maildir, "INBOX")
    let index = try #require(inbox.bases.firstIndex { $0.contains("U\(uid).") })
    try inbox.write(index, Array("Received: from here\n".utf8) + inbox.content(index))
    let next = try magnum(stage, "--deep")
    #expect(next.code == 0, "\(next)")
    #expect(next.output.contains("1010 messages equal"), "\(next)")
    #expect(!Files.exists("\(memory)/verifying"))
    #expect(try magnum(stage, "--deep").code == 1)
  }

  /// Each run of some mailboxes compares all of them, and one that was interrupted is not taken for one of all mailboxes.
  @Test(arguments: Turn.part(of: [[], ["test/INBOX"], ["test/IN%", "test/Archive"]]))
  func whatWasComparedIsComparedAgain(_ names: [String]) throws {
    let stage = try stage(messages: 12)
    #expect(try magnum(stage, ["--deep"] + names).code == 0)
    let inbox = LocalFolder(stage.maildir, "INBOX")
    try inbox.write(2, Array("Received: from here\n".utf8) + inbox.content(2))
    let deep = try magnum(stage, ["--deep"] + names)
    #expect(deep.code == 1, "\(deep)")
    #expect(deep.output.contains("its file and the message on the server differ"), "\(deep)")
    let memory = stage.program.home[".local/state/magnum/accounts/test"]
    #expect(Files.names(in: memory).filter { $0.starts(with: Array("verifying".utf8)) } == [])
  }

  /// Also those whose flags differ are fetched.
  @Test func octetsAreComparedWhereFlagsDiffer() throws {
    let stage = try stage(messages: 12)
    let inbox = LocalFolder(stage.maildir, "INBOX")
    try inbox.write(2, Array("Received: from here\n".utf8) + inbox.content(2))
    try inbox.setFlags("F", of: 2)
    let deep = try magnum(stage, ["--deep"])
    #expect(deep.output.contains("(changed here)"), "\(deep)")
    #expect(deep.output.contains("its file and the message on the server differ"), "\(deep)")
  }

  /// What the server does not give was not compared.
  @Test func whatIsRefusedIsNoProof() throws {
    let stage = try stage(messages: 12)
    let proxy = try BendingProxy(to: stage.server.ports.clear) { line in
      line.contains("BODY.PEEK[]") ? .refused("NO [SERVERBUG] not now") : .passed
    }
    try stage.configure(url: proxy.clearURL)
    let deep = try magnum(stage, ["--deep"])
    #expect(deep.code == 1, "\(deep)")
    let refused = deep.output.ranges(of: "the server lists it but does not return it").count
    #expect(refused == 22, "\(deep)")
    #expect(deep.output.contains("test  0 messages equal octet by octet  22 differences"))
  }

  /// That another message is expunged meanwhile does not explain what the server leaves out.
  @Test func whatIsLeftOutIsNoProof() throws {
    let stage = try stage(messages: 12)
    let proxy = try BendingProxy(
      to: stage.server.ports.clear,
      literal: { line, _ in
        guard line.contains("(UID 3 "), line.contains("BODY[]") else { return nil }
        return Array("* 12 EXPUNGE\r\n* 3 FETCH (UID 3 FLAGS (\\Seen)".utf8)
      }
    )
    try stage.configure(url: proxy.clearURL)
    let deep = try magnum(stage, ["--deep", "test/INBOX"])
    #expect(deep.code == 1, "\(deep)")
    #expect(deep.output.contains("the server lists it but does not return it"), "\(deep)")
    #expect(deep.output.contains("11 messages equal octet by octet  1 difference"), "\(deep)")
  }

  /// What a sync would do, or does not do, is a difference.
  @Test func whatIsNotOnTheServerIsNamed() throws {
    let stage = try stage(messages: 12)
    let cur = "\(stage.maildir)/Archive/cur"
    let archive = LocalFolder(stage.maildir, "Archive")
    let (base, namesake) = (archive.bases[0], archive.bases[1])
    var tag = stage.program.command(["tag", "+blue", "\(cur)/\(base):2,\(archive.flags(0))"])
    tag.program = "\(ProgramUnderTest.products)/magnum"
    let tagged = try tag.run()
    try #require(tagged.code == 0, "\(tagged)")
    try Files.write(
      "Subject: other\n\nother\n",
      to: "\(stage.maildir)/Archive/new/\(namesake)"
    )
    try Files.write("Subject: nameless\n\ntext\n", to: "\(cur)/:2,S")
    try Command.shell("ln -s /etc/hostname \"$1/link:2,S\"; mkfifo \"$1/pipe:2,S\"", [cur])
    let outcome = try magnum(stage)
    #expect(outcome.code == 1, "\(outcome)")
    let lines = outcome.output.split(separator: "\n").map { "\($0)" }
    let expected = [
      "\(base): keywords blue here, none on the server",
      "\(namesake): another file in the folder has its name",
      ":2,S: its name has nothing before the colon", "link: no regular file",
      "pipe: no regular file",
    ]
    for text in expected {
      #expect(lines.contains { $0.contains(text) }, "\(text): \(outcome)")
    }
    #expect(lines.last == "test  21 messages equal  5 differences", "\(outcome)")
  }

  /// What is in the way of the second look does not hide what the first one found.
  @Test func aMailboxThatBecomesAnotherOneIsNotEqual() throws {
    let stage = try stage(messages: 12)
    try stage.imap.append(mail("new"), to: "Archive")
    let (port, user) = (stage.server.ports.clear, stage.user)
    let looks = Mutex(0)
    let proxy = try BendingProxy(to: port) { line in
      guard line.hasPrefix("EXAMINE"), line.contains("Archive") else { return .passed }
      guard
        looks.withLock({
          $0 += 1; return $0
        }) == 2
      else { return .passed }
      return .after {
        guard let imap = try? RawIMAP(port: port, user: user) else { return }
        _ = try? imap.command("DELETE Archive")
        _ = try? imap.create("Archive")
      }
    }
    try stage.configure(url: proxy.clearURL)
    let outcome = try magnum(stage)
    #expect(outcome.code == 1, "\(outcome)")
    #expect(outcome.output.contains("test/Archive: UIDVALIDITY changed"), "\(outcome)")
  }

  @Test func wrongUse() throws {
    let stage = try Stage()
    #expect(try magnum(stage, "--rate", "2MB").code == 64)
    #expect(try magnum(stage, "--deep", "--rate", "much").code == 64)
    #expect(try magnum(stage, "nobody").code == 64)
    try stage.fill()
    let fresh = try magnum(stage)
    #expect(fresh.code == 1, "\(fresh)")
    #expect(fresh.output.contains("test/INBOX: not synced yet"), "\(fresh)")
    #expect(!Files.exists("\(stage.maildir)/.magnum"))
  }
}
