import TestSupport
import Testing

/// What the programs print with --json is what the schemas say that come with them, and nothing else.
@Suite struct SchemaTests {
  private static func schema(_ name: String) throws -> JSONSchema {
    try JSONSchema(
      try #require(Files.text(Fixtures.project("man/schemas/\(name).json")), "\(name)")
    )
  }

  private static let names = Files.names(in: Fixtures.project("man/schemas"))
    .map { String(String(decoding: $0, as: UTF8.self).dropLast(".json".count)) }.sorted()

  /// A command line, and the schema of each line of its output, or of the whole of it.
  struct Case: Sendable, CustomTestStringConvertible {
    let schema: String
    let line: String
    var shape = Shape.lines

    enum Shape { case lines, elements, whole }

    var testDescription: String { line }
  }

  /// In this order: some need what others have done.
  static let cases = [
    Case(schema: "mailbox", line: "magnum-sync --list-mailboxes --json work"),
    Case(schema: "sync-event", line: "magnum-sync --dry-run --json work"),
    Case(schema: "verify", line: "magnum verify --json work"),
    Case(schema: "sync-event", line: "magnum-sync --json --trace work"),
    Case(schema: "sync-event", line: "magnum-sync --json away"),
    Case(schema: "verify", line: "magnum verify --deep --json work"),
    Case(schema: "restore", line: "magnum restore --json --dry-run MAILDIR --to work"),
    Case(schema: "restore", line: "magnum restore --json MAILDIR --to work --into Old"),
    Case(schema: "import", line: "magnum import --json MAILDIR --to ~/imported"),
    Case(
      schema: "export",
      line: "magnum export --json --format eml --force --output DIRECTORY --account work *"
    ),
    Case(
      schema: "export",
      line: "magnum export --json -n --output DIRECTORY --account work subject:mixed"
    ),
    Case(schema: "status", line: "magnum status --json"),
    Case(schema: "account", line: "magnum accounts --json"),
    Case(schema: "server", line: "magnum accounts test --json"),
    Case(schema: "account-add", line: "magnum accounts add --print --json me@gmail.com"),
    Case(schema: "account-import", line: "magnum accounts import --print --json MSMTPRC"),
    Case(schema: "queue-entry", line: "magnum queue list --json"),
    Case(schema: "queue-entry", line: "magnum queue show --json ENTRY"),
    Case(schema: "queue-change", line: "magnum queue hold --json ENTRY"),
    Case(schema: "queue-change", line: "magnum queue release --json ENTRY"),
    Case(schema: "queue-change", line: "magnum queue discard --json ENTRY"),
    Case(schema: "queue-entry", line: "magnum queue list --discarded --json"),
    Case(schema: "queue-change", line: "magnum queue undiscard --json ENTRY"),
    Case(schema: "queue-change", line: "magnum queue edit --to c@x.test --json ENTRY"),
    Case(schema: "queue-flush", line: "magnum queue flush --json"),
    Case(
      schema: "compose",
      line: "magnum compose --hold --json -t a@x.test --attach /etc/hostname"
    ),
    Case(
      schema: "compose",
      line: "magnum compose --send --json -t t450@x.test --attach /etc/hostname"
    ),
    Case(
      schema: "compose-draft",
      line: "magnum compose --template --json -s a --attach /etc/hostname"
    ),
    Case(schema: "compose-left", line: "magnum resume --json"),
    Case(schema: "attachment", line: "magnum attachments --json subject:mixed"),
    Case(
      schema: "attachment-file",
      line: "magnum attachments save --json --to DIRECTORY subject:mixed"
    ),
    Case(schema: "act-step", line: "magnum read --json -n --account work subject:mixed"),
    Case(schema: "act-step", line: "magnum flag --json --account work subject:mixed"),
    Case(schema: "act-step", line: "magnum undo --json"),
    Case(schema: "act-step", line: "magnum tag --json +work --account work subject:mixed"),
    Case(schema: "tag", line: "magnum tags --json"),
    Case(schema: "invite", line: "magnum invite show --json --account work subject:mixed"),
    Case(schema: "rule", line: "magnum rules --json"),
    Case(schema: "act-step", line: "magnum rules try --json"),
    Case(schema: "act-step", line: "magnum rules run --json marks subject:mixed"),
    Case(schema: "act-step", line: "magnum snooze --json --until +2d --account work subject:mixed"),
    Case(schema: "later", line: "magnum snooze --list --json"),
    Case(schema: "act-step", line: "magnum snooze --json --cancel subject:mixed"),
    Case(schema: "act", line: "magnum log --json"),
    Case(schema: "act-step", line: "magnum log --json 1"),
    Case(schema: "index", line: "magnum index --json --account work"),
    Case(schema: "index", line: "magnum index --check --json --account work"),
    Case(schema: "search-summary", line: "magnum-search --json --account work", shape: .elements),
    Case(schema: "search-summary", line: "magnum-search --format jsonl --account work"),
    Case(schema: "search-count", line: "magnum-search --json --count --lastmod --account work"),
    Case(
      schema: "search-tree",
      line: "magnum-search --json --output tree --account work",
      shape: .elements
    ),
    Case(
      schema: "search-person",
      line: "magnum-search --json --output addresses --account work",
      shape: .elements
    ),
    Case(schema: "show", line: "magnum show --json --account work subject:mixed", shape: .whole),
    Case(schema: "show", line: "magnum show --json --include-html --account work *", shape: .whole),
    Case(schema: "show", line: "magnum show --json --body false --account work *", shape: .whole),
  ]

