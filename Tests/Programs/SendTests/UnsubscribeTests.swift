import TestSupport
import Testing

/// `magnum unsubscribe`: what is shown and asked, what is sent and remembered, and what is refused.
@Suite struct UnsubscribeTests {
  private static func mail(_ number: Int, _ fields: String, day: String = "1 Jul 2026") -> String {
    """
    Delivered-To: me+news@x.test
    From: News <news@list.test>
    To: readers@list.test
    Subject: issue \(number)
    Message-ID: <n\(number)@list.test>
    List-Id: News <News.list.test>
    Date: \(day) 10:00:00 +0000
    \(fields)

    text

    """
  }

  private static let mailto = "List-Unsubscribe: <mailto:leave@list.test?subject=off%201&body=me>"
  private static let page = "List-Unsubscribe: <https://list.test/leave>"

  private static func click(_ address: String) -> String {
    "List-Unsubscribe: <\(address)>\nList-Unsubscribe-Post: List-Unsubscribe=One-Click"
  }

  private static func stage(
    _ mails: [String],
    folder: String = "INBOX",
    _ lines: String = ""
  ) throws -> ComposeStage {
    let stage = try ComposeStage(lines)
    for (number, mail) in mails.enumerated() {
      try stage.deliver("n\(number)", mail, folder: folder)
    }
    try #require(stage.run("index").code == 0)
    return stage
  }

  /// What is wrong with an object by the schema of the command.
  private static func mistakes(in output: String) throws -> [String] {
    let text = try #require(Files.text(Fixtures.project("man/schemas/unsubscribe.json")))
    return try JSONSchema(text).mistakes(in: try ParsedJSON(output))
  }

  private static let record = ".local/state/magnum/unsubscribed"

  @Test func aMessageLeavesTheList() throws {
    let stage = try Self.stage([
      Self.mail(0, Self.mailto), Self.mail(1, Self.mailto, day: "1 Jan 2100"),
    ])
    let outcome = try stage.run("unsubscribe", "--yes", "id:n0@list.test")
    #expect(outcome.code == 0, "\(outcome)")
    #expect(outcome.output.hasPrefix("unsubscribing from news.list.test: sent "))
    let sent = try #require(stage.sink.messages.first)
    #expect(sent.to.map { $0.prefix(17) } == ["<leave@list.test>"], "\(sent.to)")
    #expect(sent.from.hasPrefix("<me+news@x.test>"), "\(sent.from)")
    let text = sent.text
    #expect(text.contains("\nSubject: off 1\n") && text.contains("\n\nme"), "\(text)")
    #expect(text.contains("<me+news@x.test>\n"), "\(text)")
    // The line, the tag as an act, and what is said of later messages of the list.
    let line = try #require(Files.text(stage.magnum.home[Self.record]))
    let words = line.dropLast().split(separator: " ").map { "\($0)" }
    #expect(words.count == 5 && words[1...3] == ["work", "news.list.test", "mail"], "\(line)")
    let tagged = try stage.run("search", "--output", "messages", "tag:unsubscribed")
    #expect(tagged.output == "id:n0@list.test\n")
    #expect(try stage.run("log").output.contains("unsubscribe"))
    let day = words[0].prefix(10)
    let later = try stage.run("show", "id:n1@list.test")
    #expect(later.output.contains("[list: unsubscribed on \(day)]"), "\(later)")
    #expect(try stage.run("show", "--json", "id:n1@list.test").output.contains("\"unsubscribed\":"))
    let earlier = try stage.run("show", "id:n0@list.test")
    #expect(!earlier.output.contains("[list: unsubscribed"), "\(earlier)")
    // It is an act of a person: undo takes the tag off.
    #expect(try stage.run("undo").code == 0)
    #expect(try stage.run("search", "--output", "messages", "tag:unsubscribed").output.isEmpty)
  }

  /// The whole program leaves a list by one request to a host that the message signs, and without a question.
  @Test(
    .enabled(if: PublicWeb.canBe, "needs namespaces and ip(8)"),
    arguments: [("/status/200", 0), ("/endless", 0), ("/status/302", 69), ("/status/500", 69)]
  )
  func oneRequestLeavesTheList(path: String, code: Int32) throws {
    let web = try PublicWeb()
    defer { web.remove() }
    let fields = """
      Authentication-Results: mx.x.test; dkim=pass header.d=list.test
      DKIM-Signature: v=1; a=rsa-sha256; d=list.test; s=s; bh=x; b=y;
       h=from:list-unsubscribe:list-unsubscribe-post
      \(Self.click("https://\(WebScript.host)\(path)?x=1"))
      """
    let stage = try Self.stage(
      [Self.mail(0, fields)],
      "authserv-id = [\"mx.x.test\"]\nimap = \"imap+plain://127.0.0.1:9\"\nuser = \"me\"\npassword = \"x\""
    )
    let words = ["unsubscribe", "--yes", "id:n0@list.test"]
    let outcome = try web.command(stage.magnum.command(words)).run()
    #expect(outcome.code == code, "\(outcome)")
    let asked = web.log.filter { $0.hasPrefix("POST ") || $0.hasPrefix("GET ") }
    #expect(asked == ["POST \(path)?x=1 List-Unsubscribe=One-Click"], "\(web.log)")
    let line = Files.text(stage.magnum.home[Self.record])
    let tagged = try stage.run("search", "--output", "messages", "tag:unsubscribed").output
    guard code == 0 else {
      #expect(line == nil && tagged.isEmpty)
      return
    }
    #expect(line?.hasSuffix(" work news.list.test one-click 200\n") ?? false, "\(line ?? "")")
    #expect(tagged == "id:n0@list.test\n")
  }

