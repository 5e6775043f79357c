import Glibc
import TestSupport
import Testing

/// What an agent hands in to be sent leaves by a person's answer at a terminal, and by nothing else.
@Suite struct HeldMessageTests {
  /// A home with an agent that may hand in, and a server that takes mail.
  struct Stage {
    let agent: AgentStage
    let sink: SMTPSink

    init(_ more: String = "") throws {
      (agent, sink) = (try AgentStage(), try SMTPSink())
      try configure(more)
      try agent.makeFolder("Sent")
      try agent.deliver("a", ["Cc: Bob <bob@z.test>", "Reply-To: Mallory <mallory@w.test>"])
      try agent.deliver(
        "s",
        ["From: me@x.test", "To: ann@y.test, Mallory <mallory@w.test>"],
        folder: "Sent"
      )
      // It only claims to be from the person.
      try agent.deliver("f", ["From: me@x.test", "To: new@z.test"])
      try agent.index()
    }

    func configure(_ more: String = "", limits: String = "sends = 1000") throws {
      try agent.magnum.configure(
        """
        [account.work]
        address = "me@x.test"
        maildir = "\(agent.mail)"
        smtp = "smtp+plain://127.0.0.1:\(sink.port)"
        smtp-login = "none"
        \(more)

        [agent.helper]
        accounts = ["work"]
        read = "folder:INBOX or folder:Drafts"
        rights = ["search", "show", "draft", "send"]
        limits = { drafts = 1000, \(limits) }

        [agent.other]
        accounts = ["work"]
        read = "*"
        rights = ["draft", "send"]
        """
      )
    }

    /// The handle of a new draft.
    func draft(
      _ client: AgentClient,
      _ arguments: String = #"{"to":["new@z.test"],"subject":"s","text":"mine"}"#
    ) throws -> String {
      try #require(try client.call("draft", arguments)["draft"]?.text)
    }

    /// The entry of a message that is handed in.
    func hold(
      _ arguments: String = #"{"to":["new@z.test"],"subject":"s","text":"mine"}"#
    ) throws -> String {
      let client = try agent.client()
      let handle = try draft(client, arguments)
      return try #require(try client.call("send", #"{"draft":"\#(handle)"}"#)["entry"]?.text)
    }

    var spool: String { agent.magnum.home[".local/state/magnum/spool/work"] }

    func names(_ state: String) -> [String] {
      Files.names(in: "\(spool)/\(state)").map { String(decoding: $0, as: UTF8.self) }.sorted()
    }

    /// Runs a command on a terminal; the answer is typed once it asks.
    func onTerminal(
      _ arguments: String...,
      typing answer: String,
      ahead: String = ""
    ) throws -> Outcome {
      var command = agent.magnum.command(arguments, ["TERM": "xterm", "EDITOR": "true"])
      command.isOnTerminal = true
      let running = try command.start()
      running.type(ahead)
      let deadline = Stopwatch.now() + 60
      while !running.outputSoFar.contains("[y/N] "), !running.hasEnded, Stopwatch.now() < deadline {
        Stopwatch.sleep(0.01)
      }
      running.type(answer)
      return running.wait()
    }

    func states() throws -> [String] {
      try agent.client().call("status")["held"]?.elements.compactMap { $0["state"]?.text } ?? []
    }
  }

