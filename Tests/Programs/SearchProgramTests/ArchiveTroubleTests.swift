import Glibc
import TestSupport
import Testing

/// Archives that die, hang, are newer or lie: it is said, the rest answers, and nothing hangs.
@Suite struct ArchiveTroubleTests {
  private let search: ProgramUnderTest
  private let magnum: ProgramUnderTest

  init() throws {
    search = try ProgramUnderTest("magnum-search")
    magnum = try ProgramUnderTest("magnum")
    for sub in ["cur", "new", "tmp"] { try Files.makeDirectories(search.home["mail/INBOX/\(sub)"]) }
    try search.home.write(
      "Message-ID: <here@x>\nDate: 1 Jul 2026 10:00:00 +0000\nSubject: here\n\ntext\n",
      to: "mail/INBOX/cur/1:2,"
    )
    #expect(try magnum.run("index", search.home["mail"]).code == 0)
  }

  private func configure(_ commands: [[String]], timeout: Int = 1) throws {
    let quoted = commands.map { words in
      words.map { "\"\($0.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\"" }
        .joined(separator: ", ")
    }
    let archives = quoted.enumerated().map { number, words in
      "[archive.a\(number)]\ncommand = [\(words)]\ntimeout = \(timeout)\n"
    }
    let text = "[account.here]\nmaildir = \"\(search.home["mail"])\"\n" + archives.joined()
    try search.configure(text)
    try magnum.configure(text)
  }

  private static let greeting = "{\"magnum-archive\":1}"

  @Test(
    arguments: [
      (["false"], "its command ended"),
      (["magnum-no-such-program"], "cannot be started"),
      (["sh", "-c", "echo $((6*7)) is why >&2; exit 1"], "its command ended: 42 is why"),
      (["sh", "-c", "printf '\\033[2Jtrick\\n' >&2"], "its command ended: \\x1B[2Jtrick"),
      (["sleep", "100"], "nothing came from it for 1 seconds"),
      (
        ["sh", "-c", "trap '' TERM; echo '\(greeting)'; sleep 100"],
        "nothing came from it for 1 seconds"
      ),
      (["sh", "-c", "echo '\(greeting)'; read line; exit 0"], "its command ended"),
      (
        ["sh", "-c", "echo '\(greeting)'; echo '{\"to\":1,\"item\":[\"a@x\",1]}'; kill -9 $$"],
        "its command ended"
      ),
      (
        ["echo", "{\"magnum-archive\":2}"],
        "a later version of magnum-search answers there (protocol 2)"
      ),
      (["echo", "SSH-2.0"], "it said something that is no answer (no a value)"),
      (["echo", "{\"magnum-archive\":\"1\"}"], "no greeting"),
      (["yes", "{\"magnum-archive\":1}"], "no a member to"),
      (
        [
          "sh", "-c",
          "echo '\(greeting)'; while :; do echo '{\"to\":9,\"end\":true}'; sleep 0.3; done",
        ], "not complete after 10 seconds"
      ),
      (
        ["sh", "-c", "echo '\(greeting)'; echo '{\"to\":1,\"error\":\"no disk\"}'"],
        "it cannot answer: no disk"
      ),
      (
        ["sh", "-c", "echo '\(greeting)'; echo '{\"to\":1,\"item\":[\"a\\u000aid:b@x\",1]}'"],
        "no an id"
      ),
      (["sh", "-c", "echo '\(greeting)'; echo '{\"to\":1,\"item\":[\"\",1]}'"], "no an id"),
      (
        ["sh", "-c", "echo '\(greeting)'; yes '{\"to\":1,\"item\":[\"a@x\",1]}'"],
        "no end after 3 items"
      ),
    ] as [([String], String)]
  )
  func theRestAnswers(_ command: [String], _ words: String) throws {
    try configure([command, ["sleep", "0"]])
    let start = Stopwatch.now()
    let arguments = ["--output", "messages", "--limit", "3", "*"]
    let outcome = try search.command(arguments).run()
    #expect(outcome.output == "id:here@x\n" && outcome.code == 0, "\(outcome)")
    #expect(outcome.errors.contains("archive a0: left out: "), "\(outcome)")
    #expect(outcome.errors.contains(words), "\(outcome)")
    #expect(outcome.errors.contains("archive a1: left out: its command ended"))
    #expect(outcome.errors.ranges(of: "archive a0").count == 1)
    #expect(Stopwatch.now() - start < 13)
  }

  @Test func aLineWithoutEndIsNoAnswer() throws {
    let flood = "head -c 100000000 /dev/zero | tr '\\0' x; sleep 100"
    try configure([["sh", "-c", flood]], timeout: 60)
    let outcome = try search.run("--count", "*")
    #expect(outcome.output == "1\n", "\(outcome)")
    #expect(outcome.errors.contains("it said more than an answer can be"), "\(outcome)")
    #expect(outcome.peakMemory < 80 << 10, "\(outcome.peakMemory)")
  }

