import Glibc
import TestSupport
import Testing

/// The server as a process: what it takes, how it ends, and whom it serves.
@Suite struct AgentServerTests {
  private static func stage(_ agents: String = AgentStage.helper) throws -> AgentStage {
    let stage = try AgentStage()
    try stage.configure(agents)
    try stage.deliver("a")
    try stage.deliver("b", flags: "")
    try stage.index()
    return stage
  }

  private static let agent = """
    [agent.helper]
    accounts = ["work"]
    read = "folder:INBOX"

    """

  // MARK: Starting

  /// Sections with mistakes, and what is said of each.
  static let mistakes: [(section: String, line: Int, words: String)] = [
    ("[agent.helper]\naccounts = [\"work\"]", 7, "agent.helper.read: "),
    ("[agent.helper]\nread = \"*\"", 7, "agent.helper.accounts: "),
    ("[agent.helper]\naccounts = [\"wrok\"]\nread = \"*\"", 8, "did you mean \"work\"?"),
    (agent + "rihgts = []", 10, "did you mean \"rights\"?"),
    (agent + "rights = [\"serach\"]", 10, "did you mean \"search\"?"),
    (agent + "rights = [\"snd\"]", 10, "did you mean \"send\"?"),
    (agent + "limits = { sends = -1 }", 10, "must be 0 to 1000000"),
    (agent + "rights = [\"delet\"]", 10, "did you mean \"delete\"?"),
    (agent + "move-to = \"A\"", 10, "must be an array of strings"),
    (agent + "move_to = [\"A\"]", 10, "did you mean \"move-to\"?"),
    (agent + "tags = [1]", 10, "an array with an integer"),
    (agent + "tags = [\"\"]", 10, "must not be empty"),
    (agent + "limits = { actz = 1 }", 10, "did you mean \"acts\"?"),
    (agent + "limits = { mesages = 1 }", 10, "did you mean \"messages\"?"),
    (agent + "limits = { messages = -1 }", 10, "must be 0 to 1000000"),
    (agent + "limits = { bytes = \"x\" }", 10, "must be 0 to"),
    (agent + "limits = 5", 10, "must be a table"),
    (agent + "never = \"(\"", 10, "agent.helper.never: "),
    (agent + "never = \"lastmod:1..\"", 10, "mean nothing here"),
    (agent + "never = \"form:bank\"", 10, "\"form:\" is no field"),
    (agent + "never = \"tag:a or sender:bank\"", 10, "did you mean from:?"),
    (agent + "never = \"file:x\"", 10, "mean nothing here"),
    (agent + "never = \"\"", 10, "must not be empty"),
    ("[agent.Helper]\naccounts = [\"work\"]\nread = \"*\"", 7, "must be 1 to 32 of the characters"),
    (
      "[agent.\"../x\"]\naccounts = [\"work\"]\nread = \"*\"", 7,
      "must be 1 to 32 of the characters"
    ),
    ("[agent.other]\naccounts = [\"work\"]\nread = \"*\"", 0, "there is no agent \"helper\""),
  ]

  @Test(arguments: mistakes.indices)
  func mistakesAreNamedWithTheirLines(_ index: Int) throws {
    let row = Self.mistakes[index]
    let stage = try AgentStage()
    try stage.configure(row.section)
    let outcome = try stage.magnum.run("mcp", "--agent", "helper", "--print")
    #expect(outcome.code == 78, "\(outcome)")
    #expect(outcome.errors.contains(row.words), "\(outcome.errors)")
    if row.line > 0 {
      #expect(outcome.errors.contains("config.toml:\(row.line)"), "\(outcome.errors)")
    }
    #expect(outcome.output == "")
  }