  @Test(arguments: try Fixtures.load("Fixtures/releases.txt"))
  func nothingElseSendsIt(_ way: Fixture) throws {
    let stage = try Stage()
    let entry = try stage.hold()
    #expect(stage.names("hold") == [entry])
    var command = stage.agent.magnum.command(
      [],
      [
        "E": entry, "D": "\(stage.agent.mail)/Drafts", "S": stage.spool,
        "PATH": "\(ProgramUnderTest.products):\(Command.ownEnvironment["PATH"] ?? "")",
      ]
    )
    (command.program, command.arguments) = ("/bin/sh", ["-c", way.body + "\nmagnum queue flush\n"])
    let outcome = try command.run()
    // Others may be handed in meanwhile.
    #expect(stage.sink.messages.allSatisfy { $0.text.contains("another") }, "\(outcome)")
    let left = ["hold", "discarded", "failed"].flatMap(stage.names) + stage.agent.drafts
    #expect(left.count == 1, "\(left): \(outcome)")
    #expect(stage.names("queue").isEmpty)
    for draft in stage.agent.drafts {
      #expect("\n\(Files.text(draft) ?? "")".contains("\nX-Magnum-Agent: helper\n"))
    }
    let listed = try stage.agent.magnum.run("queue", "list", "--json").output
    if stage.agent.drafts.isEmpty { #expect(listed.contains(#""agent":"helper""#), "\(listed)") }
  }

  private func expect(_ value: ParsedJSON, asIn name: String) throws {
    let text = try #require(Files.text(Fixtures.project("man/schemas/\(name).json")))
    #expect(try JSONSchema(text).mistakes(in: value) == [], "\(value)")
  }

  @Test func theAnswerSendsIt() throws {
    let stage = try Stage()
    let client = try stage.agent.client()
    let handle = try stage.draft(
      client,
      #"{"reply":"a@y.test","to":["new@z.test"],"text":"mine"}"#
    )
    let result = try client.call("send", #"{"draft":"\#(handle)"}"#)
    let entry = try #require(result["entry"]?.text)
    #expect(result["state"] == .string("held"))
    try expect(result, asIn: "mcp-send")
    try expect(try client.call("status"), asIn: "mcp-status")
    for (schema, command) in [("queue-entry", ["queue", "list"]), ("status", ["status"])] {
      let output = try stage.agent.magnum.command(command + ["--json"]).run().output
      try expect(try ParsedJSON(output), asIn: schema)
    }
    #expect(stage.agent.drafts.isEmpty)
    let status = try stage.agent.magnum.run("status", "--json").output
    #expect(status.contains(#""agent-held":1"#) && status.contains("1 held of an agent"))
    // No, nothing, and what was typed before it was shown are no answer.
    for (answer, ahead) in [
      ("n\n", ""), ("\n", ""), ("\u{4}", ""), ("\n", "y\n"), ("no\n", "yes\ny\n"),
    ] {
      let shown = try stage.onTerminal("queue", "release", entry, typing: answer, ahead: ahead)
      #expect(shown.code == 1, "\(answer) \(shown)")
    }
    #expect(stage.names("hold") == [entry])
    let shown = try stage.onTerminal("queue", "release", entry, typing: "y\n")
    #expect(shown.code == 0, "\(shown)")
    let lines = shown.output.split(whereSeparator: \.isNewline).map { "\($0)" }
    for line in [
      "Agent: helper", "To 2 addresses:",
      "    mallory@w.test  (not From but Reply-To)",
      "    new@z.test  (not in the thread; never written to)", "| mine",
    ] {
      #expect(lines.contains(line), "\(line): \(shown.output)")
    }
    #expect(lines.contains { $0.hasPrefix("From: ") && $0.contains("me@x.test") })
    #expect(try stage.states() == ["released"])
    // What it answers is marked, as by an answer of a person.
    #expect(stage.agent.files.contains("INBOX/a:2,RS"), "\(stage.agent.files)")
    #expect(try stage.agent.magnum.run("search", "--count", "is:replied").output == "1\n")
    // Once it is stopped the answer is no longer one, whatever is done to the files.
    #expect(try stage.agent.magnum.run("queue", "hold", entry).code == 0)
    #expect(rename("\(stage.spool)/hold/\(entry)", "\(stage.spool)/queue/\(entry)") == 0)
    _ = try stage.agent.magnum.run("queue", "flush")
    #expect(stage.names("hold") == [entry] && stage.sink.messages.isEmpty)
    #expect(try stage.onTerminal("queue", "release", entry, typing: "y\n").code == 0)
    #expect(try stage.agent.magnum.run("queue", "flush").code == 0)
    let message = try #require(stage.sink.messages.first)
    #expect(stage.sink.messages.count == 1 && message.text.contains("mine"))
    #expect(!message.text.contains("X-Magnum"))
    #expect(try stage.states() == ["sent"])
    let call = try #require(try stage.agent.calls().first { $0["tool"] == .string("send") })
    #expect(call["entry"] == .string(entry) && call["draft"] == .string(handle))
  }

  /// A draft of an agent is shown in the same way before it is sent.
  @Test func aDraftIsShownBeforeItIsSent() throws {
    let stage = try Stage()
    _ = try stage.draft(try stage.agent.client())
    let file = try #require(stage.agent.drafts.first)
    for (answer, count) in [("n\n", 0), ("y\n", 1)] {
      let outcome = try stage.onTerminal("resume", "--send", file, typing: answer)
      #expect(outcome.output.contains("    new@z.test  (never written to)"), "\(outcome)")
      #expect(stage.sink.messages.count == count && stage.agent.drafts.count == 1 - count)
    }
    #expect(stage.sink.messages.first?.text.contains("X-Magnum") == false)
  }

  /// Also one that a program left that was ended while a person edited it.
  @Test func aDraftThatWasLeftIsShownToo() throws {
    let stage = try Stage()
    _ = try stage.draft(try stage.agent.client())
    var command = stage.agent.magnum.command(
      ["resume", try #require(stage.agent.drafts.first)],
      ["TERM": "xterm", "EDITOR": "kill -9 $PPID #"]
    )
    command.isOnTerminal = true
    _ = try command.run()
    let left = Files.names(in: stage.agent.magnum.home[".local/state/magnum/compose"])
    let name = String(decoding: try #require(left.first), as: UTF8.self)
    let outcome = try stage.agent.magnum.run("resume", "--send", name)
    #expect(
      outcome.code == 65 && outcome.errors.contains("an agent wrote this draft"),
      "\(outcome)"
    )
    #expect(stage.sink.messages.isEmpty)
  }

  @Test func statesAreToldOf() throws {
    let stage = try Stage()
    let entries = try (0..<4).map { _ in try stage.hold() }
    _ = try stage.agent.magnum.run("queue", "discard", entries[1])
    _ = try stage.agent.magnum.run("queue", "cancel", entries[2])
    _ = try stage.agent.magnum.run("queue", "edit", "--to", "b@z.test", entries[3])
    #expect(try stage.states() == ["held", "discarded", "taken-back", "held"])
    // A draft that was taken back is not the agent's any longer, and those of others are not told of.
    #expect(try stage.agent.client("other").call("status")["held"]?.elements == [])
  }

  @Test("what is left for some of the recipients, and was changed, is held")
  func partsAreToldOf() throws {
    let stage = try Stage()
    let entry = try stage.hold(#"{"to":["n@z.test","t450@z.test"],"subject":"s","text":"mine"}"#)
    #expect(try stage.onTerminal("queue", "release", entry, typing: "y\n").code == 0)
    _ = try stage.agent.magnum.run("queue", "flush")
    #expect(stage.sink.messages.count == 1)
    #expect(try stage.states() == ["released"])
    _ = try stage.agent.magnum.run("queue", "edit", "--to", "other@z.test", entry)
    _ = try stage.agent.magnum.run("queue", "flush")
    #expect(stage.names("queue").isEmpty && stage.names("hold").count == 1)
    #expect(try stage.states() == ["held"])
    #expect(stage.sink.messages.count == 1)
  }

  @Test func onlyOwnUnchangedDraftsAreHandedIn() throws {
    let stage = try Stage()
    let client = try stage.agent.client()
    let handle = try stage.draft(client)
    let call = #"{"draft":"\#(handle)"}"#
    let other = try stage.agent.client("other")
    #expect(try other.failure("send", call) == "not-found")
    #expect(try client.failure("send", #"{"draft":"0123456789abcdef"}"#) == "not-found")
    #expect(try client.failure("send", #"{"draft":"x"}"#) == "arguments")
    let file = try #require(stage.agent.drafts.first)
    let text = try #require(Files.text(file))
    try Files.write(Array(text.replacing("mine", with: "ours").utf8), to: file)
    #expect(try client.failure("send", call) == "not-found")
    try Files.write(Array(text.utf8), to: file)
    #expect(try client.failure("send", call) == nil)
    #expect(try client.failure("send", call) == "not-found")
    // Of versions only the last one is there, whatever a sync calls its file.
    var versions = [try stage.draft(client)]
    for _ in 1...2 {
      let former = versions[versions.count - 1]
      versions.append(
        try stage.draft(client, #"{"to":["n@z.test"],"text":"new","replaces":"\#(former)"}"#)
      )
    }
    let version = try #require(stage.agent.drafts.first)
    #expect(rename(version, "\(stage.agent.mail)/Drafts/cur/1.other:2,DS") == 0)
    try stage.agent.index()
    let codes = try versions.map { try client.failure("send", #"{"draft":"\#($0)"}"#) }
    #expect(codes == ["not-found", "not-found", nil])
    #expect(stage.agent.drafts.isEmpty)
    let empty = try stage.draft(client, #"{"subject":"s","text":"t"}"#)
    #expect(try client.failure("send", #"{"draft":"\#(empty)"}"#) == "arguments")
    #expect(stage.names("hold").count == 2)
  }

  @Test(arguments: [
    "[account.work.crypto]\nsign = true", "[account.work.crypto]\nencrypt = \"if-possible\"",
  ])
  func whatIsToBeProtectedIsLeftToAPerson(_ section: String) throws {
    let stage = try Stage(section)
    let client = try stage.agent.client()
    let handle = try stage.draft(client)
    #expect(try client.failure("send", #"{"draft":"\#(handle)"}"#) == "refused")
    #expect(stage.names("hold").isEmpty && stage.agent.drafts.count == 1)
  }

  @Test func anAnswerToWhatTurnedOutEncryptedIsRefused() throws {
    let stage = try Stage()
    let client = try stage.agent.client()
    let handle = try stage.draft(client, #"{"reply":"a@y.test","text":"mine"}"#)
    try stage.agent.deliver(
      "a",
      ["Content-Type: multipart/encrypted; protocol=\"application/pgp-encrypted\"; boundary=b"],
      "--b\nContent-Type: application/pgp-encrypted\n\nVersion: 1\n\n--b\n\nx\n--b--"
    )
    try stage.agent.index()
    #expect(try client.failure("send", #"{"draft":"\#(handle)"}"#) == "refused")
  }

  @Test func atMostTwentyWait() throws {
    let stage = try Stage()
    let client = try stage.agent.client()
    let handles = try (0..<21).map { _ in try stage.draft(client) }
    let failures = try handles.map { try client.failure("send", #"{"draft":"\#($0)"}"#) }
    #expect(failures == [String?](repeating: nil, count: 20) + ["limit"])
    // The words say what is full, which is not the hour.
    let answer = try client.request(
      "tools/call",
      #""name":"send","arguments":{"draft":"\#(handles[20])"}"#
    )
    #expect(answer["result"]?["content"]?[0]?["text"]?.text?.contains("20 messages") == true)
    #expect(stage.names("hold").count == 20 && stage.agent.drafts.count == 1)
    // Those of a person do not count, and one that goes makes room.
    _ = try stage.agent.magnum.run("queue", "discard", stage.names("hold")[0])
    #expect(try client.failure("send", #"{"draft":"\#(handles[20])"}"#) == nil)
  }

  @Test func handingInHasALimit() throws {
    let stage = try Stage()
    try stage.configure(limits: "sends = 1")
    let client = try stage.agent.client()
    let handles = try (0..<2).map { _ in try stage.draft(client) }
    let failures = try handles.map { try client.failure("send", #"{"draft":"\#($0)"}"#) }
    #expect(failures == [nil, "limit"])
    #expect(try client.call("status")["limits"]?["sends"]?["left"] == .number("0"))
  }

  // MARK: Programs that are ended

  /// Some of the points at which a run of a command can be ended, by a first run that counts them.
  private func points(_ stage: Stage, _ arguments: [String], _ input: String = "") throws -> [Int] {
    let count = stage.agent.magnum.home["count"]
    var command = stage.agent.magnum.command(arguments, ["MAGNUM_FAULT_COUNT": count])
    command.input = Array(input.utf8)
    _ = try command.run()
    let points = Int(Files.text(count)?.split(separator: "\n").first ?? "") ?? 0
    #expect(points > 3)
    return Array(stride(from: 1, through: points, by: max(1, points / 8)))
  }

  @Test func handingInThatIsEndedAtAnyPointLosesAndDoublesNothing() throws {
    let stage = try Stage()
    let client = try stage.agent.client()
    func line() throws -> String {
      AgentClient.call(1, "send", #"{"draft":"\#(try stage.draft(client))"}"#) + "\n"
    }
    let serve = ["mcp", "--agent", "helper"]
    for point in try points(stage, serve, try line()) {
      let held = stage.names("hold")
      let request = try line()
      var command = stage.agent.magnum.command(serve, ["MAGNUM_FAULT": "\(point)"])
      command.input = Array(request.utf8)
      _ = try command.run()
      #expect(stage.names("hold").count + stage.agent.drafts.count > held.count, "\(point)")
      // The agent tries again, as often as it likes.
      for _ in 1...2 {
        var again = stage.agent.magnum.command(serve)
        again.input = Array(request.utf8)
        _ = try again.run()
      }
      #expect(stage.names("hold").count == held.count + 1, "\(point)")
      #expect(stage.agent.drafts.isEmpty, "\(point)")
      #expect(try stage.states().allSatisfy { $0 == "held" })
      for entry in stage.names("hold").prefix(10) where stage.names("hold").count > 15 {
        _ = try stage.agent.magnum.run("queue", "discard", entry)
        unlink("\(stage.spool)/discarded/\(entry)")
        unlink(stage.agent.magnum.home[".local/state/magnum/agents/helper/entries"])
      }
    }
    #expect(stage.sink.messages.isEmpty)
  }

  /// A call that is ended before the draft goes leaves it; what was made of it is not made twice, though it is sent by now.
  @Test func aDraftThatWasLeftIsNotHandedInAgain() throws {
    let stage = try Stage()
    let client = try stage.agent.client()
    let handle = try stage.draft(client)
    let call = #"{"draft":"\#(handle)"}"#
    let file = try #require(stage.agent.drafts.first)
    let record = ".local/state/magnum/agents/helper/drafts"
    let text = try #require(Files.text(file))
    let lines = try #require(Files.text(stage.agent.magnum.home[record]))
    let entry = try #require(try client.call("send", call)["entry"]?.text)
    #expect(try stage.onTerminal("queue", "release", entry, typing: "y\n").code == 0)
    for state in ["released", "sent"] {
      if state == "sent" { #expect(try stage.agent.magnum.run("queue", "flush").code == 0) }
      try Files.write(Array(text.utf8), to: file)
      try stage.agent.magnum.home.write(lines, to: record, mode: 0o600)
      #expect(try client.call("send", call)["entry"]?.text == entry, "\(state)")
      #expect(stage.agent.drafts.isEmpty && stage.names("hold").isEmpty, "\(state)")
      #expect(try stage.states() == [state])
    }
    #expect(try stage.agent.magnum.run("queue", "flush").code == 0)
    #expect(stage.sink.messages.count == 1)
  }

  @Test(arguments: [["edit", "--to", "other@z.test"], ["cancel"], ["discard"]])
  func aCommandThatIsEndedAtAnyPointFreesNothing(_ words: [String]) throws {
    let stage = try Stage()
    for point in try points(stage, ["queue"] + words + [try stage.hold()]) {
      let entry = try stage.hold()
      let command = ["queue"] + words + [entry]
      _ = try stage.agent.magnum.command(command, ["MAGNUM_FAULT": "\(point)"]).run()
      for rest in [["queue", "flush"], ["queue", "retry", entry], ["queue", "undiscard", entry]] {
        _ = try stage.agent.magnum.command(rest).run()
      }
      _ = try stage.agent.magnum.run("queue", "flush")
      let left = ["hold", "failed"].flatMap(stage.names) + stage.agent.drafts
      #expect(!left.isEmpty, "\(point)")
      for entry in ["hold", "failed"].flatMap(stage.names) {
        _ = try stage.agent.magnum.run("queue", "discard", entry)
      }
      for draft in stage.agent.drafts { unlink(draft) }
    }
    #expect(stage.sink.messages.isEmpty)
  }

  @Test func aReleasedForwardMarksItsOriginal() throws {
    let stage = try Stage()
    let entry = try stage.hold(#"{"forward":"a@y.test","to":["new@z.test"],"text":"mine"}"#)
    #expect(!stage.agent.files.contains { $0.hasPrefix("INBOX/a") && $0.contains("P") })
    #expect(try stage.onTerminal("queue", "release", entry, typing: "y\n").code == 0)
    #expect(stage.agent.files.contains("INBOX/a:2,PS"), "\(stage.agent.files)")
    #expect(try stage.agent.magnum.run("search", "--count", "is:passed").output == "1\n")
  }

  /// A release that is ended before the answer frees nothing; after it, what the person wanted may be done.
  @Test func aReleaseThatIsEndedFreesNothingUnanswered() throws {
    let stage = try Stage()
    let entry = try stage.hold()
    for ending in [SIGKILL, SIGTERM, SIGHUP] {
      var command = stage.agent.magnum.command(["queue", "release", entry], ["TERM": "xterm"])
      command.isOnTerminal = true
      let running = try command.start()
      let deadline = Stopwatch.now() + 60
      while !running.outputSoFar.contains("[y/N] "), Stopwatch.now() < deadline {
        Stopwatch.sleep(0.01)
      }
      running.signal(ending)
      _ = running.wait()
      _ = try stage.agent.magnum.run("queue", "flush")
      #expect(stage.names("hold") == [entry])
    }
    #expect(stage.sink.messages.isEmpty)
  }
}