  @Test func outputIsAsTheSchemasSay() throws {
    let stage = try Stage()
    var seen: Set<String> = []
    for example in Self.cases {
      let schema = try Self.schema(example.schema)
      let output = try stage.output(of: example.line)
      let values = try Self.values(output, example.shape)
      #expect(!values.isEmpty, "\(example.line)")
      for value in values {
        #expect(schema.mistakes(in: value) == [], "\(example.line): \(value)")
      }
      seen.insert(example.schema)
      for value in values { if let event = value["event"]?.text { seen.insert(event) } }
    }
    // What only commands of the user read is held against its schema by NewsLinesTests.
    seen.insert("new-mail")
    // BounceTests has messages that did not reach a recipient.
    seen.insert("queue-bounced")
    // OAuthLoginTests has a token, RelabelTests a former Maildir.
    seen.formUnion(["token", "account-relabel"])
    // UnsubscribeTests has lists that are found, and left.
    seen.formUnion(["search-list", "unsubscribe"])
    // KeysTests has keys.
    seen.insert("key")
    // AgentToolTests and HeldMessageTests have the tools of agents, ToolTests their arguments.
    for tool in ["search", "show", "status", "draft", "attachment", "send", "act", "undo"] {
      seen.formUnion(["mcp-\(tool)", "mcp-\(tool)-arguments"])
    }
    // ScriptTests has lines of standard error.
    seen.insert("message")
    #expect(seen.isSuperset(of: Self.names), "each schema has an example")
    let events = [
      "started", "outbox", "state", "planned", "folder", "expected", "fetched", "mailbox",
      "problem",
      "indexed", "trace", "completed", "failed",
    ]
    #expect(Set(events).subtracting(seen) == [])
  }

  private static func values(_ output: String, _ shape: Case.Shape) throws -> [ParsedJSON] {
    switch shape {
    case .whole: return [try ParsedJSON(output)]
    case .lines: return try output.split(separator: "\n").map { try ParsedJSON(String($0)) }
    case .elements:
      guard case .array(let elements) = try ParsedJSON(output) else { return [] }
      return elements
    }
  }

  /// Each member stands in the page of formats.
  @Test(arguments: names)
  func membersAreInThePage(name: String) throws {
    let page = try #require(Files.text(Fixtures.project("man/magnum-formats.5")))
    let words = Set(page.split { " ,\n".contains($0) }.map { "\($0)" })
    // Header fields are the mail's.
    let members = try Self.schema(name).memberNames.filter { $0.first?.isUppercase != true }
    // A tool may have few arguments, or none.
    #expect(members.count > 2 || name.hasPrefix("mcp-") && name.hasSuffix("-arguments"))
    #expect(members.subtracting(words) == [])
    #expect(page.contains("\(name).json"))
  }

