import Glibc
import TestSupport
import Testing

/// What an agent changes of messages: within its rights and its view, and each of it can be taken back.
@Suite struct AgentActTests {
  private static let all =
    "folder:INBOX or folder:Work or folder:Junk or folder:Drafts or folder:Lists"

  /// All rights to change messages, of mail in these folders.
  private static func agent(
    _ rights: [String] = ["mark", "tag", "archive", "move", "junk", "delete"],
    name: String = "helper",
    read: String = all + " or folder:Archive or folder:Trash",
    never: String = "from:bank",
    more: String = ""
  ) -> String {
    """
    [agent.\(name)]
    accounts = ["work"]
    read = "\(read)"
    never = "\(never)"
    rights = [\((["search"] + rights).map { "\"\($0)\"" }.joined(separator: ", "))]
    tags = ["agent/*", "$*", "inbox", "unread", "flagged", "trash", "private"]
    move-to = ["Work", "Sent", "Drafts", "Trash", "Junk", "other/%", "Nowhere"]
    \(more)

    """
  }

  private static func stage(_ agents: String = agent()) throws -> AgentStage {
    let stage = try AgentStage()
    try stage.configure(agents)
    for folder in ["Archive", "Trash", "Junk", "Sent", "Work", "Lists"] {
      try stage.makeFolder(folder)
    }
    for name in ["a", "b"] { try stage.deliver(name) }
    try stage.deliver("new", flags: "")
    try stage.deliver("spam", folder: "Junk")
    try stage.deliver("draft", folder: "Drafts", flags: "DS")
    try stage.deliver("money", ["From: bank <x@bank.test>"])
    try stage.deliver("hidden", folder: "Private")
    for folder in ["INBOX", "Work"] {
      try stage.deliver("two", folder: folder, file: "two-\(folder)")
    }
    for folder in ["INBOX", "Private"] {
      try stage.deliver("half", folder: folder, file: "half-\(folder)")
    }
    for number in 1...2 {
      try stage.deliver("same\(number)", ["Message-ID: <same@y.test>"], "text \(number)")
    }
    try stage.index()
    return stage
  }

  private static func arguments(_ verb: String, _ ids: String..., more: String = "") -> String {
    let ids = ids.map { "\"\($0)@y.test\"" }.joined(separator: ",")
    return #"{"do":"\#(verb)","ids":[\#(ids)]\#(more.isEmpty ? "" : ",\(more)")}"#
  }

  // MARK: Each verb

