import Glibc
import TestSupport
import Testing

/// The tools as a client meets them, by the program itself.
@Suite struct AgentToolTests {
  private static func schema(_ tool: String) throws -> JSONSchema {
    try JSONSchema(try #require(Files.text(Fixtures.project("man/schemas/mcp-\(tool).json"))))
  }

  /// A home with two messages of a thread, one alone, and an index.
  private static func stage() throws -> AgentStage {
    let stage = try AgentStage()
    try stage.configure()
    try stage.deliver(
      "a",
      ["Cc: Bob <bob@z.test>", "Date: Mon, 2 Nov 2026 10:00:00 +0000"],
      "one\n> old"
    )
    try stage.deliver(
      "b",
      ["In-Reply-To: <a@y.test>", "Subject: Re: about a", "Date: Tue, 3 Nov 2026 10:00:00 +0000"],
      flags: ""
    )
    try stage.deliver("c", ["Date: Wed, 4 Nov 2026 10:00:00 +0000"])
    try stage.index()
    return stage
  }

  private static func ids(_ result: ParsedJSON) -> [String] {
    (result["messages"]?.elements ?? []).compactMap { $0["mail"]?["id"]?.text }
  }

  @Test func eachToolAnswersAsItsSchemaSays() throws {
    let stage = try Self.stage()
    let client = try stage.client()
    let calls = [
      ("search", #"{"query":"*"}"#), ("search", #"{"query":"*","limit":1,"collapse":true}"#),
      ("show", #"{"id":"a@y.test","links":true,"quotes":true,"headers":["Date","Bcc"]}"#),
      ("draft", #"{"reply":"a@y.test","text":"yes"}"#), ("status", "{}"),
      ("draft", #"{"to":["new@z.test"],"subject":"s","text":"t"}"#),
    ]
    for (tool, arguments) in calls {
      let result = try client.call(tool, arguments)
      #expect(try Self.schema(tool).mistakes(in: result) == [], "\(tool) \(arguments)")
    }
    let status = try client.call("status")
    #expect(status["drafts"]?.elements.count == 2)
    #expect(status["rights"]?.elements == [.string("search"), .string("show"), .string("draft")])
    #expect(status["held"]?.elements == [])
    #expect(try stage.calls().count == calls.count + 1)
  }

  /// What a message says of itself, forged fields among it, and what is told of its sender.
  @Test func sendersAreJudgedByTheViewAndTheServer() throws {
    let stage = try AgentStage()
    try stage.magnum.configure(
      """
      [account.work]
      address = "me@x.test"
      maildir = "\(stage.mail)"
      authserv-id = ["mx.x.test"]

      [account.other]
      address = "me@other.test"
      maildir = "\(stage.magnum.home["other"])"

      [agent.helper]
      accounts = ["work"]
      read = "folder:INBOX or folder:Sent"
      never = "subject:secret"
      rights = ["show"]
      """
    )
    try Files.makeDirectories(stage.magnum.home["other/INBOX/cur"])
    try stage.deliver("s1", ["From: me@x.test", "To: Written <written@y.test>"], folder: "Sent")
    try stage.deliver(
      "s2",
      ["From: me@x.test", "To: hidden@y.test", "Subject: secret"],
      folder: "Sent"
    )
    // It lies in INBOX, so that it is no proof of anything.
    try stage.deliver("f", ["From: me@x.test", "To: forged@y.test"])
    try stage.deliver("e", ["From: seen@y.test", "Date: Sun, 1 Nov 2026 10:00:00 +0000"])
    let pass = "Authentication-Results: mx.x.test; dmarc=pass header.from=y.test"
    let fail = "Authentication-Results: mx.x.test; dmarc=fail header.from=y.test"
    let other = "Authentication-Results: mx.y.test; dmarc=pass header.from=y.test"
    let rows: [(from: String, field: String, facts: [String])] = [
      ("written@y.test", pass, ["pass", "written-to", "no"]),
      ("WRITTEN@Y.test", fail, ["fail", "written-to", "no"]),
      ("hidden@y.test", other, ["unknown", "new", "no"]),
      ("forged@y.test", "X-A: b", ["unknown", "new", "no"]),
      ("seen@y.test", pass, ["pass", "seen", "no"]),
      ("new@y.test", pass, ["pass", "new", "no"]),
      ("\"me@x.test\" <evil@y.test>", pass, ["pass", "new", "no"]),
      ("me@x.test", "X-A: b", ["unknown", "seen", "claimed"]),
      ("me@other.test", "X-A: b", ["unknown", "new", "no"]),
    ]
    for (number, row) in rows.enumerated() {
      try stage.deliver(
        "r\(number)",
        [row.field, "From: \(row.from)", "Date: Tue, 3 Nov 2026 10:00:00 +0000"]
      )
    }
    try stage.index()
    let client = try stage.client()
    func facts(_ id: String) throws -> [String] {
      let result = try client.call("show", "{\"id\":\"\(id)@y.test\"}")
      #expect(try Self.schema("show").mistakes(in: result) == [])
      let message = try #require(result["messages"]?.elements.first)
      return ["authenticated", "known", "own"].map { message[$0]?.text ?? "none" }
    }
    for (number, row) in rows.enumerated() {
      #expect(try facts("r\(number)") == row.facts, "\(row)")
    }
    #expect(try facts("s1") == ["unknown", "new", "sent"])
  }

  @Test func pagesFollowEachOther() throws {
    let stage = try AgentStage()
    try stage.configure()
    for number in 0..<25 {
      let day = number + 1
      try stage.deliver("m\(number)", ["Date: \(day) Oct 2026 10:00:00 +0000"])
    }
    try stage.index()
    let client = try stage.client()
    var (found, cursor): ([String], String?) = ([], nil)
    repeat {
      let more = cursor.map { #","cursor":"\#($0)""# } ?? ""
      let page = try client.call("search", #"{"query":"*","limit":7\#(more)}"#)
      #expect(page["count"]?.integer == 25)
      #expect(page["changed"] == .boolean(false))
      found += Self.ids(page)
      cursor = page["next"]?.text
    } while cursor != nil
    #expect(found == (0..<25).reversed().map { "m\($0)@y.test" })
    let first = try client.call("search", #"{"query":"*","limit":7}"#)
    let next = try #require(first["next"]?.text)
    #expect(try client.failure("search", #"{"query":"a","cursor":"\#(next)"}"#) == "arguments")
    #expect(try client.failure("search", #"{"query":"*","cursor":"1-1"}"#) == "arguments")
    try stage.deliver("new", ["Date: 30 Nov 2026 10:00:00 +0000"])
    try stage.index()
    let later = try client.call("search", #"{"query":"*","limit":7,"cursor":"\#(next)"}"#)
    #expect(later["changed"] == .boolean(true))
    let oldest = try client.call("search", #"{"query":"*","limit":1,"sort":"oldest"}"#)
    #expect(Self.ids(oldest) == ["m0@y.test"])
  }

  @Test func threadsCollapseToTheirNewestMessage() throws {
    let client = try Self.stage().client()
    let result = try client.call("search", #"{"query":"*","collapse":true}"#)
    #expect(Self.ids(result) == ["c@y.test", "b@y.test"])
    #expect(result["count"]?.integer == 2)
    #expect(result["messages"]?[1]?["in-thread"]?.integer == 2)
    #expect(result["messages"]?[1]?["unread"] == .boolean(true))
  }

  @Test func textsHavePagesAndQuotesAreCounted() throws {
    let stage = try AgentStage()
    try stage.configure()
    let line = String(repeating: "0123456789", count: 9)
    try stage.deliver("long", [], (0..<1000).map { "\($0) \(line)" }.joined(separator: "\n"))
    try stage.deliver("quoted", [], "top\n> a\n> b\nbottom")
    try stage.index()
    let client = try stage.client()
    var text = ""
    var (page, pages) = (1, 1)
    repeat {
      let result = try client.call("show", #"{"id":"long@y.test","page":\#(page)}"#)
      let message = try #require(result["messages"]?[0])
      pages = message["pages"]?.integer ?? 0
      text += message["mail"]?["text"]?.text ?? ""
      page += 1
    } while page <= pages
    #expect(pages > 4)
    #expect(text.hasPrefix("0 \(line)\n") && text.hasSuffix("999 \(line)\n"))
    #expect(
      try client.failure("show", #"{"id":"long@y.test","page":\#(pages + 1)}"#) == "not-found"
    )
    let quoted = try client.call("show", #"{"id":"quoted@y.test"}"#)
    #expect(quoted["messages"]?[0]?["mail"]?["text"]?.text == "top\nbottom\n")
    #expect(quoted["messages"]?[0]?["quoted-lines"]?.integer == 2)
    let whole = try client.call("show", #"{"id":"quoted@y.test","quotes":true}"#)
    #expect(whole["messages"]?[0]?["mail"]?["text"]?.text == "top\n> a\n> b\nbottom\n")
  }

  @Test func hiddenTextAndLinksAreLeftOut() throws {
    let stage = try AgentStage()
    try stage.configure()
    let html = ["Content-Type: text/html; charset=utf-8", "MIME-Version: 1.0"]
    try stage.deliver(
      "page",
      html,
      #"<p>seen <a href="https://a.example/x?utm_source=b">here</a></p><div style="display:none">HIDDEN</div>"#
        + #"<img src="https://track.example/p.png"><a href="javascript:x()">b</a><a href="mailto:q@z.test">m</a>"#
    )
    try stage.deliver("blank", html, #"<div style="display:none">HIDDEN only</div>"#)
    try stage.deliver("open", html, #"<p>seen</p><div style="display:none">HIDDEN to the end"#)
    try stage.index()
    let client = try stage.client()
    let page = try client.call("show", #"{"id":"page@y.test"}"#)
    let text = try #require(page["messages"]?[0]?["mail"]?["text"]?.text)
    #expect(text.contains("seen here"))
    for word in ["HIDDEN", "https", "example", "javascript"] { #expect(!text.contains(word)) }
    #expect(page["messages"]?[0]?["forms"]?.elements == [.string("html")])
    let links = try client.call("show", #"{"id":"page@y.test","links":true}"#)
    let found = links["messages"]?[0]?["mail"]?["links"]?.elements ?? []
    #expect(found.map { $0["host"]?.text } == ["a.example"])
    #expect(found.map { $0["url"]?.text } == ["https://a.example/x"])
    #expect(found.map { $0["text"]?.text } == ["here"])
    for id in ["blank", "open"] {
      let shown = try client.call("show", #"{"id":"\#(id)@y.test"}"#)
      #expect(!shown.texts.contains { $0.contains("HIDDEN") }, "\(id)")
    }
  }

  @Test func partsAndMessagesInsideAreListed() throws {
    let stage = try AgentStage()
    try stage.configure()
    try stage.deliver(
      "parts",
      ["MIME-Version: 1.0", "Content-Type: multipart/mixed; boundary=B"],
      [
        "--B", "Content-Type: text/plain", "", "body", "--B",
        "Content-Type: application/pdf; name=\"../../evil.pdf\"",
        "Content-Disposition: attachment; filename=\"../../evil.pdf\"", "", "1234567", "--B",
        "Content-Type: message/rfc822", "", "From: in@y.test", "Subject: inner", "", "inside",
        "--B--",
      ].joined(separator: "\n")
    )
    try stage.index()
    let client = try stage.client()
    let shown = try client.call("show", #"{"id":"parts@y.test"}"#)
    let parts = shown["messages"]?[0]?["parts"]?.elements ?? []
    #expect(parts.map { $0["part"]?.text } == ["2", "3"])
    #expect(parts.map { $0["mail"]?["type"]?.text } == ["application/pdf", "message/rfc822"])
    #expect(parts.first?["mail"]?["name"]?.text?.contains("/") == false)
    #expect(parts.map { $0["message"] } == [.boolean(false), .boolean(true)])
    let inside = try client.call("show", #"{"id":"parts@y.test","part":"3"}"#)
    #expect(inside["messages"]?[0]?["mail"]?["subject"]?.text == "inner")
    #expect(inside["messages"]?[0]?["mail"]?["text"]?.text?.contains("inside") == true)
    for part in ["2", "9", "1.1.1", "x"] {
      #expect(
        try client.failure("show", #"{"id":"parts@y.test","part":"\#(part)"}"#) == "not-found"
      )
    }
  }

  @Test func encryptedMailIsShownAsEncrypted() throws {
    let stage = try AgentStage()
    try stage.configure()
    try stage.deliver(
      "secret",
      [
        "MIME-Version: 1.0",
        "Content-Type: multipart/encrypted; boundary=B; protocol=\"application/pgp-encrypted\"",
      ],
      [
        "--B", "Content-Type: application/pgp-encrypted", "", "Version: 1", "--B",
        "Content-Type: application/octet-stream", "", "-----BEGIN PGP MESSAGE-----", "", "x",
        "-----END PGP MESSAGE-----", "--B--",
      ].joined(separator: "\n")
    )
    try stage.index()
    let client = try stage.client()
    let shown = try client.call("show", #"{"id":"secret@y.test"}"#)
    #expect(shown["messages"]?[0]?["encrypted"] == .boolean(true))
    #expect(shown["messages"]?[0]?["mail"]?["text"]?.text == "")
    #expect(try client.failure("draft", #"{"reply":"secret@y.test","text":"a"}"#) == "refused")
    #expect(try client.failure("draft", #"{"forward":"secret@y.test","text":"a"}"#) == "refused")
  }

  @Test func messagesOfOneIDAreBothShown() throws {
    let stage = try AgentStage()
    try stage.configure()
    for number in 1...2 {
      try stage.deliver("same\(number)", ["Message-ID: <same@y.test>"], "text \(number)")
    }
    try stage.index()
    let client = try stage.client()
    let shown = try client.call("show", #"{"id":"same@y.test"}"#)
    #expect(shown["messages"]?.elements.count == 2)
    #expect(try client.failure("draft", #"{"reply":"same@y.test","text":"a"}"#) == "ambiguous")
  }

  /// Wrong calls, each with its code.
  static let failures = [
    ("search", #"{"query":"("}"#, "query"), ("search", #"{"query":"path:INBOX"}"#, "query"),
    ("search", #"{"query":"query:x"}"#, "query"), ("search", #"{"query":"file:x"}"#, "query"),
    ("search", #"{"query":"lastmod:1.."}"#, "query"),
    ("search", #"{"query":"date:nonsense"}"#, "query"),
    ("search", #"{"query":"subject:/(/"}"#, "query"), ("search", "{}", "arguments"),
    ("search", #"{"query":"a","limit":999}"#, "arguments"),
    ("show", #"{"id":"none@y.test"}"#, "not-found"),
    ("show", #"{"id":"~0123456789abcdef-0123456789abcdef"}"#, "not-found"),
    ("draft", #"{"reply":"none@y.test"}"#, "not-found"),
    ("draft", #"{"replaces":"0123456789abcdef","text":"a"}"#, "not-found"),
    ("draft", #"{"discard":"0123456789abcdef"}"#, "not-found"),
    ("draft", #"{"discard":"0123456789abcdef","text":"a"}"#, "arguments"),
    ("draft", #"{"reply":"a@y.test","forward":"a@y.test"}"#, "arguments"),
    ("draft", #"{"to":["no address"],"text":"a"}"#, "arguments"),
    ("draft", #"{"to":["a@y.test\nBcc: evil@z.test"],"text":"a"}"#, "arguments"),
    ("draft", #"{"subject":"a\nBcc: evil@z.test","text":"a"}"#, "arguments"),
    ("draft", #"{"subject":"a\u202eb","text":"a"}"#, "arguments"),
    ("draft", #"{"text":"a\u200bb"}"#, "arguments"),
    ("draft", #"{"text":"a\u0000b"}"#, "arguments"),
    ("draft", #"{"account":"other","text":"a"}"#, "arguments"),
  ]

  @Test func wrongCallsAreRefusedInFixedWords() throws {
    let stage = try Self.stage()
    let client = try stage.client()
    for (tool, arguments, code) in Self.failures {
      #expect(try client.failure(tool, arguments) == code, "\(tool) \(arguments)")
    }
    #expect(stage.drafts == [])
    #expect(try stage.calls().count == Self.failures.count)
  }

  // MARK: Drafts

  @Test func anAnswerGoesToThoseOfTheMessage() throws {
    let stage = try Self.stage()
    let client = try stage.client()
    let result = try client.call(
      "draft",
      #"{"reply":"a@y.test","all":true,"text":"fine","cc":["evil@z.test"]}"#
    )
    #expect(result["warnings"]?.elements == [.string("not-in-thread")])
    #expect(result["mail"]?["to"]?.elements == [.string("Ann <ann@y.test>")])
    #expect(
      result["mail"]?["cc"]?.elements == [.string("Bob <bob@z.test>"), .string("evil@z.test")]
    )
    let draft = try stage.draftText()
    #expect(draft.contains("X-Magnum-Agent: helper\n"))
    #expect(draft.contains("In-Reply-To: <a@y.test>\n"))
    #expect(draft.contains("> one\n"))
    #expect(!draft.lowercased().contains("bcc:"))
    #expect(!draft.lowercased().contains("\nreply-to: "))
    let known = try client.call(
      "draft",
      #"{"reply":"a@y.test","text":"a","cc":["BOB@z.test"],"quote":false}"#
    )
    #expect(known["warnings"]?.elements == [])
  }

  @Test func aForwardedMessageLosesItsAttachments() throws {
    let stage = try Self.stage()
    try stage.deliver(
      "att",
      ["MIME-Version: 1.0", "Content-Type: multipart/mixed; boundary=B"],
      "--B\nContent-Type: text/plain\n\nbody\n--B\nContent-Type: image/png; name=p.png\n\nPICTURE\n--B--"
    )
    try stage.index()
    let result = try stage.client().call(
      "draft",
      #"{"forward":"att@y.test","to":["bob@z.test"],"text":"see"}"#
    )
    #expect(result["warnings"]?.elements == [.string("attachments-left-out")])
    let draft = try stage.draftText()
    #expect(draft.contains("see") && draft.contains("body") && !draft.contains("PICTURE"))
  }

  @Test("with the right to read attachments it keeps those that are here")
  func aForwardedMessageKeepsItsAttachments() throws {
    let stage = try Self.stage()
    try stage.configure(
      AgentStage.helper.replacing("\"draft\"]", with: "\"draft\", \"attachments\"]")
    )
    try stage.deliver(
      "att",
      ["MIME-Version: 1.0", "Content-Type: multipart/mixed; boundary=B"],
      "--B\nContent-Type: text/plain\n\nbody\n--B\nContent-Type: image/png; name=p.png\n\nPICTURE\n--B--"
    )
    try stage.deliver(
      "large",
      ["MIME-Version: 1.0", "Content-Type: multipart/mixed; boundary=B"],
      "--B\nContent-Type: text/plain\n\nbody\n--B\nContent-Type: image/png; name=p.png\n\n"
        + String(repeating: "PICTURE\n", count: 1_200_000) + "--B--"
    )
    try stage.index()
    let client = try stage.client()
    let kept = try client.call(
      "draft",
      #"{"forward":"att@y.test","to":["bob@z.test"],"text":"see"}"#
    )
    #expect(kept["warnings"]?.elements == [])
    let draft = try stage.draftText()
    // As base64, or as it is.
    #expect(draft.contains("UElDVFVSR") || draft.contains("PICTURE"), "\(draft)")
    #expect(draft.contains("name=\"p.png\"") || draft.contains("name=p.png"), "\(draft)")
    let handle = kept["draft"]?.text ?? ""
    _ = try client.call("draft", #"{"discard":"\#(handle)"}"#)
    #expect(stage.drafts == [])
    let left = try client.call(
      "draft",
      #"{"forward":"large@y.test","to":["bob@z.test"],"text":"see"}"#
    )
    #expect(left["warnings"]?.elements == [.string("attachments-left-out")])
  }

  @Test("of a long text the beginning is quoted or forwarded, and what is left out is told of")
  func longTextsAreCut() throws {
    let stage = try Self.stage()
    let line = String(repeating: "0123456789", count: 9)
    try stage.deliver("long", [], (0..<1000).map { "\($0) \(line)" }.joined(separator: "\n"))
    try stage.deliver("word", [], String(repeating: "x", count: 100_000))
    try stage.index()
    let client = try stage.client()
    for (arguments, mark) in [
      (#"{"reply":"long@y.test","text":"mine"}"#, "> "),
      (#"{"forward":"long@y.test","to":["bob@z.test"],"text":"mine"}"#, ""),
    ] {
      let result = try client.call("draft", arguments)
      #expect(try Self.schema("draft").mistakes(in: result) == [])
      #expect(result["warnings"]?.elements == [.string("text-cut")])
      let draft = try stage.draftText()
      let lines = draft.split(separator: "\n").map { "\($0)" }
      #expect(lines.contains("\(mark)0 \(line)") && lines.contains("\(mark)[...]"))
      #expect(draft.contains("mine") && (60_000...80_000).contains(draft.utf8.count))
      let left = lines.filter { $0.contains(line) }
      #expect(left.allSatisfy { $0.hasSuffix(line) } && (600...720).contains(left.count))
      _ = try client.call("draft", #"{"discard":"\#(result["draft"]?.text ?? "")"}"#)
    }
    let word = try client.call("draft", #"{"reply":"word@y.test","text":"mine"}"#)
    #expect(word["warnings"]?.elements == [.string("text-cut")])
  }

  @Test func aDraftGoesToFewAddresses() throws {
    let stage = try Self.stage()
    for count in [49, 50, 5000] {
      let others = (0..<count).map { "a\($0)@z.test" }.joined(separator: ",\n ")
      try stage.deliver("to\(count)", ["Cc: \(others)"])
    }
    try stage.index()
    let client = try stage.client()
    func failure(_ count: Int, _ more: String = "") throws -> String? {
      try client.failure(
        "draft",
        #"{"reply":"to\#(count)@y.test","all":true,"quote":false,"text":"a"\#(more)}"#
      )
    }
    #expect(try failure(49) == nil)
    #expect(try failure(49, #","to":["b@z.test"]"#) == "arguments")
    #expect(try failure(50) == "arguments")
    #expect(try failure(5000) == "arguments")
    #expect(stage.drafts.count == 1)
    // A group counts as all of its addresses.
    let group = (0..<12).map { "b\($0)@z.test" }.joined(separator: ",")
    let groups = (0..<5).map { "\"g\($0): \(group);\"" }.joined(separator: ",")
    #expect(try client.failure("draft", #"{"to":[\#(groups)],"text":"a"}"#) == "arguments")
    let long = String(repeating: "x", count: 400)
    try stage.deliver("long", ["Reply-To: \(long)@z.test"])
    try stage.index()
    #expect(try client.failure("draft", #"{"reply":"long@y.test","text":"a"}"#) == "arguments")
  }

  @Test func draftsAreReplacedAndDiscarded() throws {
    let stage = try Self.stage()
    let client = try stage.client()
    let first = try client.call("draft", #"{"to":["a@y.test"],"subject":"s","text":"first"}"#)
    let one = try #require(first["draft"]?.text)
    let second = try client.call(
      "draft",
      #"{"replaces":"\#(one)","to":["a@y.test"],"subject":"s","text":"second"}"#
    )
    let two = try #require(second["draft"]?.text)
    #expect(one != two)
    #expect(stage.drafts.count == 1)
    #expect(Files.text(stage.drafts[0])?.contains("second") == true)
    #expect(try client.failure("draft", #"{"replaces":"\#(one)","text":"a"}"#) == "not-found")
    // Another client of the same agent knows it, another agent does not.
    _ = try stage.client().call("draft", #"{"discard":"\#(two)"}"#)
    #expect(stage.drafts == [])
    #expect(try client.failure("draft", #"{"discard":"\#(two)"}"#) == "not-found")
  }

  @Test("what a person has touched is the person's")
  func aChangedDraftIsLeftAlone() throws {
    let stage = try Self.stage()
    let client = try stage.client()
    let result = try client.call("draft", #"{"to":["a@y.test"],"subject":"s","text":"mine"}"#)
    let handle = try #require(result["draft"]?.text)
    let file = try #require(stage.drafts.first)
    // Flags are not octets: a draft that was looked at, or moved to another name by that, is still the agent's.
    let flagged = file.replacing(":2,", with: ":2,F")
    #expect(rename(file, flagged) == 0)
    #expect(try client.call("status")["drafts"]?.elements.count == 1)
    // A sync gives it a name of its own.
    let renamed = "\(stage.mail)/Drafts/cur/1.other:2,DS"
    #expect(rename(flagged, renamed) == 0)
    try stage.index()
    #expect(try client.call("status")["drafts"]?.elements.count == 1)
    #expect(rename(renamed, flagged) == 0)
    try stage.index()
    let text = try #require(Files.text(flagged))
    try stage.magnum.home.write(
      text.replacing("mine", with: "ours"),
      to: String(flagged.dropFirst(stage.magnum.home.path.count + 1))
    )
    for arguments in [#"{"discard":"\#(handle)"}"#, #"{"replaces":"\#(handle)","text":"a"}"#] {
      #expect(try client.failure("draft", arguments) == "not-found")
    }
    #expect(try client.call("status")["drafts"]?.elements == [])
    #expect(stage.drafts.count == 1)
    #expect(Files.text(flagged)?.contains("ours") == true)
  }

  @Test func onlyAPersonAtATerminalSendsADraft() throws {
    let stage = try Self.stage()
    _ = try stage.client().call("draft", #"{"to":["a@y.test"],"subject":"s","text":"mine"}"#)
    for end in ["--send", "--hold"] {
      let outcome = try stage.magnum.run("resume", end, stage.drafts[0])
      #expect(outcome.code == 65)
      #expect(outcome.errors.contains("an agent wrote this draft"), "\(outcome)")
    }
    #expect(stage.drafts.count == 1)
    let status = try stage.magnum.run("status")
    #expect(status.output.contains("1 draft of an agent"))
    #expect(try stage.magnum.run("status", "--json").output.contains("\"agent-drafts\":1"))
    // What it becomes is kept as a draft of the agent; what is sent has no mark.
    let printed = try stage.magnum.run("resume", "--print", stage.drafts[0])
    #expect(!printed.output.contains("X-Magnum-Agent"))
    let kept = try stage.magnum.run("resume", "--draft", stage.drafts[0])
    #expect(kept.code == 0)
    #expect(
      try stage.draftText().contains("X-Magnum-Agent: helper")
    )
  }

  @Test func otherAgentsDraftsAreNotThere() throws {
    let stage = try Self.stage()
    try stage.configure(AgentStage.helper + AgentStage.helper.replacing("helper", with: "other"))
    let result = try stage.client().call("draft", #"{"to":["a@y.test"],"subject":"s","text":"a"}"#)
    let handle = try #require(result["draft"]?.text)
    let other = try stage.client("other")
    #expect(try other.failure("draft", #"{"discard":"\#(handle)"}"#) == "not-found")
    #expect(try other.failure("draft", #"{"replaces":"\#(handle)","text":"a"}"#) == "not-found")
    #expect(try other.call("status")["drafts"]?.elements == [])
    #expect(stage.drafts.count == 1)
  }

  @Test("a process that is killed at any point leaves no draft of another and loses none")
  func killedDrafts() throws {
    let stage = try Self.stage()
    let count = "\(stage.magnum.home.path)/count"
    let draft = AgentClient.call(1, "draft", #"{"to":["a@y.test"],"subject":"s","text":"new"}"#)
    func run(_ variables: [String: String]) throws -> Outcome {
      var command = stage.magnum.command(["mcp", "--agent", "helper"], variables)
      command.input = Array((draft + "\n").utf8)
      return try command.run()
    }
    _ = try run(["MAGNUM_FAULT_COUNT": count])
    let points = Int(Files.text(count)?.split(separator: "\n").first ?? "") ?? 0
    #expect(points > 10)
    for point in stride(from: 1, through: points, by: max(1, points / 12)) {
      let before = stage.drafts
      let outcome = try run(["MAGNUM_FAULT": "\(point)"])
      #expect(Set(stage.drafts).isSuperset(of: before))
      #expect(stage.drafts.count <= before.count + 1)
      // An answer went out only where the draft is there.
      if outcome.output.contains("structuredContent") {
        #expect(stage.drafts.count == before.count + 1)
      }
    }
    // All that are there are known, and can be discarded.
    let client = try stage.client()
    let known = try client.call("status")["drafts"]?.elements ?? []
    #expect(known.count == stage.drafts.count)
    for draft in known {
      _ = try client.call("draft", #"{"discard":"\#(draft["draft"]?.text ?? "")"}"#)
    }
    #expect(stage.drafts == [])
  }

  @Test func whatTheDiskRefusesIsNotDone() throws {
    let stage = try Self.stage()
    let draft = AgentClient.call(1, "draft", #"{"to":["a@y.test"],"subject":"s","text":"new"}"#)
    for number in 1...12 {
      let before = stage.drafts.count
      var command = stage.magnum.command(
        ["mcp", "--agent", "helper"],
        ["MAGNUM_FAULT_ERROR": "\(number):ENOSPC"]
      )
      command.input = Array((draft + "\n").utf8)
      let outcome = try command.run()
      #expect(outcome.code == 0, "\(number)")
      let isDone = outcome.output.contains("structuredContent")
      #expect(stage.drafts.count == before + (isDone ? 1 : 0), "\(number): \(outcome.output)")
    }
  }
}