  /// What a schema does not allow is found.
  @Test(arguments: [
    (#"{"version":1,"account":"a"}"#, []),
    (#"{"version":2,"account":"a"}"#, ["$.version: not number(\"1\")"]),
    (#"{"version":1}"#, ["$: no member account"]),
    (#"{"version":1,"account":3}"#, ["$.account: no string"]),
    (#"{"version":1,"account":"a","colour":"red"}"#, ["$.colour: not in the schema"]),
  ])
  func mistakesAreFound(text: String, mistakes: [String]) throws {
    #expect(try Self.schema("account").mistakes(in: try ParsedJSON(text)) == mistakes)
  }

  @Test(arguments: [
    (#"[[[{"id":"a"},[]]]]"#, "$[0][0][0]: fits none of:"), (#"[[[null]]]"#, "$[0][0]: fewer"),
    (#"[[[null,[]]]]"#, ""), (#"{}"#, "$: no array"),
  ])
  func mistakesInNestsAreFound(text: String, mistake: String) throws {
    let found = try Self.schema("show").mistakes(in: try ParsedJSON(text))
    #expect(mistake.isEmpty ? found.isEmpty : found.first?.hasPrefix(mistake) ?? false, "\(found)")
  }

  // MARK: A home with mail, and servers

  private final class Stage {
    private let home: ProgramUnderTest
    private let sink: SMTPSink
    private let environment: [String: String]

    init() throws {
      home = try ProgramUnderTest("magnum-sync")
      sink = try SMTPSink()
      let server = try Dovecot.shared(DovecotOptions())
      let user = Dovecot.freshUser("schema")
      try home.configure(
        """
        [account.work]
        address = "me@x.test"
        maildir = "~/Mail/work"
        imap = "\(server.clearURL)"
        user = "\(user)"
        password = "pass"
        smtp = "smtp+plain://127.0.0.1:\(sink.port)"
        smtp-login = "none"
        [account.away]
        maildir = "~/Mail/away"
        imap = "imap+plain://127.0.0.1:1"
        user = "me"
        password = "pass"
        [rule.marks]
        when = "subject:mixed"
        do = ["tag +marked", "flag"]
        accounts = ["work"]
        [rule.nowhere]
        when-command = ["true"]
        do = ["move Nowhere"]
        accounts = ["work"]
        """
      )
      environment = home.command([]).environment
      let imap = try RawIMAP(server, user: user)
      try imap.create("Lists/swift")
      try imap.append([Self.mail("mixed"), Self.mail("one")])
      try imap.append([Self.mail("two")], to: "Lists/swift", flags: "\\Seen")
      // What is wrong with one file is no failure of the account.
      for sub in ["cur", "new", "tmp"] {
        try Files.makeDirectories(home.home["Mail/work/Extra/\(sub)"])
      }
      try home.home.write("a\0b", to: "Mail/work/Extra/new/bad")
      try Files.makeDirectories(home.home["foreign/new"])
      for (name, text) in [("1.a:2,S", "To: a@x.test\n\n"), ("2.a:2,S", ""), (":2,S", "nameless")] {
        try home.home.write(text, to: "foreign/cur/\(name)")
      }
      try home.home.write("To: a@x.test\n\n", to: ".local/state/magnum/compose/1/text.eml")
      for recipient in ["t450@x.test", "p550@x.test"] {
        var send = Command(
          "\(ProgramUnderTest.products)/magnum-send",
          recipient.hasPrefix("p") ? [recipient, "ok@x.test"] : [recipient],
          environment: environment
        )
        send.input = Array("Subject: a\n\ntext\n".utf8)
        try #require(try send.run().code == 0)
      }
    }

    /// A mail with parts of all kinds.
    private static func mail(_ name: String) -> [UInt8] {
      let text = """
        From: Ann <a@x.test>
        To: me@x.test
        Subject: \(name)
        Message-ID: <\(name)@x.test>
        Content-Type: multipart/mixed; boundary=b

        --b
        Content-Type: multipart/alternative; boundary=c

        --c

        plain
        --c
        Content-Type: text/html; charset=utf-8

        <p>html</p>
        --c--
        --b
        Content-Type: application/pdf; name=plan.pdf
        Content-Disposition: attachment
        Content-ID: <1@x.test>
        Content-Transfer-Encoding: base64

        JVBERg==
        --b
        Content-Type: message/rfc822

        Subject: inside

        text
        --b
        Content-Type: text/calendar; method=REQUEST; charset=utf-8

        BEGIN:VCALENDAR
        METHOD:REQUEST
        BEGIN:VEVENT
        UID:\(name)@x.test
        SEQUENCE:1
        RECURRENCE-ID;VALUE=DATE:20261124
        DTSTART;TZID=Europe/Berlin:20261124T100000
        DTEND;TZID=Europe/Berlin:20261124T110000
        RRULE:FREQ=DAILY
        STATUS:CONFIRMED
        SUMMARY:Meeting
        LOCATION:Room
        ORGANIZER;CN=Ann:mailto:a@x.test
        ATTENDEE:mailto:me@x.test
        END:VEVENT
        END:VCALENDAR
        --b--

        """
      return Array(text.replacing("\n", with: "\r\n").utf8)
    }

    func output(of line: String) throws -> String {
      var words = line.split(separator: " ").map { "\($0)" }
      if let place = words.firstIndex(of: "ENTRY") { words[place] = try entry() }
      if let place = words.firstIndex(of: "DIRECTORY") { words[place] = home.home.path }
      if let place = words.firstIndex(of: "MAILDIR") { words[place] = home.home["foreign"] }
      if let place = words.firstIndex(of: "MSMTPRC") { words[place] = try msmtprc() }
      let program = "\(ProgramUnderTest.products)/\(words.removeFirst())"
      return try Command(program, words, environment: environment).run().output
    }

    /// A file of msmtp with something of everything.
    private func msmtprc() throws -> String {
      let text = "account new\nhost smtp.x.test\ntls on\nauth on\nuser you\npassword a\ndomain x\n"
      return try home.home.write(text + "account default : new\nfrom you@x.test\n", to: "msmtprc")
    }

    /// The entry that waits, whatever its name is by now.
    private func entry() throws -> String {
      let spool = home.home[".local/state/magnum/spool/work"]
      let names = ["queue", "hold", "discarded"].flatMap { Files.names(in: "\(spool)/\($0)") }
      return String(decoding: try #require(names.first), as: UTF8.self)
    }
  }
}