  /// Each verb with its right, what it needs besides, a message, and the file that comes of it.
  static let verbs: [(verb: String, right: String, more: String, id: String, file: String)] = [
    ("read", "mark", "", "new", "INBOX/new:2,S"), ("unread", "mark", "", "a", "INBOX/a:2,"),
    ("flag", "mark", "", "a", "INBOX/a:2,FS"), ("unflag", "mark", "", "a", "INBOX/a:2,S"),
    ("tag", "tag", #""add":["agent/x"]"#, "a", "INBOX/a:2,S"),
    ("archive", "archive", "", "a", "Archive/a:2,S"),
    ("move", "move", #""to":"Work""#, "a", "Work/a:2,S"), ("junk", "junk", "", "a", "Junk/a:2,S"),
    ("notjunk", "junk", #""folder":"Junk""#, "spam", "INBOX/spam:2,S"),
    ("delete", "delete", "", "a", "Trash/a:2,S"),
  ]

  @Test("each verb needs its right, is in the journal with the agent, and is taken back")
  func verbsGoByRightsAndAreTakenBack() throws {
    let stage = try Self.stage()
    let client = try stage.client()
    let before = stage.files
    for right in ["mark", "tag", "archive", "move", "junk", "delete"] {
      try stage.configure(Self.agent([right]))
      for row in Self.verbs {
        let call = Self.arguments(row.verb, row.id, more: row.more)
        guard row.right == right else {
          #expect(try client.failure("act", call) == "refused", "\(right) \(row.verb)")
          #expect(stage.files == before)
          continue
        }
        let result = try client.call("act", call)
        #expect(result["done"]?.integer == 1 && result["left"]?.integer == 0, "\(row.verb)")
        #expect(stage.files.contains(row.file), "\(row.verb): \(stage.files)")
        guard let act = result["act"]?.integer else {
          #expect(row.verb == "unflag", "\(result)")
          continue
        }
        let log = try stage.magnum.run("log", "--limit", "1")
        #expect(log.output.contains("by the agent helper"), "\(log.output)")
        let undone = try client.call("undo", #"{"act":\#(act)}"#)
        #expect(undone["done"]?.integer == 1 && undone["left"]?.integer == 0, "\(row.verb)")
        #expect(stage.files == before, "\(row.verb)")
        #expect(try client.failure("undo", #"{"act":\#(act)}"#) == "not-found")
        // What it took back it does again by itself alone.
        let undo = try #require(undone["act"]?.integer)
        #expect(try client.failure("undo", #"{"act":\#(undo)}"#) == "not-found")
      }
    }
    let json = try ParsedJSON(
      String(try stage.magnum.run("log", "--json", "--limit", "1").output.split(separator: "\n")[0])
    )
    #expect(json["by"]?.text == "mcp:helper")
    #expect(try stage.magnum.run("status").output.contains("18 acts of agents today"))
    #expect(try stage.magnum.run("status", "--json").output.contains("\"agent-acts\":18"))
    let calls = try stage.calls()
    #expect(calls.contains { $0["act"]?.integer == 18 && $0["tool"]?.text == "undo" })
  }

  // MARK: What is not changed

  /// Calls that change nothing, each with its code.
  static let failures: [(arguments: String, code: String)] = [
    // Outside of the view.
    (arguments("archive", "hidden"), "not-found"), (arguments("archive", "money"), "not-found"),
    (arguments("archive", "none"), "not-found"), (arguments("read", "new", "hidden"), "not-found"),
    (arguments("archive", "half", more: #""folder":"Private""#), "not-found"),
    (arguments("read", "a", more: #""folder":"Work""#), "not-found"),
    // Which one is not clear.
    (arguments("archive", "two"), "ambiguous"), (arguments("read", "same"), "ambiguous"),
    (arguments("delete", "same"), "ambiguous"), (arguments("archive", "draft"), "ambiguous"),
    (arguments("archive", "spam"), "ambiguous"),
    // Out of Drafts, into Drafts and Sent, into other accounts, where there is no folder.
    (arguments("archive", "draft", more: #""folder":"Drafts""#), "refused"),
    (arguments("delete", "draft", more: #""folder":"Drafts""#), "refused"),
    (arguments("move", "draft", more: #""folder":"Drafts","to":"Work""#), "refused"),
    (arguments("move", "a", more: #""to":"Drafts""#), "refused"),
    (arguments("move", "a", more: #""to":"Sent""#), "refused"),
    (arguments("move", "a", more: #""to":"Trash""#), "refused"),
    (arguments("move", "a", more: #""to":"Junk""#), "refused"),
    (arguments("move", "a", more: #""to":"Lists""#), "refused"),
    (arguments("move", "a", more: #""to":"Nowhere""#), "refused"),
    (arguments("move", "a", more: #""to":"other/INBOX""#), "refused"),
    (arguments("move", "a", more: #""to":"../Work""#), "refused"),
    (arguments("move", "a", more: #""to":"work/Lists""#), "refused"),
    // Tags that are flags, places, keywords of others, or not named by the configuration.
    (arguments("tag", "a", more: #""add":["unread"]"#), "refused"),
    (arguments("tag", "a", more: #""add":["flagged"]"#), "refused"),
    (arguments("tag", "a", more: #""remove":["inbox"]"#), "refused"),
    (arguments("tag", "a", more: #""add":["trash"]"#), "refused"),
    (arguments("tag", "a", more: #""add":["$Junk"]"#), "refused"),
    (arguments("tag", "a", more: #""add":["replied"]"#), "refused"),
    (arguments("tag", "a", more: #""add":["todo"]"#), "refused"),
    (arguments("tag", "a", more: #""add":["agent/x","todo"]"#), "refused"),
    (arguments("tag", "a", more: #""remove":["todo"]"#), "refused"),
    (arguments("tag", "a", more: #""add":["agent/\u200bx"]"#), "arguments"),
    (arguments("tag", "a", more: #""add":["agent/x"],"remove":["AGENT/X"]"#), "arguments"),
    (arguments("tag", "a"), "arguments"), (arguments("tag", "a", more: #""add":[]"#), "arguments"),
    // What a verb does not take.
    (arguments("read", "a", more: #""add":["agent/x"]"#), "arguments"),
    (arguments("read", "a", more: #""to":"Work""#), "arguments"),
    (arguments("move", "a"), "arguments"), (arguments("read"), "arguments"),
    (arguments("expunge", "a"), "arguments"), (#"{"do":"read","ids":["thread:{a}"]}"#, "not-found"),
    (#"{"do":"read","ids":["*"]}"#, "not-found"),
    (#"{"do":"read","ids":["id:a@y.test or *"]}"#, "not-found"),
    (#"{"do":"read","ids":["/etc/passwd"]}"#, "not-found"),
  ]

  @Test func actsThatAreNotAllowed() throws {
    let stage = try Self.stage()
    let client = try stage.client()
    let before = stage.files
    for (arguments, code) in Self.failures {
      #expect(try client.failure("act", arguments) == code, "\(arguments)")
      #expect(stage.files == before, "\(arguments)")
    }
    #expect(try stage.magnum.run("log").output == "")
  }

  @Test("a message of a view and its file outside: only the file within is changed")
  func whatIsNotSeenIsNotChanged() throws {
    let stage = try Self.stage(Self.agent(read: Self.all))
    let client = try stage.client()
    _ = try client.call("act", Self.arguments("flag", "half"))
    #expect(stage.files.contains("INBOX/half-INBOX:2,FS"))
    #expect(stage.files.contains("Private/half-Private:2,S"))
    _ = try client.call("act", Self.arguments("archive", "half"))
    #expect(stage.files.contains("Archive/half-INBOX:2,FS"))
    #expect(stage.files.contains("Private/half-Private:2,S"))
    // It is out of the view by now: a person alone brings it back.
    #expect(try client.failure("act", Self.arguments("unflag", "half")) == "not-found")
    #expect(try client.failure("undo", #"{"act":2}"#) == "refused")
    #expect(stage.files.contains("Archive/half-INBOX:2,FS"))
    #expect(try stage.magnum.run("undo", "2").code == 0)
    #expect(stage.files.contains("INBOX/half-INBOX:2,FS"))
  }

  @Test func aCopyIsNamedWhereThereAreSeveral() throws {
    let stage = try Self.stage()
    let client = try stage.client()
    _ = try client.call("act", Self.arguments("flag", "two"))
    #expect(
      stage.files.contains("INBOX/two-INBOX:2,FS") && stage.files.contains("Work/two-Work:2,FS")
    )
    _ = try client.call("act", Self.arguments("archive", "two", more: #""folder":"Work""#))
    #expect(stage.files.contains("INBOX/two-INBOX:2,FS"))
    #expect(stage.files.contains("Archive/two-Work:2,FS"))
  }

  @Test("what the queries of a view name is not changed where that would change the view")
  func theViewIsNotChanged() throws {
    let stage = try Self.stage(
      Self.agent(
        read: "folder:INBOX or thread:{is:flagged} or thread:{folder:Work}",
        never: "tag:agent/hidden"
      )
    )
    let client = try stage.client()
    let before = stage.files
    for arguments in [
      Self.arguments("flag", "a"), Self.arguments("archive", "a"), Self.arguments("delete", "a"),
      Self.arguments("tag", "a", more: #""add":["agent/HIDDEN"]"#),
    ] {
      #expect(try client.failure("act", arguments) == "refused", "\(arguments)")
    }
    #expect(stage.files == before)
    _ = try client.call("act", Self.arguments("read", "new"))
    _ = try client.call("act", Self.arguments("tag", "a", more: #""add":["agent/seen"]"#))
  }

  // MARK: Undo

  @Test("an agent takes back its own acts alone, and a person's undo is about a person's acts")
  func onlyOwnActsAreTakenBack() throws {
    let stage = try Self.stage(Self.agent() + Self.agent(name: "other"))
    let (client, other) = (try stage.client(), try stage.client("other"))
    _ = try stage.magnum.run("archive", "id:b@y.test")
    #expect(try client.call("act", Self.arguments("archive", "a"))["act"]?.integer == 2)
    #expect(try other.call("act", Self.arguments("flag", "new"))["act"]?.integer == 3)
    for number in [1, 3, 4, 999_999] {
      #expect(try client.failure("undo", #"{"act":\#(number)}"#) == "not-found", "\(number)")
    }
    let outcome = try stage.magnum.run("undo")
    #expect(outcome.code == 0)
    #expect(stage.files.contains("INBOX/b:2,S") && stage.files.contains("Archive/a:2,S"))
    #expect(try stage.magnum.run("undo").code == 1)
    // A person took the message on: it stays there.
    _ = try stage.magnum.run("move", "Lists", "id:a@y.test")
    let left = try client.call("undo", #"{"act":2}"#)
    #expect(left["done"]?.integer == 0 && left["left"]?.integer == 1 && left["act"] == nil)
    #expect(stage.files.contains("Lists/a:2,S"))
    // By its number a person takes back what an agent did.
    #expect(try stage.magnum.run("undo", "3").code == 0)
    #expect(stage.files.contains("INBOX/new:2,"))
    #expect(try other.failure("undo", #"{"act":3}"#) == "not-found")
  }

  /// Configurations with which an agent does not take back an act: 1 tags a, 2 archives b, 3 flags new, 4 moves a to Work.
  static let refusedUndos: [(agent: String, act: Int)] = [
    // A right is gone.
    (agent(["mark"], never: "from:bank or tag:agent/priv"), 1), (agent(["mark"]), 2),
    (agent(["mark"], read: "folder:INBOX"), 2), (agent(["tag"]), 3), (agent(["archive"]), 4),
    // A tag is named, or no longer the agent's.
    (agent(never: "from:bank or tag:agent/priv"), 1), (agent(read: "tag:agent/priv"), 1),
    (agent().replacing("\"agent/*\"", with: "\"agent/x\""), 1),
    // A folder is no longer one to move to.
    (agent().replacing("\"Work\", ", with: ""), 4),
    // A message is not in the view.
    (agent(read: "folder:INBOX"), 2), (agent(read: "folder:INBOX"), 4),
    (agent(never: "id:b@y.test"), 2), (agent(never: "folder:Archive"), 2),
    (agent(never: "is:flagged"), 3),
    // The view would change.
    (agent(read: all + " or folder:Archive or thread:{folder:Lists}"), 2),
    (agent(never: "thread:{is:flagged and tag:x}"), 3),
  ]

  @Test("an undo needs the rights and the view of now")
  func anUndoGoesByRightsAndViewOfNow() throws {
    let stage = try Self.stage()
    let client = try stage.client()
    let before = stage.files
    for call in [
      Self.arguments("tag", "a", more: #""add":["agent/priv"]"#), Self.arguments("archive", "b"),
      Self.arguments("flag", "new"), Self.arguments("move", "a", more: #""to":"Work""#),
    ] { #expect(try client.call("act", call)["done"]?.integer == 1, "\(call)") }
    let after = stage.files
    for (agent, act) in Self.refusedUndos {
      try stage.configure(agent)
      #expect(try client.failure("search", #"{"query":"*"}"#) == nil, "\(agent)")
      #expect(try client.failure("undo", #"{"act":\#(act)}"#) == "refused", "\(act): \(agent)")
      #expect(stage.files == after, "\(act): \(agent)")
    }
    // What was hidden by the tag stays hidden.
    try stage.configure(Self.agent(never: "tag:agent/priv"))
    let found = try client.call("search", #"{"query":"id:a@y.test"}"#)
    #expect(found["count"]?.integer == 0)
    try stage.configure(Self.agent())
    for act in [4, 3, 2, 1] {
      #expect(try client.call("undo", #"{"act":\#(act)}"#)["done"]?.integer == 1, "\(act)")
    }
    #expect(stage.files == before)
  }

  // MARK: Limits and failures

  @Test("processes of one agent change no more messages than it may")
  func limitsAreShared() throws {
    let stage = try Self.stage(Self.agent(more: "limits = { acts = 9 }"))
    let clients = try (0..<4).map { _ in try stage.client() }
    for (number, client) in clients.enumerated() {
      let verb = ["flag", "unread", "unflag", "read"][number]
      let call = Self.arguments(verb, "a", "b")
      let lines = (1...4).map { AgentClient.call($0, "act", call) + "\n" }
      try client.send(Array(lines.joined().utf8))
    }
    var done = 0
    for client in clients {
      for _ in 0..<4 {
        let result = try client.answer()["result"]
        if result?["isError"] == .boolean(false) { done += 1 }
      }
    }
    #expect(done == 4)
    // There is room for one message, and not for two.
    #expect(try clients[0].failure("act", Self.arguments("flag", "a", "b")) == "limit")
    #expect(try clients[0].failure("act", Self.arguments("flag", "a")) == nil)
    #expect(try clients[1].failure("act", Self.arguments("flag", "a")) == "limit")
    #expect(try clients[1].failure("undo", #"{"act":1}"#) == "limit")
  }

  private func run(_ stage: AgentStage, _ variables: [String: String]) throws -> Outcome {
    var command = stage.magnum.command(["mcp", "--agent", "helper"], variables)
    let call = AgentClient.call(1, "act", Self.arguments("archive", "a", "b"))
    command.input = Array((call + "\n").utf8)
    return try command.run()
  }

  @Test func whatTheDiskRefusesIsNotDone() throws {
    let stage = try Self.stage()
    let client = try stage.client()
    let before = stage.files
    for number in 1...16 {
      let outcome = try run(stage, ["MAGNUM_FAULT_ERROR": "\(number):ENOSPC"])
      #expect(outcome.code == 0, "\(number)")
      let done = stage.files.count { $0.hasPrefix("Archive/") }
      let answer = try ParsedJSON(String(outcome.output.split(separator: "\n").first ?? ""))
      let result = answer["result"]
      if result?["isError"] == .boolean(true) {
        #expect(stage.files == before, "\(number): \(outcome.output)")
        continue
      }
      // What is not known to be done is said to be left, and can be taken back all the same.
      let said = result?["structuredContent"]?["done"]?.integer
      #expect(said == done || said == 0, "\(number)")
      guard done > 0 else { continue }
      let act = try #require(result?["structuredContent"]?["act"]?.integer)
      _ = try client.call("undo", #"{"act":\#(act)}"#)
      #expect(stage.files == before, "\(number)")
    }
  }

  @Test(
    "an agent that is killed at any point leaves an act whole or not begun, and never one without a record"
  )
  func killedActs() throws {
    let stage = try Self.stage()
    let count = "\(stage.magnum.home.path)/count"
    let before = stage.files
    _ = try run(stage, ["MAGNUM_FAULT_COUNT": count])
    _ = try stage.magnum.run("undo", "1")
    #expect(stage.files == before)
    let points = Int(Files.text(count)?.split(separator: "\n").first ?? "") ?? 0
    #expect(points > 5)
    for point in stride(from: 1, through: points, by: max(1, points / 12)) {
      _ = try run(stage, ["MAGNUM_FAULT": "\(point)"])
      // The next command finishes what was begun.
      _ = try stage.magnum.run("undo", "--dry-run")
      let done = stage.files.count { $0.hasPrefix("Archive/") }
      #expect(done == 0 || done == 2, "\(point): \(stage.files)")
      guard done == 2 else { continue }
      let log = try stage.magnum.run("log", "--limit", "1", "--json").output
      let number = try #require(
        try ParsedJSON(String(log.split(separator: "\n")[0]))["act"]?.integer
      )
      #expect(try stage.calls().contains { $0["act"]?.integer == number }, "\(point)")
      _ = try stage.magnum.run("undo", "\(number)")
      #expect(stage.files == before)
    }
  }
}