  @Test func aPersonIsShownWhatAnAgentMayDo() throws {
    let stage = try Self.stage(Self.agent + "rights = [\"search\"]")
    let outcome = try stage.magnum.run("mcp", "--agent", "helper", "--print")
    #expect(outcome.code == 0)
    #expect(outcome.output.contains("tools: search, status\n"))
    #expect(outcome.output.contains("mail: 2 messages of work\n    INBOX  2\n"))
    #expect(
      outcome.output.contains(
        "200 messages, 20000000 bytes, 600 searches, 20 drafts, 10 sends, 200 acts\n"
      )
    )
    let names = try stage.magnum.run("complete", "agents")
    #expect(names.output == "helper\n")
    // Rights that lead nowhere.
    for (more, count) in [("", 2), ("\ntags = [\"a\"]\nmove-to = [\"b\"]", 0)] {
      try stage.configure(Self.agent + "rights = [\"move\", \"tag\"]" + more)
      let lines = try stage.magnum.run("mcp", "--agent", "helper", "--print").output
        .split(separator: "\n")
      let idle = lines.filter {
        $0 == "move: nowhere, since move-to names no folder"
          || $0 == "tag: nothing, since tags names no tag"
      }
      #expect(idle.count == count, "\(lines)")
    }
  }

  @Test func aBareEnvironmentIsEnough() throws {
    let stage = try Self.stage()
    var command = Command(
      "\(ProgramUnderTest.products)/magnum",
      ["mcp", "--agent", "helper"],
      environment: ["HOME": stage.magnum.home.path]
    )
    command.input = Array((AgentClient.call(1, "search", #"{"query":"*"}"#) + "\n").utf8)
    let outcome = try command.run()
    #expect(outcome.output.contains("\"count\":2"), "\(outcome)")
    #expect(outcome.errors == "")
  }

  // MARK: Rights

  /// Rights, and the tools that are offered.
  static let rights: [(rights: String, isReadOnly: Bool, tools: [String])] = [
    ("[]", false, ["status"]), ("[\"search\"]", false, ["search", "status"]),
    ("[\"show\"]", false, ["show", "status"]), ("[\"draft\"]", false, ["status", "draft"]),
    ("[\"draft\", \"show\", \"search\"]", false, ["search", "show", "status", "draft"]),
    ("[\"draft\", \"show\", \"search\"]", true, ["search", "show", "status"]),
    ("[\"send\"]", false, ["status", "send"]), ("[\"send\"]", true, ["status"]),
    ("[\"attachments\"]", true, ["status", "attachment"]),
    ("[\"mark\"]", false, ["status", "act", "undo"]),
    ("[\"tag\"]", false, ["status", "act", "undo"]),
    ("[\"archive\"]", false, ["status", "act", "undo"]),
    ("[\"move\"]", false, ["status", "act", "undo"]),
    ("[\"junk\"]", false, ["status", "act", "undo"]),
    ("[\"delete\"]", false, ["status", "act", "undo"]),
    ("[\"delete\", \"mark\", \"attachments\"]", true, ["status", "attachment"]),
  ]

  @Test(arguments: rights.indices)
  func toolsGoByRights(_ index: Int) throws {
    let row = Self.rights[index]
    let stage = try Self.stage(Self.agent + "rights = \(row.rights)")
    let client = try stage.client("helper", row.isReadOnly ? ["MAGNUM_READ_ONLY": "1"] : [:])
    let list = try client.request("tools/list")
    #expect(list["result"]?["tools"]?.elements.map { $0["name"]?.text } == row.tools)
    for (tool, arguments) in [
      ("search", #"{"query":"*"}"#), ("show", #"{"id":"a@y.test"}"#), ("draft", #"{"text":"a"}"#),
      ("send", "{}"), ("act", #"{"do":"read","ids":["b@y.test"]}"#), ("undo", #"{"act":1}"#),
      ("attachment", #"{"id":"a@y.test","part":"1"}"#),
    ] where !row.tools.contains(tool) {
      let answer = try client.request("tools/call", #""name":"\#(tool)","arguments":\#(arguments)"#)
      #expect(answer["error"]?["code"]?.integer == -32602, "\(tool)")
    }
    #expect(stage.drafts == [])
    #expect(stage.files == ["INBOX/a:2,S", "INBOX/b:2,"])
  }

  @Test("a change of the configuration counts at the next call, and a mistake refuses all calls")
  func changesCountAtOnce() throws {
    let stage = try Self.stage()
    let client = try stage.client()
    #expect(try client.call("search", #"{"query":"*"}"#)["count"]?.integer == 2)
    try stage.configure(AgentStage.helper.replacing("folder:INBOX", with: "id:a@y.test"))
    #expect(try client.call("search", #"{"query":"*"}"#)["count"]?.integer == 1)
    #expect(try client.failure("show", #"{"id":"b@y.test"}"#) == "not-found")
    try stage.configure(AgentStage.helper.replacing("rights = [\"search\", ", with: "rights = ["))
    let gone = try client.request("tools/call", #""name":"search","arguments":{"query":"*"}"#)
    #expect(gone["error"]?["code"]?.integer == -32602)
    for broken in ["[agent.helper", AgentStage.helper.replacing("read =", with: "raed ="), ""] {
      try stage.configure(broken)
      #expect(try client.failure("show", #"{"id":"a@y.test"}"#) == "refused", "\(broken)")
      #expect(try client.failure("status") == "refused")
    }
    #expect(unlink("\(stage.magnum.home.path)/.config/magnum/config.toml") == 0)
    #expect(try client.failure("status") == "refused")
    try stage.configure()
    #expect(try client.call("search", #"{"query":"*"}"#)["count"]?.integer == 2)
  }

  // MARK: What comes

  @Test func clientsOfAllRevisionsAreServedAtOnce() throws {
    let client = try Self.stage().client()
    try client.send(
      #"{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-06-18","#
        + #""capabilities":{},"clientInfo":{"name":"old client","version":"1"}}}"#
    )
    #expect(try client.answer()["result"]?["protocolVersion"]?.text == "2025-06-18")
    try client.send(#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#)
    try client.send(
      #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"status","arguments":{}}}"#
    )
    let old = try client.answer()
    #expect(old["result"]?["structuredContent"]?["version"]?.integer == 1)
    #expect(old["result"]?["resultType"] == nil)
    let new = try client.request("tools/call", #""name":"status","arguments":{}"#)
    #expect(new["result"]?["resultType"]?.text == "complete")
  }

  @Test func garbageAndLongLinesAreAnsweredAndDropped() throws {
    let client = try Self.stage().client()
    var garbage: [UInt8] = []
    var random = SeededGenerator(seed: 7)
    for _ in 0..<4000 { garbage.append(UInt8.random(in: 11...255, using: &random)) }
    try client.send(garbage + [10])
    #expect(try client.answer()["error"]?["code"]?.integer == -32700)
    // 10 MB in a line, and 10 MB of a call.
    try client.send([UInt8](repeating: 0x61, count: 10_000_000) + [10])
    #expect(try client.answer()["error"]?["code"]?.integer == -32600)
    let long = String(repeating: "x", count: 10_000_000)
    try client.send(AgentClient.call(9, "search", #"{"query":"\#(long)"}"#))
    #expect(try client.answer()["error"]?["code"]?.integer == -32600)
    #expect(try client.call("search", #"{"query":"*"}"#)["count"]?.integer == 2)
  }

  @Test func whatIsTooManyIsRefused() throws {
    let client = try Self.stage().client()
    let count = 200
    let lines = (1...count).map { AgentClient.call($0, "search", #"{"query":"*"}"#) + "\n" }
    try client.send(Array(lines.joined().utf8))
    var codes: [Int?] = []
    for _ in 0..<count { codes.append(try client.answer()["error"]?["code"]?.integer) }
    #expect(codes.count { $0 == nil } >= 16)
    #expect(codes.allSatisfy { $0 == nil || $0 == -32603 })
    #expect(try client.call("status")["version"]?.integer == 1)
  }

  @Test func cancelledRequestsAreNotAnswered() throws {
    let client = try Self.stage().client()
    var lines = (1...10).map { AgentClient.call($0, "search", #"{"query":"*"}"#) }
    lines += (3...10).map {
      #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":\#($0)}}"#
    }
    lines.append(AgentClient.call(99, "status", "{}"))
    try client.send(Array((lines.joined(separator: "\n") + "\n").utf8))
    var ids: [Int] = []
    repeat { ids.append(try client.answer()["id"]?.integer ?? 0) } while ids.last != 99
    #expect(Set(ids).count == ids.count)
    #expect(ids.filter { $0 != 99 }.allSatisfy { (1...10).contains($0) })
    #expect(ids == ids.sorted())
  }

  // MARK: Ending

  @Test func theEndOfInputEndsTheServer() throws {
    let client = try Self.stage().client()
    _ = try client.call("status")
    client.end()
    #expect(Stopwatch.wait(upTo: 20) { client.server.hasEnded })
    #expect(client.server.wait().end == .exited(0))
  }

  @Test func aSignalEndsTheServer() throws {
    let client = try Self.stage().client()
    _ = try client.call("status")
    client.server.signal(SIGTERM)
    #expect(Stopwatch.wait(upTo: 20) { client.server.hasEnded })
    #expect(client.server.wait().end == .exited(0))
  }

  @Test func aClosedOutputEndsTheServer() throws {
    let stage = try Self.stage()
    let pipe = "\(stage.magnum.home.path)/in"
    #expect(mkfifo(pipe, 0o600) == 0)
    let input = open(pipe, O_RDWR | O_CLOEXEC)
    defer { close(input) }
    var command = stage.magnum.command([])
    command.program = "/bin/sh"
    command.arguments = [
      "-c", "{ \"$0\" mcp --agent helper <\"$1\"; echo $? >&2; } | true",
      "\(ProgramUnderTest.products)/magnum", pipe,
    ]
    let outcome = try command.run()
    #expect(outcome.errors.contains("74"), "\(outcome)")
  }

  @Test func clientsThatDieDisturbNoOther() throws {
    let stage = try Self.stage()
    let (one, two) = (try stage.client(), try stage.client())
    _ = try one.call("status")
    try one.send(Array(#"{"jsonrpc":"2.0","id":1,"met"#.utf8))
    one.server.signal(SIGKILL)
    #expect(Stopwatch.wait(upTo: 20) { one.server.hasEnded })
    #expect(try two.call("search", #"{"query":"*"}"#)["count"]?.integer == 2)
    let three = try stage.client()
    #expect(try three.call("draft", #"{"to":["a@y.test"],"text":"a"}"#)["draft"] != nil)
    #expect(try two.call("status")["drafts"]?.elements.count == 1)
  }

  // MARK: Limits and the record

  @Test("processes of one agent share its limits, and never use more")
  func limitsAreShared() throws {
    let stage = try Self.stage(
      Self.agent + "rights = [\"search\", \"show\", \"draft\"]\n"
        + "limits = { searches = 20, messages = 7, drafts = 3 }"
    )
    let clients = try (0..<4).map { _ in try stage.client() }
    for (tool, arguments, limit) in [
      ("search", #"{"query":"*"}"#, 20), ("show", #"{"id":"a@y.test"}"#, 7),
      ("draft", #"{"to":["a@y.test"],"text":"a"}"#, 3),
    ] {
      for client in clients {
        let lines = (1...8).map { AgentClient.call($0, tool, arguments) + "\n" }
        try client.send(Array(lines.joined().utf8))
      }
      var (done, refused) = (0, 0)
      for client in clients {
        for _ in 0..<8 {
          let result = try client.answer()["result"]
          if result?["isError"] == .boolean(false) { done += 1 }
          if result?["content"]?[0]?["text"]?.text?.contains("\"code\":\"limit\"") == true {
            refused += 1
          }
        }
      }
      #expect(done == limit, "\(tool)")
      #expect(refused == 32 - limit, "\(tool)")
    }
    #expect(stage.drafts.count == 3)
    let status = try clients[0].call("status")
    #expect(status["limits"]?["searches"]?["left"]?.integer == 0)
    #expect(status["limits"]?["searches"]?["until"] != nil)
  }

  @Test func octetsOfAnswersAreLimited() throws {
    let stage = try Self.stage(Self.agent + "rights = [\"search\"]\nlimits = { bytes = 1500 }")
    let client = try stage.client()
    var answers = 0
    while try client.failure("search", #"{"query":"*"}"#) == nil { answers += 1 }
    #expect((1...4).contains(answers))
    #expect(try client.failure("search", #"{"query":"*"}"#) == "limit")
  }

  @Test("calls that fail leave short lines, which count: they do not fill the record")
  func linesOfCallsThatFailAreLimited() throws {
    let stage = try Self.stage(
      Self.agent + "rights = [\"search\", \"mark\"]\nlimits = { bytes = 4000 }"
    )
    let client = try stage.client()
    let ids = (10..<60).map { "\"\(String(repeating: "x", count: 980))\($0)@y.test\"" }
    let call = #"{"do":"read","ids":[\#(ids.joined(separator: ","))]}"#
    let codes = try (0..<30).map { _ in try client.failure("act", call) }
    let counted = codes.prefix { $0 == "not-found" }.count
    #expect((2...20).contains(counted), "\(codes)")
    #expect(codes.dropFirst(counted).allSatisfy { $0 == "limit" })
    // What it may do is told all the same.
    #expect(try client.failure("status") == nil)
    let calls = try stage.calls()
    #expect(calls.count == 31)
    #expect(calls.dropFirst().prefix(10).allSatisfy { $0["arguments"] == nil })
    let arguments = try #require(calls.last?["arguments"])
    #expect(arguments["do"]?.text == "read" && arguments["ids"]?["count"]?.integer == 50)
    #expect(arguments["ids"]?["sha256"]?.text?.utf8.count == 64)
    let directory = "\(stage.magnum.home.path)/.local/state/magnum/agents/helper"
    let months = Files.names(in: directory).filter {
      $0.count == 7 && $0.starts(with: Array("20".utf8))
    }
    let text = months.compactMap {
      Files.text("\(directory)/\(String(decoding: $0, as: UTF8.self))")
    }
    #expect((1...10_000).contains(text.joined().utf8.count), "\(text)")
  }

  @Test func aRecordThatOthersCanChangeIsNotUsed() throws {
    let stage = try Self.stage()
    let client = try stage.client()
    _ = try client.call("status")
    let directory = "\(stage.magnum.home.path)/.local/state/magnum/agents/helper"
    var status = stat()
    #expect(stat(directory, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o700)
    for name in Files.names(in: directory) {
      let path = "\(directory)/\(String(decoding: name, as: UTF8.self))"
      #expect(stat(path, &status) == 0)
      #expect(status.st_mode & 0o077 == 0, "\(path)")
    }
    #expect(chmod(directory, 0o777) == 0)
    #expect(try client.failure("status") == "full")
    #expect(try client.failure("draft", #"{"text":"a"}"#) == "full")
    #expect(stage.drafts == [])
    #expect(chmod(directory, 0o700) == 0)
    try stage.magnum.home.write(
      "nonsense\n",
      to: ".local/state/magnum/agents/helper/limits",
      mode: 0o600
    )
    #expect(try client.failure("search", #"{"query":"*"}"#) == "full")
    #expect(unlink("\(directory)/limits") == 0)
    #expect(symlink("/dev/null", "\(directory)/limits") == 0)
    #expect(try client.failure("search", #"{"query":"*"}"#) == "full")
  }

  @Test func eachCallIsOnRecord() throws {
    let stage = try Self.stage()
    let client = try stage.client()
    try client.send(
      #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"clientInfo":{"name":"my client"}}}"#
    )
    _ = try client.answer()
    _ = try client.call("search", #"{"query":"*"}"#)
    _ = try client.failure("show", #"{"id":"x"}"#)
    let text = String(repeating: "secret ", count: 100)
    let draft = try client.call("draft", #"{"to":["a@y.test"],"text":"\#(text)"}"#)
    let calls = try stage.calls()
    #expect(calls.map { $0["outcome"]?.text } == ["done", "not-found", "done"])
    #expect(calls.map { $0["tool"]?.text } == ["draft", "show", "search"])
    #expect(calls.allSatisfy { $0["client"]?.text == "my client" })
    #expect(
      calls[2]["ids"]?.elements == [.string("b@y.test"), .string("a@y.test")]
        || calls[2]["ids"]?.elements == [.string("a@y.test"), .string("b@y.test")]
    )
    #expect(calls[0]["draft"] == draft["draft"])
    #expect(calls[0]["arguments"]?["text"]?["length"]?.integer == 700)
    #expect(!calls[0].texts.contains { $0.contains("secret") })
    let lines = try stage.magnum.run("log", "--agent", "helper", "--limit", "1")
    #expect(lines.output.contains("  draft  done  draft "))
    #expect(lines.output.split(separator: "\n").count == 1)
    let unknown = try stage.magnum.run("log", "--agent", "hleper")
    #expect(unknown.code == 78)
    #expect(unknown.errors.contains("did you mean helper?"))
    let odd = try stage.magnum.run("log", "--agent", "../helper")
    #expect(odd.code == 78)
  }

  // MARK: Nothing leaves

  @Test(.enabled("needs strace (Tests/need strace)") { access("/usr/bin/strace", X_OK) == 0 })
  func nothingIsConnectedAndNothingIsStarted() throws {
    let stage = try Self.stage(
      AgentStage.helper.replacing("\"draft\"]", with: "\"draft\", \"mark\", \"attachments\"]")
    )
    var command = stage.magnum.command([])
    let trace = "\(stage.magnum.home.path)/trace"
    command.program = "/usr/bin/strace"
    command.arguments = [
      "-f", "-o", trace, "-e", "trace=socket,connect,sendto,execve,bind",
      "\(ProgramUnderTest.products)/magnum", "mcp", "--agent", "helper",
    ]
    let calls = [
      AgentClient.line(1, "tools/list"), AgentClient.call(2, "search", #"{"query":"*"}"#),
      AgentClient.call(3, "show", #"{"id":"a@y.test","links":true}"#),
      AgentClient.call(4, "draft", #"{"reply":"a@y.test","text":"a"}"#),
      AgentClient.call(5, "status", "{}"),
      AgentClient.call(6, "act", #"{"do":"read","ids":["b@y.test"]}"#),
      AgentClient.call(7, "undo", #"{"act":1}"#),
      AgentClient.call(8, "attachment", #"{"id":"a@y.test","part":"1"}"#),
    ]
    command.input = Array((calls.joined(separator: "\n") + "\n").utf8)
    let outcome = try command.run()
    #expect(!outcome.output.contains("isError\":true"), "\(outcome.output)")
    let lines = try #require(Files.text(trace)).split(separator: "\n")
    #expect(lines.count { $0.contains("execve(") } == 1)
    #expect(lines.filter { $0.contains("AF_INET") } == [])
    #expect(lines.filter { $0.contains("sendto(") || $0.contains("bind(") } == [])
  }
}
