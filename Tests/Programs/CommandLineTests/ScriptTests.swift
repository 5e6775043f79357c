import TestSupport
import Testing

/// What scripts and agents need: messages that programs read, a mode in which nothing is changed, and questions that are not asked.
@Suite struct ScriptTests {
  private let program: ProgramUnderTest

  init() throws {
    program = try ProgramUnderTest("magnum")
    try program.configure(
      """
      [account.work]
      address = "me@x.test"
      maildir = "~/Mail/work"
      smtp = "smtp+plain://127.0.0.1:1"
      smtp-login = "none"
      """
    )
    for folder in ["INBOX", "Trash", "Archive"] {
      for sub in ["cur", "new", "tmp"] {
        try Files.makeDirectories(program.home["Mail/work/\(folder)/\(sub)"])
      }
    }
    for number in 1...3 {
      let folder = number == 1 ? "INBOX" : "Trash"
      let text = String(repeating: "grün \(number) ", count: 200)
      let head =
        "Message-ID: <m\(number)@x>\nSubject: s\(number)\nContent-Type: text/plain; charset=utf-8\n"
      try program.home.write("\(head)\n\(text)\n", to: "Mail/work/\(folder)/cur/\(number):2,S")
    }
    try #require(run("index").code == 0)
  }

  private func run(
    _ words: [String],
    _ variables: [String: String] = [:],
    of name: String = "magnum",
    input: String = ""
  ) throws -> Outcome {
    var command = program.command(words, variables)
    command.program = "\(ProgramUnderTest.products)/\(name)"
    command.input = Array(input.utf8)
    command.timeLimit = 20
    return try command.run()
  }

  private func run(_ words: String...) throws -> Outcome { try run(words) }

  // MARK: JSON on standard error

  private static let mistakes: [(line: String, code: String)] = [
    ("show --json id:nobody@x", "failed"), ("show --json (", "data"),
    ("status --json nowhere", "usage"),
    ("queue list --json nowhere", "usage"), ("archive --json id:nobody@x", "failed"),
    ("flag --json --colour x", "usage"), ("compose --json -t a@x", "usage"),
    ("send --json --account nowhere a@x.test", "no-user"), ("send --json --frob a@x.test", "usage"),
    ("search --json (", "data"), ("sync --json nowhere", "usage"), ("frob --json", "usage"),
    ("show --json --config /nowhere x", "configuration"), ("tag --json work id:m1@x", "usage"),
    ("delete --json --expunge folder:Trash", "usage"),
  ]

  @Test(arguments: mistakes)
  func eachLineOnStandardErrorIsJSON(_ line: String, _ code: String) throws {
    let schema = try JSONSchema(
      try #require(Files.text(Fixtures.project("man/schemas/message.json")))
    )
    let outcome = try run(line.split(separator: " ").map { "\($0)" })
    #expect(outcome.code != 0, "\(outcome)")
    let lines = outcome.errors.split(separator: "\n")
    var codes: [String] = []
    for line in lines {
      let value = try ParsedJSON(String(line))
      #expect(schema.mistakes(in: value) == [], "\(outcome)")
      codes.append(value["code"]?.text ?? "")
    }
    #expect(codes.contains(code), "\(outcome)")
  }

  @Test func notesAreJSONToo() throws {
    let outcome = try run("show", "--json", "--limit", "1", "--unthreaded", "*")
    let value = try ParsedJSON(String(outcome.errors.split(separator: "\n").first ?? ""))
    #expect(value["code"]?.text == "note", "\(outcome)")
  }

  // MARK: Nothing is changed

  private static let refused = [
    "read id:m1@x", "unread id:m1@x", "flag -", "unflag id:m1@x", "archive id:m1@x",
    "delete id:m1@x", "delete --expunge --yes folder:Trash", "move Archive id:m1@x",
    "copy Archive id:m1@x", "junk id:m1@x", "notjunk id:m1@x", "tag +x id:m1@x", "mute id:m1@x",
    "unmute id:m1@x", "tags restore", "undo", "compose --send -t a@x.org --body -",
    "compose --draft", "compose --hold -t a@x.org", "reply --send id:m1@x", "forward id:m1@x",
    "resume id:m1@x", "queue flush", "queue hold x", "queue release x", "queue discard abcdef",
    "queue undiscard abcdef", "queue edit x", "queue cancel x", "accounts add me@x.org",
    "accounts login work", "accounts logout work", "accounts token work", "accounts import",
    "accounts export --to mbsync work", "accounts relabel work --from Mail/old",
    "restore Mail/work --to work", "attachments fetch id:m1@x",
    "watch",
    "sync", "sync --fetch-again work/INBOX", "send a@x.org", "send -q",
  ]

