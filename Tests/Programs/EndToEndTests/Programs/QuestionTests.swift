import Glibc
import TestSupport
import Testing

/// What becomes of questions that nobody answers: interrupted ones end the program and leave all as it was.
@Suite struct QuestionTests {
  private let program: ProgramUnderTest

  init() throws {
    program = try ProgramUnderTest("magnum")
  }

  /// Types answers at a terminal, whose settings afterwards are shown behind the output.
  private func type(_ answers: [(after: String, String)], _ words: [String]) throws -> Outcome {
    let script = "trap : INT; \"$@\"; status=$?; stty -a; exit $status"
    var command = program.command(["-c", script, "sh", program.path] + words, ["TERM": "xterm"])
    command.program = "/bin/sh"
    command.timeLimit = 20
    return try PrivateInternet.typing(command, answers).run()
  }

  private func expectInterrupted(_ outcome: Outcome, _ location: SourceLocation) {
    #expect(outcome.code == 130, "\(outcome)", sourceLocation: location)
    #expect(
      outcome.output.contains("interrupted (nothing is written)"),
      "\(outcome)",
      sourceLocation: location
    )
    // The terminal shows what is typed, and takes it line by line.
    let settings = outcome.output.split(whereSeparator: { $0.isWhitespace || $0 == ";" })
    #expect(settings.contains("echo") && settings.contains("icanon"), sourceLocation: location)
    #expect(Files.names(in: program.home.path) == [], sourceLocation: location)
  }

  private static let interrupt = "\\u0003"

  @Test func aPasswordThatIsNotTyped() throws {
    let outcome = try type(
      [(after: "Password of me@x.test: ", "half" + Self.interrupt)],
      ["accounts", "add", "--imap", "imap+plain://localhost:1", "me@x.test"]
    )
    expectInterrupted(outcome, #_sourceLocation)
    #expect(!outcome.output.contains("half"), "\(outcome)")
  }

  /// Who cannot trust the server types no password, and reads which option to give.
  @Test func aCertificateIsCheckedBeforeAPasswordIsAsked() throws {
    let server = try Dovecot.shared()
    let url = "imaps://localhost:\(server.ports.tls)"
    let outcome = try type([], ["accounts", "add", "--imap", url, "me@x.test"])
    #expect(outcome.code == 69 && outcome.output.contains("give --tls-fingerprint "), "\(outcome)")
    #expect(!outcome.output.contains("Password of"), "\(outcome)")
  }

  /// A wait of the system that goes on after a signal took the interrupt for nothing.
  @Test func aClientIDThatIsNotTyped() throws {
    let answers = [(after: "[y/N] ", "y"), (after: "Client id: ", "my" + Self.interrupt)]
    let outcome = try type(answers, ["accounts", "add", "--oauth", "me@hotmail.com"])
    expectInterrupted(outcome, #_sourceLocation)
  }

  /// While a server is tried that says nothing.
  @Test func aLoginThatIsInterrupted() throws {
    let (listener, port) = try Loopback.listen()
    defer { close(listener) }
    let outcome = try type(
      [(after: "Password of me@x.test: ", "pass"), (after: "\\r\\n", Self.interrupt)],
      ["accounts", "add", "--imap", "imap+plain://localhost:\(port)", "me@x.test"]
    )
    expectInterrupted(outcome, #_sourceLocation)
  }

  /// A home in which much would be asked: of many messages, of one with a program, of an account that can be imported.
  private func fill() throws {
    let text =
      "[account.x]\naddress = \"me@x.test\"\nmaildir = \"~/mail\"\nsmtp = \"smtp+plain://127.0.0.1:1\"\n"
    try program.configure(text)
    for folder in ["new", "tmp"] { try Files.makeDirectories(program.home["mail/INBOX/\(folder)"]) }
    for number in 1...201 {
      let message = """
        From: a@x.org
        Message-ID: <\(number)@x>
        Content-Type: application/x-sh; name=run.sh
        Content-Disposition: attachment

        true
        """
      try program.home.write(message, to: "mail/INBOX/cur/\(number):2,")
    }
    let foreign = """
      IMAPStore far
      Host imap.example.org
      User me
      PassCmd pass

      MaildirStore near
      Path ~/other/

      Channel all
      Far :far:
      Near :near:
      Patterns *
      """
    try program.home.write(foreign + "\n", to: ".mbsyncrc", mode: 0o600)
    let outcome = try program.run("index")
    try #require(outcome.code == 0, "\(outcome)")
  }

  /// Very many messages are asked about; no and an interrupt change none.
  @Test func veryManyMessagesAreAskedAbout() throws {
    try fill()
    let folder = program.home["mail/INBOX/cur"]
    let before = TreeSnapshot(folder)
    let asked = "Flag 201 messages? [y/N] "
    let no = try type([(after: asked, "n")], ["flag", "*"])
    #expect(no.code == 1 && no.output.contains("nothing is changed"), "\(no)")
    let interrupted = try type([(after: asked, Self.interrupt)], ["flag", "*"])
    #expect(interrupted.code == 130, "\(interrupted)")
    #expect(TreeSnapshot(folder).differences(from: before) == [])
    let yes = try type([(after: asked, "y")], ["flag", "*"])
    #expect(yes.code == 0 && yes.output.contains("201 messages flagged"), "\(yes)")
    #expect(Files.names(in: folder).allSatisfy { $0.last == UInt8(ascii: "F") })
  }

  private static let commands = [
    "accounts", "accounts add", "accounts add --oauth me@hotmail.com", "accounts import",
    "accounts test x", "accounts token x", "accounts login x", "accounts logout x",
    "accounts export --to mbsync x", "flag *", "archive *", "delete *", "tag +a *", "mute *",
    "undo",
    "log", "tags", "tags dump", "compose", "compose --send -t a@x.org", "reply id:1@x",
    "reply-all id:1@x", "forward id:1@x", "resume", "resume id:1@x", "attachments open id:1@x",
    "attachments list id:1@x", "queue", "queue edit 1", "queue cancel 1", "status",
  ]

  /// With nothing to read, or with output to a program while a person sits at the terminal, nothing is asked and nothing waited
  /// for; what a question was to protect is as it was.
  @Test(arguments: [false, true]) func nothingIsAskedWithoutATerminal(isTyping: Bool) throws {
    try fill()
    let editor = try program.home.write("#!/bin/sh\n: > ~/opened\n", to: "e", mode: 0o755)
    let before = TreeSnapshot(program.home["mail/INBOX/cur"])
    for line in Self.commands {
      let words = line.split(separator: " ").map { "\($0)" }
      var command = program.command(words, ["VISUAL": editor, "BROWSER": editor])
      command.timeLimit = 20
      if isTyping {
        command.arguments = ["-c", "\"$@\" | cat", "sh", command.program] + words
        command.program = "/bin/sh"
        command = PrivateInternet.typing(command, [])
        command.timeLimit = 20
      }
      let outcome = try command.run()
      #expect(outcome.seconds < 5 && !outcome.output.contains("[y/"), "\(line): \(outcome)")
      #expect(!outcome.errors.contains("Fatal"), "\(line): \(outcome)")
    }
    #expect(TreeSnapshot(program.home["mail/INBOX/cur"]).differences(from: before) == [])
    #expect(!Files.exists(program.home["opened"]) && !Files.exists(program.home["mail/Drafts"]))
    #expect(Files.text(program.home[".config/magnum/config.toml"])?.contains("imap") == false)
  }
}