  /// Whatever an archive says, little of it is in memory at once where little was asked for.
  @Test(
    arguments: [
      // Values of three octets each, in one line.
      (
        "import sys; sys.stdout.write('{\"to\":1,\"item\":[' + '[],' * 2500000 + '1]}\\n')",
        "no fewer values"
      ),
      // Long lines that belong to no question.
      (
        "while True: print('{\"to\":9,\"item\":\"' + 'x' * 1000000 + '\"}', flush=True)",
        "it said more than an answer can be"
      ),
    ]
  )
  func aFloodTakesLittleMemory(_ flood: String, _ words: String) throws {
    let program = try search.home.write(
      "print('\(Self.greeting)', flush=True); input()\n\(flood)\n",
      to: "flood.py"
    )
    try configure([["python3", program]], timeout: 60)
    let outcome = try search.run("--output", "messages", "--limit", "3", "*")
    #expect(outcome.output == "id:here@x\n", "\(outcome)")
    #expect(outcome.errors.contains(words), "\(outcome)")
    #expect(outcome.peakMemory < 150 << 10, "\(outcome.peakMemory)")
  }

  @Test func withStrictItIsAFailure() throws {
    try configure([["false"]])
    #expect(try search.run("--strict", "--count", "*").code == 75)
    #expect(try search.run("--count", "*").output == "1\n")
    #expect(try search.run("--strict", "--no-archives", "--count", "*").code == 0)
  }

  /// All wait at once.
  @Test func severalThatHangTakeNoLonger() throws {
    try configure([["sleep", "100"], ["sleep", "100"], ["sleep", "100"]], timeout: 2)
    let start = Stopwatch.now()
    #expect(try search.run("--count", "*").output == "1\n")
    #expect(Stopwatch.now() - start < 5)
  }

  /// Of a message that nobody has here it is not known whether one of them has it.
  @Test func whatIsToBeChangedMayBeWhereNobodyAnswers() throws {
    try configure([["false"], ["sleep", "100"]])
    let start = Stopwatch.now()
    let outcome = try magnum.run("delete", "id:nowhere@x")
    #expect(outcome.code == 1 && outcome.errors.contains("no message found"), "\(outcome)")
    for words in ["archive a0: left out: its command", "archive a1: left out: nothing came"] {
      #expect(outcome.errors.contains(words), "\(outcome)")
    }
    #expect(Stopwatch.now() - start < 5)
    #expect(try magnum.run("flag", "id:here@x").errors.isEmpty)
  }

  /// Two that always have one part more of a thread of the other.
  @Test func threadsWithoutEndEnd() throws {
    let program = try search.home.write(
      """
      import json, os, sys
      print(json.dumps({"magnum-archive": 1}), flush=True)
      def thread():
        bits = os.urandom(8).hex()
        return {"thread": bits, "messages": [{"id": bits, "thread": bits, "date": 1, "size": 1,
          "subject": "", "from": [], "snippet": "", "tags": [], "folders": [], "match": True,
          "content": bits, "links": [os.urandom(8).hex()]}]}
      for line in sys.stdin:
        ask = json.loads(line)
        print(json.dumps({"to": ask["number"], "item": thread()}))
        print(json.dumps({"to": ask["number"], "end": True}), flush=True)
      """,
      to: "endless.py"
    )
    try configure([["python3", program], ["python3", program]], timeout: 10)
    let outcome = try search.run("--output", "threads", "*")
    #expect(outcome.code == 1, "\(outcome)")
    #expect(outcome.errors.contains("from machine to machine without end"), "\(outcome)")
    #expect(try search.run("--output", "threads", "--no-archives", "*").code == 0)
  }

  @Test func oneThatIsOutIsNotAskedAgain() throws {
    let calls = search.home["calls"]
    try configure([["sh", "-c", "echo call >>\(calls); sleep 100"]])
    var command = search.command(["--batch", "--output", "messages"])
    command.input = Array("*\nhere\nid:here@x\n".utf8)
    let outcome = try command.run()
    #expect(outcome.output == "id:here@x\nid:here@x\nid:here@x\n", "\(outcome)")
    #expect(Files.text(calls) == "call\n")
  }

  /// The other end goes on, whatever it is asked.
  @Test func whatIsNoQuestionIsRefused() throws {
    var command = search.command(["--serve", "--maildir", search.home["mail"]])
    let questions = [
      "", "x", "{}", "{\"number\":1}", "{\"number\":2,\"ask\":\"what\",\"query\":[\"everything\"]}",
      "{\"number\":3,\"ask\":\"count\",\"query\":[\"pattern\",\"(\",\"subject\"]}",
      "{\"number\":4,\"ask\":\"count\",\"query\":[\"everything\"]}",
      "{\"number\":5,\"ask\":\"raw\",\"id\":\"../../etc/passwd\"}",
    ]
    command.input = Array(questions.map { $0 + "\n" }.joined().utf8)
    let outcome = try command.run()
    #expect(outcome.code == 0)
    let lines = try outcome.lines.map { try ParsedJSON(String($0)) }
    #expect(lines.first?["magnum-archive"]?.integer == 1)
    let errors = lines.filter { $0["error"] != nil }.compactMap { $0["to"]?.integer }
    #expect(errors == [0, 0, 0, 1, 2, 3], "\(outcome)")
    #expect(lines.filter { $0["item"] != nil }.compactMap { $0["item"]?.integer } == [1])
    #expect(lines.last?["to"]?.integer == 5 && lines.last?["end"] == .boolean(true))
  }