  /// All there is below a home, with the content of files but those of the index.
  private var everything: String {
    get throws {
      try Command.shell(
        "cd \"$1\"; find . -not -path '*/index/*' -not -path '*/index' -type f | sort | xargs -d '\\n' sha256sum",
        [program.home.path]
      )
    }
  }

  @Test func whatWouldChangeSomethingIsRefused() throws {
    let before = try everything
    for line in Self.refused {
      let words = line.split(separator: " ").map { "\($0)" }
      let outcome = try run(words, ["MAGNUM_READ_ONLY": "1"], input: "id:m1@x\n")
      #expect(
        outcome.code == 77 && outcome.errors.contains("MAGNUM_READ_ONLY"),
        "\(line): \(outcome)"
      )
    }
    let after = try everything
    #expect(after == before)
  }

  @Test(arguments: [
    "index", "show id:m1@x", "search *", "status", "queue", "queue list", "accounts",
    "accounts folders --format mutt",
    "attachments id:m1@x", "tags", "tags dump", "log", "resume", "archive -n id:m1@x",
    "tag -n +x id:m1@x", "delete --dry-run id:m1@x", "compose --print -t a@x.org --body -",
    "reply --template id:m1@x", "send -bp", "complete tags",
  ])
  func whatOnlyReadsGoesOn(_ line: String) throws {
    let words = line.split(separator: " ").map { "\($0)" }
    let outcome = try run(words, ["MAGNUM_READ_ONLY": "1"], input: "x\n")
    #expect(outcome.code != 77 && !outcome.errors.contains("MAGNUM_READ_ONLY"), "\(outcome)")
  }

  @Test(arguments: ["", "0"])
  func anEmptyValueIsNone(_ value: String) throws {
    #expect(try run(["flag", "id:m1@x"], ["MAGNUM_READ_ONLY": value]).code == 0)
  }

  // MARK: Help

  /// A subcommand that is misspelt is taken for an operand where one is meant without a name.
  @Test(arguments: [
    (["queue", "flsh"], "queue flush"),
    (["attachments", "sav", "id:nobody@x"], "attachments save"),
  ])
  func whatMayBeMeantIsNamed(_ words: [String], _ meant: String) throws {
    let outcome = try run(words)
    #expect(
      outcome.code != 0 && outcome.errors.contains("did you mean magnum \(meant)?"),
      "\(outcome)"
    )
  }

  @Test func helpHasGroups() throws {
    let help = try run("--help").output
    let titles = ["FETCH AND SEND:", "FIND AND READ:", "SORT:", "WRITE:", "SET UP AND CHECK:"]
    let lines = help.split(separator: "\n").map { "\($0)" }
    #expect(lines.filter(titles.contains) == titles)
    #expect(!help.contains("SUBCOMMANDS:"), "each command is in a group")
  }

  // MARK: Sizes and questions

  @Test(arguments: [0, 300, 1000, 1_000_000])
  func jsonIsBounded(_ limit: Int) throws {
    let whole = try run("show", "--json", "*")
    let bounded = try run("show", "--json", "--max-bytes", "\(limit)", "*")
    #expect(bounded.code == 0, "\(bounded)")
    let schema = try JSONSchema(
      try #require(Files.text(Fixtures.project("man/schemas/show.json")))
    )
    #expect(schema.mistakes(in: try ParsedJSON(bounded.output)) == [], "\(bounded)")
    let isCut = bounded.output.contains("\"content-cut\":")
    #expect(isCut == (limit < whole.output.utf8.count))
    // Headers and structure of three messages come on top.
    #expect(bounded.output.utf8.count < limit + 3 * 800 || !isCut, "\(bounded.output.utf8.count)")
    #expect(try run("show", "--max-bytes", "5", "id:m1@x").code == 64)
  }

  @Test func severalAreDeletedForGoodOnlyWithYes() throws {
    let several = try run("delete", "--expunge", "folder:Trash")
    #expect(several.code == 64 && several.errors.contains("--yes"), "\(several)")
    #expect(Files.names(in: program.home["Mail/work/Trash/cur"]).count == 2)
    #expect(try run("delete", "--expunge", "id:m2@x").code == 0)
    #expect(try run("delete", "--expunge", "--yes", "folder:Trash").code == 0)
    #expect(Files.names(in: program.home["Mail/work/Trash/cur"]).isEmpty)
  }

  @Test func aPersonIsAskedBeforeOneIsDeletedForGood() throws {
    for (answer, left) in [("n", 2), ("y", 1)] {
      let command = program.command(["delete", "--expunge", "id:m2@x"], ["TERM": "xterm"])
      let outcome = try PrivateInternet.typing(
        command,
        [(after: "Delete 1 message for good?", answer)]
      ).run()
      #expect(outcome.output.contains("Delete 1 message for good?"), "\(outcome)")
      #expect(Files.names(in: program.home["Mail/work/Trash/cur"]).count == left, "\(outcome)")
    }
  }
}
