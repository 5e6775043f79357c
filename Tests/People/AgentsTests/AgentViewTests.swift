import Glibc
import TestSupport
import Testing

/// What lies outside the view changes nothing that an agent gets.
@Suite struct AgentViewTests {
  /// Mail that both homes have: threads, words, flags, folders.
  private static func fill(_ stage: AgentStage) throws {
    for number in 0..<30 {
      let parent = number % 3 == 2 ? ["In-Reply-To: <m\(number - 1)@y.test>"] : []
      try stage.deliver(
        "m\(number)",
        parent + [
          "From: Writer \(number % 7) <w\(number % 7)@y.test>", "Subject: topic \(number % 5)",
          "Date: \(1 + number % 28) Oct 2026 \(10 + number % 10):00:00 +0000",
        ],
        "alpha beta\(number) gamma\(number % 4)\nhttps://h\(number % 3).example/",
        folder: number % 4 == 0 ? "Work" : "INBOX",
        flags: number % 2 == 0 ? "S" : number % 5 == 0 ? "F" : ""
      )
    }
  }

  /// Mail of which one home has more than the other, in threads of its own.
  private static func fillOutside(_ stage: AgentStage, _ word: String, count: Int) throws {
    for number in 0..<count {
      try stage.deliver(
        "\(word)\(number)",
        [
          "From: \(word) <\(word)@bank.test>", "Subject: \(word) \(number)",
          "Date: \(1 + number % 28) Nov 2026 10:00:00 +0000",
        ],
        "alpha \(word) beta\(number) \((0..<40).map { "\(word)\(number)x\($0)" }.joined(separator: " "))",
        folder: number % 3 == 0 ? "INBOX" : "Private",
        flags: number % 2 == 0 ? "" : "F"
      )
    }
  }