  /// Who may only ask fills the memory of this machine with no line: neither a long one, nor one of many values.
  @Test func whatIsTooLongIsNotRead() throws {
    var command = search.command(["--serve", "--maildir", search.home["mail"]])
    let many = Array("[".utf8) + Array(repeating: Array("1,".utf8), count: 4_000_000).joined()
    let ask = Array("\n{\"number\":1,\"ask\":\"count\",\"query\":[\"everything\"]}\n".utf8)
    command.input = many + ask + [UInt8](repeating: 0x61, count: 9 << 20) + ask
    let outcome = try command.run()
    try #require(outcome.code == 0 && outcome.lines.count == 5, "\(outcome)")
    let lines = try outcome.lines.map { try ParsedJSON(String($0)) }
    #expect(lines[1]["error"] != nil && lines[2]["item"]?.integer == 1, "\(outcome)")
    #expect(outcome.lines.last?.contains("longer than 8 MiB") ?? false, "\(outcome)")
  }

  // MARK: What it says is no command

  private static let hostile = [
    "-oProxyCommand=touch here", "$(touch here)", ";touch here;", "`touch here`", "a b\"c'd\\e",
    "../../../etc/passwd", "--help", "id:x", "{\"to\":1}",
  ]

  /// An archive that has one message, whose id, folder and all else is that text, and notes how it is called and what it reads.
  private func archive(of text: String) throws -> [String] {
    let program = try search.home.write(
      """
      import base64, json, sys
      text, log = sys.argv[1], open(sys.argv[2], "a")
      log.write(json.dumps(sys.argv[3:]) + "\\n")
      print(json.dumps({"magnum-archive": 1}), flush=True)
      message = {"id": text, "thread": "0" * 15 + "1", "date": 1, "size": 1, "subject": text,
        "from": [[text, text]], "snippet": text, "tags": ["unread"], "folders": [text], "match": True,
        "content": "0" * 16, "links": []}
      for line in sys.stdin:
        log.write(line); log.flush()
        ask = json.loads(line)
        items = {"count": [1], "identities": [base64.b64encode(bytes(8)).decode()],
          "messages": [message], "ids": [[text, 1]],
          "threads": [{"thread": "0" * 15 + "1", "messages": [message]}], "linked": [],
          "raw": [base64.b64encode(b"Subject: raw\\n\\nthe text\\n").decode()]}[ask["ask"]]
        for item in items: print(json.dumps({"to": ask["number"], "item": item}))
        print(json.dumps({"to": ask["number"], "end": True}), flush=True)
      """,
      to: "archive.py"
    )
    return ["python3", program, text, search.home["log"], "fixed"]
  }

  @Test(arguments: hostile) func nothingOfItIsACommandOrAPath(_ text: String) throws {
    try configure([try archive(of: text)], timeout: 10)
    let quoted = "id:\"\(text.replacing("\"", with: "\"\""))\""
    for arguments in [
      [quoted], ["--output", "messages", quoted], ["--json", quoted], ["--output", "tree", quoted],
      ["--output", "addresses", quoted], ["--output", "files", quoted],
      ["--links", search.home["links"], quoted],
      ["--count", quoted],
    ] {
      let outcome = try search.command(arguments).run()
      #expect(outcome.code == 0, "\(arguments) \(outcome)")
    }
    let shown = try magnum.run("show", "--raw", quoted)
    #expect(shown.output == "Subject: raw\n\nthe text\n", "\(shown)")
    #expect(try magnum.run("delete", quoted).code == 65)
    #expect(try magnum.run("attachments", quoted).code == 1)
    let answered = try magnum.run("reply", "--print", quoted)
    #expect(!answered.output.contains("here"), "\(answered)")
    #expect(
      !Files.exists(search.home["here"]) && !Files.exists(magnum.home["here"])
        && !Files.exists("here")
    )
    // Every call had the arguments of the configuration; all else came by standard input, a line each.
    let log = (Files.text(search.home["log"]) ?? "").split(separator: "\n")
    let calls = log.filter { $0.hasPrefix("[") }
    #expect(calls.count > 5 && calls.allSatisfy { $0 == "[\"fixed\"]" })
    for line in log where line.hasPrefix("{") { _ = try ParsedJSON(String(line)) }
  }
}