  @Test func theQueueCanTakeItBack() throws {
    let stage = try Self.stage([Self.mail(0, Self.mailto)], "send-delay = \"10m\"")
    // What is to wait so long needs a queue that is worked on.
    let held = ["compose", "-t", "b@x.org", "--hold", "--body", "-"]
    try #require(stage.run(held, input: "x").code == 0)
    try #require(stage.run("queue", "flush", "--due").code == 0)
    let outcome = try stage.run("unsubscribe", "--yes", "--json", "id:n0@list.test")
    #expect(outcome.code == 0 && outcome.output.contains("\"state\":\"queued\""), "\(outcome)")
    #expect(try Self.mistakes(in: outcome.output) == [])
    let queue = ".local/state/magnum/spool/work/queue"
    let entry = try #require(stage.names(queue).first)
    #expect(outcome.output.contains("\"entry\":\"\(entry)\""))
    #expect(try stage.run("queue", "cancel", entry).code == 0)
    #expect(stage.names(queue).isEmpty && stage.sink.messages.isEmpty)
  }

  /// What is printed without doing anything.
  @Test(
    arguments: [
      (mailto, "way: a message to leave@list.test\nfrom: me+news@x.test\nsubject: off 1\n"),
      (
        click("https://click.list.test/u?i=1"),
        "way: one request to click.list.test\naddress: https://click.list.test/u?i=1\n"
      ),
      (page, "way: a page for a browser\naddress: https://list.test/leave\n"),
    ]
  )
  func aDryRunShowsTheWay(fields: String, way: String) throws {
    let stage = try Self.stage([Self.mail(0, fields)])
    let outcome = try stage.run("unsubscribe", "-n", "id:n0@list.test")
    #expect(outcome.code == 0)
    #expect(outcome.output == "list: news.list.test  (work)\n\(way)")
    #expect(Files.text(stage.magnum.home[Self.record]) == nil && stage.queued.isEmpty)
    let json = try stage.run("unsubscribe", "-n", "--json", "id:n0@list.test")
    #expect(try json.code == 0 && Self.mistakes(in: json.output) == [])
  }

  private struct Refusal: Sendable {
    let fields: String
    var words = ["--yes", "--unverified"]
    var code: Int32 = 65
    let says: String
  }

  private static let refusals = [
    Refusal(fields: "X-A: b", says: "offers no way"),
    Refusal(fields: click("https://127.0.0.1/u"), says: "a number"),
    Refusal(fields: click("https://[::1]/u"), says: "a number"),
    Refusal(fields: click("https://list.test:8443/u"), says: "names port 8443"),
    Refusal(fields: click("https://me@list.test/u"), says: "names a user"),
    Refusal(fields: click("https://router/u"), says: "without a dot"),
    Refusal(fields: click("https://a.localhost/u"), says: "not public (loopback)"),
    Refusal(fields: mailto, words: [], code: 64, says: "confirm"),
    Refusal(fields: "List-Unsubscribe: <mailto:a@b.test?bcc=x@y.test>", says: "the field bcc"),
    Refusal(fields: "List-Unsubscribe: <mailto:a@b.test,c@d.test>", says: "more than one"),
    Refusal(fields: "List-Unsubscribe: <mailto:root>", says: "no recipient"),
    Refusal(fields: mailto, words: ["--yes", "--from", "x@y.test"], code: 64, says: "of your own"),
    Refusal(fields: page, words: ["--from", "me@x.test"], code: 64, says: "no effect"),
    Refusal(fields: page, code: 1, says: "open the address in a browser"),
    Refusal(fields: click("https://click.list.test/u"), words: ["--yes"], code: 64, says: "forged"),
    Refusal(fields: mailto, words: ["--yes", "*"], code: 65, says: "one is wanted"),
  ]