  /// An agent finds no hidden recipient and is shown none; a person does, and may keep messages from it by them.
  @Test func hiddenRecipientsAreNotFound() throws {
    let stage = try AgentStage()
    let agent = """
      [agent.helper]
      accounts = ["work"]
      read = "folder:INBOX or folder:Sent"
      rights = ["search", "show", "draft"]
      limits = { drafts = 1000 }

      """
    try stage.configure(agent)
    try stage.deliver(
      "sent",
      ["From: me@x.test", "To: ann@y.test", "Cc: Bob <bob@z.test>", "Bcc: Hid <hid@w.test>"],
      folder: "Sent"
    )
    try stage.deliver("a", ["In-Reply-To: <sent@y.test>"])
    try stage.deliver("h", ["From: hid@w.test"])
    try stage.index()
    let client = try stage.client()
    for (query, agents, persons) in [
      ("to:hid", 0, 1), ("cc:hid", 0, 1), ("to:hid@w.test", 0, 1), ("recip:hi*", 0, 1),
      ("\"hid w\"", 1, 2), ("thread:{to:hid}", 0, 2), ("to:bob", 1, 1), ("cc:bob", 1, 1),
      ("to:ann", 1, 1), ("bob", 1, 1), ("from:hid", 1, 1), ("not to:hid", 3, 2),
    ] {
      // The words are in From, too, of a message that the agent sees.
      let escaped = query.replacing("\"", with: "\\\"")
      let found = try client.call("search", #"{"query":"\#(escaped)"}"#)
      #expect(found["count"]?.integer == agents, "\(query)")
      #expect(!found.texts.contains { $0.contains("Hid") }, "\(query)")
      let own = try stage.magnum.run("search", "--count", query).output
      #expect(own == "\(persons)\n", "\(query)")
    }
    let sent = try client.call("search", #"{"query":"id:sent@y.test"}"#)
    #expect(
      sent["messages"]?[0]?["mail"]?["to"]?.elements == [
        .string("ann@y.test"), .string("Bob <bob@z.test>"),
      ]
    )
    let shown = try client.call("show", #"{"id":"h@y.test"}"#)
    #expect(shown["messages"]?[0]?["known"] == .string("new"))
    let draft = try client.call("draft", #"{"reply":"a@y.test","text":"t","cc":["hid@w.test"]}"#)
    #expect(draft["warnings"]?.elements == [.string("not-in-thread")])
    try stage.configure(agent.replacing("rights", with: "never = \"to:hid\"\nrights"))
    #expect(try client.failure("show", #"{"id":"sent@y.test"}"#) == "not-found")
  }

  private static let agent = """
    [agent.helper]
    accounts = ["work"]
    read = "folder:INBOX or folder:Work"
    never = "from:bank.test"
    rights = ["search", "show", "draft"]
    limits = { messages = 100000, bytes = "1GB", searches = 100000 }

    """

  private static func query(_ random: inout SeededGenerator, depth: Int = 0) -> String {
    let terms = [
      "alpha", "gamma1", "beta*", "a*", "secret*", "public*", "secret0x1", "from:w3",
      "from:bank.test",
      "subject:topic", "subject:/secret|topic 1/", "from:/^w/", "is:unread", "is:flagged", "tag:*",
      "folder:INBOX", "folder:Private", "folder:Work", "folder:/P/", "account:work", "date:2026-10",
      "date:2026-11", "date:2026-10-05..2026-10-20", "size:..1k", "size:1k..", "id:m3@y.test",
      "id:secret1@y.test", "ref:m1@y.test", "related:m4@y.test", "related:secret0@y.test",
      "has:attachment",
      "link:h1.example", "\"alpha beta3\"", "alpha near/3 gamma2", "*", "to:me", "tag:inbox",
    ]
    guard depth < 3, Int.random(in: 0..<3, using: &random) > 0 else {
      return terms.randomElement(using: &random) ?? "*"
    }
    let one = query(&random, depth: depth + 1)
    let other = query(&random, depth: depth + 1)
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return "not (\(one))"
    case 1: return "(\(one)) or (\(other))"
    case 2: return "(\(one)) and not (\(other))"
    case 3: return "thread:{\(one)}"
    case 4: return "(\(one)) xor (\(other))"
    default: return "(\(one)) (\(other))"
    }
  }

  private static func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }

  @Test("generated queries tell nothing of what lies outside the view")
  func nothingIsToldOfOtherMail() throws {
    let (one, two) = (try AgentStage(), try AgentStage())
    for stage in [one, two] {
      try stage.configure(Self.agent)
      try Self.fill(stage)
    }
    try Self.fillOutside(one, "secret", count: 20)
    try Self.fillOutside(two, "public", count: 3)
    for stage in [one, two] { try stage.index() }
    let (left, right) = (try one.client(), try two.client())
    var random = SeededGenerator(seed: 11)
    var found = 0
    let queries = runsLongTests ? 500 : 120
    for number in 0..<queries {
      let query = Self.quoted(Self.query(&random))
      let sort = number % 2 == 0 ? "newest" : "oldest"
      let collapse = number % 3 == 0
      let arguments = #"{"query":\#(query),"sort":"\#(sort)","limit":7,"collapse":\#(collapse)}"#
      let line = AgentClient.call(number, "search", arguments)
      try left.send(line)
      try right.send(line)
      let (first, second) = (try left.line(), try right.line())
      #expect(first == second, "\(query)")
      #expect(!first.contains("secret@") && !first.contains("@bank.test"))
      let answer = try ParsedJSON(first)["result"]?["structuredContent"]
      found += answer?["count"]?.integer ?? 0
      if let next = answer?["next"]?.text {
        let more = arguments.dropLast() + #","cursor":"\#(next)"}"#
        try left.send(AgentClient.call(number, "search", String(more)))
        try right.send(AgentClient.call(number, "search", String(more)))
        #expect(try left.line() == right.line(), "\(query)")
      }
    }
    // Queries that find nothing would prove nothing.
    #expect(found > queries * 4)
    for id in ["m0", "m1", "m2", "secret0", "public0"] {
      let line = AgentClient.call(1, "show", #"{"id":"\#(id)@y.test"}"#)
      try left.send(line)
      try right.send(line)
      #expect(try left.line() == right.line(), "\(id)")
    }
  }

  @Test func inOneThreadOnlyTheThreadTells() throws {
    let stage = try AgentStage()
    try stage.configure(Self.agent)
    try stage.deliver("root", ["From: x@bank.test"], folder: "Private")
    try stage.deliver("one", ["In-Reply-To: <root@y.test>"])
    try stage.deliver("two", ["In-Reply-To: <root@y.test>"])
    try stage.index()
    let client = try stage.client()
    let result = try client.call("search", #"{"query":"thread:{id:one@y.test}"}"#)
    #expect(result["count"]?.integer == 2)
    let messages = result["messages"]?.elements ?? []
    #expect(messages.allSatisfy { $0["in-thread"]?.integer == 2 })
    #expect(Set(messages.compactMap { $0["thread"]?.text }).count == 1)
    for query in [
      "thread:{from:bank.test}", "thread:{id:root@y.test}", "from:bank.test", "folder:Private",
    ] {
      #expect(
        try client.call("search", #"{"query":"\#(query)"}"#)["count"]?.integer == 0,
        "\(query)"
      )
    }
    #expect(try client.failure("show", #"{"id":"root@y.test"}"#) == "not-found")
    let shown = try client.call("show", #"{"id":"one@y.test"}"#)
    #expect(!shown.texts.contains { $0.contains("bank.test") || $0.contains("root") })
  }

  @Test func aMessageLeavesTheViewBetweenTwoCalls() throws {
    let stage = try AgentStage()
    try stage.configure(Self.agent)
    try stage.deliver("a", [], "body")
    try stage.makeFolder("Private")
    try stage.index()
    let client = try stage.client()
    #expect(try client.call("search", #"{"query":"*"}"#)["count"]?.integer == 1)
    #expect(rename("\(stage.mail)/INBOX/cur/a:2,S", "\(stage.mail)/Private/cur/a:2,S") == 0)
    // Even before the index knows: the file is not where the view has it.
    #expect(try client.failure("show", #"{"id":"a@y.test"}"#) == "not-found")
    try stage.index()
    #expect(try client.failure("show", #"{"id":"a@y.test"}"#) == "not-found")
    #expect(try client.failure("draft", #"{"reply":"a@y.test","text":"x"}"#) == "not-found")
    #expect(try client.call("search", #"{"query":"*"}"#)["count"]?.integer == 0)
  }

  @Test("of one Message-ID inside and outside only the file inside is read")
  func oneIDInsideAndOutside() throws {
    let stage = try AgentStage()
    try stage.configure(Self.agent)
    try stage.deliver("in", ["Message-ID: <same@y.test>"], "inside text")
    try stage.deliver("out", ["Message-ID: <same@y.test>"], "outside text", folder: "Private")
    try stage.deliver("copy", [], "copied text")
    try stage.deliver("copy", [], "copied text", folder: "Private", file: "copy2")
    try stage.deliver("banned", ["From: a@bank.test", "Message-ID: <same2@y.test>"], "banned text")
    try stage.index()
    let client = try stage.client()
    let shown = try client.call("show", #"{"id":"same@y.test"}"#)
    #expect(shown["messages"]?.elements.count == 1)
    #expect(shown["messages"]?[0]?["mail"]?["text"]?.text == "inside text\n")
    let copied = try client.call("show", #"{"id":"copy@y.test"}"#)
    #expect(copied["messages"]?[0]?["mail"]?["folders"]?.elements == [.string("INBOX")])
    for query in ["outside", "folder:Private", "banned"] {
      #expect(
        try client.call("search", #"{"query":"\#(query)"}"#)["count"]?.integer == 0,
        "\(query)"
      )
    }
  }

  @Test func trashJunkAndDraftsNeedTheirNames() throws {
    let stage = try AgentStage()
    for folder in ["INBOX", "Trash", "Junk", "Drafts", "Other"] {
      try stage.deliver(folder.lowercased(), [], folder: folder)
    }
    for (read, count) in [
      ("*", 2), ("* or folder:Trash", 3), ("folder:Junk", 1), ("not folder:INBOX", 1),
      ("folder:/./", 5), ("folder:Drafts or folder:INBOX", 2),
    ] {
      try stage.configure(Self.agent.replacing("folder:INBOX or folder:Work", with: read))
      try stage.index()
      let result = try stage.client().call("search", #"{"query":"*"}"#)
      #expect(result["count"]?.integer == count, "\(read)")
    }
  }

  @Test func leftOutTagsAreLeftOut() throws {
    let stage = try AgentStage()
    try stage.configure("[search]\nexclude-tags = [\"flagged\"]\n\n" + Self.agent)
    try stage.deliver("a")
    try stage.deliver("b", flags: "F")
    try stage.index()
    let client = try stage.client()
    #expect(try client.call("search", #"{"query":"*"}"#)["count"]?.integer == 1)
    #expect(try client.call("search", #"{"query":"is:flagged"}"#)["count"]?.integer == 1)
  }
}