  @Test func whatIsNotDone() throws {
    for refusal in Self.refusals {
      let stage = try Self.stage([Self.mail(0, refusal.fields)])
      let message = refusal.words.contains("*") ? [] : ["id:n0@list.test"]
      let outcome = try stage.run(["unsubscribe"] + refusal.words + message)
      #expect(outcome.code == refusal.code, "\(refusal): \(outcome)")
      #expect(outcome.errors.contains(refusal.says), "\(refusal): \(outcome.errors)")
      #expect(Files.text(stage.magnum.home[Self.record]) == nil && stage.queued.isEmpty)
      #expect(stage.sink.messages.isEmpty)
      let tagged = try stage.run("search", "--output", "messages", "tag:unsubscribed")
      #expect(tagged.output.isEmpty, "\(refusal)")
    }
  }

  @Test func junkIsAskedAboutOnceMore() throws {
    let stage = try Self.stage([Self.mail(0, Self.mailto)], folder: "Junk")
    let refused = try stage.run("unsubscribe", "--yes", "id:n0@list.test")
    #expect(refused.code == 64 && refused.errors.contains("Junk"), "\(refused)")
    #expect(stage.queued.isEmpty)
    let done = try stage.run("unsubscribe", "--yes", "--unverified", "id:n0@list.test")
    #expect(done.code == 0 && stage.sink.messages.count == 1, "\(done)")
  }

  /// At a terminal a person is asked, and a plain Return is a no.
  @Test(arguments: [("\n", 0), ("y\n", 1)])
  func aPersonIsAsked(keys: String, count: Int) throws {
    let stage = try Self.stage([Self.mail(0, Self.mailto)])
    let outcome = try stage.type(keys, editor: "exit 1", "unsubscribe", "id:n0@list.test")
    #expect(outcome.output.contains("unsubscribe? [y/N]"), "\(outcome)")
    #expect(outcome.output.contains("way: a message to leave@list.test"))
    #expect(stage.sink.messages.count == count && outcome.code == (count == 0 ? 1 : 0))
  }

  @Test(arguments: [("y\n\n", 0), ("y\ny\n", 1)])
  func doubtsAreAskedAbout(keys: String, count: Int) throws {
    let stage = try Self.stage([Self.mail(0, Self.mailto)], folder: "Junk")
    let outcome = try stage.type(keys, editor: "exit 1", "unsubscribe", "id:n0@list.test")
    #expect(outcome.output.contains("unsubscribe all the same? [y/N]"), "\(outcome)")
    #expect(stage.sink.messages.count == count)
  }

  /// Each list once, whatever else finds it, with how the newest message says it is left.
  @Test func listsAreListed() throws {
    let other = Self.mail(3, Self.page, day: "3 Jul 2026")
      .replacing("News.list.test", with: "old.list.test")
    let stage = try Self.stage([
      Self.mail(0, Self.mailto), Self.mail(1, Self.click("https://a.test/"), day: "2 Jul 2026"),
      Self.mail(2, "X-A: b", day: "1 Jan 2026"), other,
    ])
    let words = ["search", "--output", "lists", "--json"]
    let outcome = try stage.run(words + ["*"])
    guard case .array(let lists) = try ParsedJSON(outcome.output) else {
      Issue.record("\(outcome)")
      return
    }
    #expect(lists.map { $0["list"]?.text } == ["old.list.test", "news.list.test"], "\(outcome)")
    #expect(lists.map { $0["way"]?.text } == ["web", "one-click"], "\(outcome)")
    #expect(outcome.output.contains("\"count\":3") && outcome.output.contains("\"count\":1"))
    let text = try #require(Files.text(Fixtures.project("man/schemas/search-list.json")))
    for list in lists { #expect(try JSONSchema(text).mistakes(in: list) == []) }
    let one = try stage.run("search", "--output", "lists", "id:n2@list.test")
    #expect(one.output.hasPrefix("news.list.test  1  ") && one.output.hasSuffix("  none\n"))
    #expect(try stage.run("search", "--output", "lists", "--count", "*").output == "2\n")
    let oldest = try stage.run(
      "search",
      "--output",
      "lists",
      "--sort",
      "oldest-first",
      "--limit",
      "1",
      "*"
    )
    #expect(oldest.output.hasPrefix("news.list.test  3  "), "\(oldest)")
  }

  /// What a stranger wrote is neither obeyed by a terminal nor by the file.
  @Test func namesOfListsArePrintable() throws {
    let fields = Self.mailto + "\nList-Id: <a\u{1B}[2Jb%20c>"
    let mail = Self.mail(0, fields).replacing("List-Id: News <News.list.test>\n", with: "")
    let stage = try Self.stage([mail])
    let outcome = try stage.run("unsubscribe", "--yes", "id:n0@list.test")
    #expect(outcome.code == 0 && !outcome.output.contains("\u{1B}"), "\(outcome)")
    let line = try #require(Files.text(stage.magnum.home[Self.record]))
    #expect(line.split(separator: " ").count == 5 && line.hasSuffix("\n"))
  }
}
