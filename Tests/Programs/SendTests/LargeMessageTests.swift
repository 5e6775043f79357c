import Glibc
import TestSupport
import Testing

/// Large messages on their way out: no program holds one in memory, and what arrives is what was given.
///
/// Each program is run with a small and with a large attachment, and may take a little more memory for the large one: less
/// than holding it once.
@Suite struct LargeMessageTests {
  /// How many octets the small and the large attachment have.
  ///
  /// Programs under test are not optimised and slow.
  private static let sizes = (small: 700_000, large: 2_400_000)

  /// How much more memory a program may take for it, in KiB.
  private static let growth = 2_200

  /// Seconds that a program may take, which is more than it needs on a busy machine.
  private static let timeLimit = 240.0

  /// A server that takes messages of any size.
  private static func sink(_ more: String...) -> SMTPSink.Options {
    var options = SMTPSink.Options()
    options.extensions = ["PIPELINING"] + more
    return options
  }

  /// How the attachment is written in a message.
  enum Writing: String {
    case base64 = "base64 \"$2\""
    /// As some programs do, in one line that no server takes.
    case oneLine = "base64 -w0 \"$2\"; echo"
    /// As a text with octets above 127.
    case eightBit = "cat \"$2\"; echo"

    fileprivate var encoding: String { self == .eightBit ? "8bit" : "base64" }
  }

  /// A file: text for `eightBit`, else none.
  private static func attachment(
    _ size: Int,
    in home: String,
    _ writing: Writing = .base64
  ) throws -> String {
    let path = "\(home)/large.bin"
    if writing == .eightBit {
      let lines = (0..<size / 14).map { "Gr\u{F6}\u{DF}e \($0 % 9_999)\n" }
      try Files.write(Array(lines.joined().utf8), to: path)
      return path
    }
    var generator = SeededGenerator(seed: 1)
    try Files.write(generator.octets(size), to: path)
    return path
  }

  /// A message with such an attachment, in a file of its own.
  private static func message(
    _ size: Int,
    in home: String,
    text: String = "text",
    _ writing: Writing = .base64
  ) throws -> String {
    let path = "\(home)/large.eml"
    let script = """
      { printf 'From: me@x.test\\nTo: b@x.test\\nSubject: large\\nMessage-ID: <large@x.test>\\n'
      printf 'MIME-Version: 1.0\\nContent-Type: multipart/mixed; boundary=b\\n\\n--b\\n'
      printf 'Content-Type: text/plain; charset=utf-8\\n\\n%s\\n--b\\n' "$3"
      printf 'Content-Type: application/pdf; name=large.pdf\\nContent-Transfer-Encoding: %s\\n\\n' "$4"
      \(writing.rawValue); printf -- '--b--\\n'; } > "$1"
      """
    let file = try attachment(size, in: home, writing)
    try Command.shell(script, [path, file, text, writing.encoding])
    return path
  }

  /// Runs programs with a small and with a large attachment, and compares what they took.
  ///
  /// What a program takes varies by a few hundred KiB, so that a large difference is measured once more: a program that holds
  /// the attachment takes it each time.
  private static func expectStreaming(_ scenario: (Int) throws -> [Measured]) throws {
    let (small, large) = (try scenario(sizes.small), try scenario(sizes.large))
    for one in small + large { #expect(one.code == 0 && one.peak > 0, "\(one)") }
    func differences(_ large: [Measured]) -> [Int] { zip(small, large).map { $1.peak - $0.peak } }
    let first = differences(large)
    guard first.contains(where: { $0 >= growth }) else { return }
    let least = zip(first, differences(try scenario(sizes.large))).map(min)
    #expect(least.allSatisfy { $0 < growth }, "\(least) KiB more")
  }

  /// Whether the only message that a sink took has the attachment, as Python reads it.
  private static func expectAttached(_ sink: SMTPSink, in home: String) throws {
    try #require(sink.messages.count == 1)
    try Files.write(sink.messages[0].text, to: "\(home)/taken.eml")
    let script = """
      python3 - "$1" "$2" <<'END'
      import email, sys
      from email import policy
      parts = [part for part in email.message_from_binary_file(open(sys.argv[1], "rb"), policy=policy.default).walk()
        if part.get_content_maintype() == "application"]
      assert [part.get_payload(decode=True) for part in parts] == [open(sys.argv[2], "rb").read()]
      END
      """
    try Command.shell(script, ["\(home)/taken.eml", "\(home)/large.bin"])
  }

  private static func give(_ file: String, _ command: Command) throws -> Measured {
    var command = command
    command.input = try #require(Files.read(file))
    return try run(command)
  }

  /// How a program ended, and the KiB that it had at most.
  private struct Measured: CustomStringConvertible {
    let outcome: Outcome
    let peak: Int

    var code: Int32 { outcome.code }
    var description: String { outcome.description }
  }

  /// Runs a program below one that tells what it had at most: what is seen from here every few milliseconds is less.
  private static func run(_ command: Command) throws -> Measured {
    let script = """
      import os, resource, sys
      process = os.fork()
      if process == 0: os.execv(sys.argv[2], sys.argv[2:])
      status = os.waitpid(process, 0)[1]
      open(sys.argv[1], "w").write(str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss))
      sys.exit(os.waitstatus_to_exitcode(status))
      """
    let folder = try TempDirectory()
    var command = command
    command.arguments = ["-c", script, folder["peak"], command.program] + command.arguments
    command.program = "/usr/bin/python3"
    command.timeLimit = timeLimit
    let outcome = try command.run()
    return Measured(outcome: outcome, peak: Files.text(folder["peak"]).flatMap { Int($0) } ?? 0)
  }

  // MARK: magnum-send

  /// From standard input into the spool and on to the server; also where a line of the text or of the attachment is too
  /// long, so that it is encoded.
  @Test(arguments: [
    ("text", Writing.base64), (String(repeating: "long ", count: 300), .base64), ("text", .oneLine),
  ])
  func aMessageThatIsHandedInStreams(_ text: String, _ writing: Writing) throws {
    try Self.expectStreaming { size in
      let stage = try SendStage(Self.sink("8BITMIME"))
      let file = try Self.message(size, in: stage.program.home.path, text: text, writing)
      let outcome = try Self.give(file, stage.program.command(["-t"]))
      try Self.expectAttached(stage.sink, in: stage.program.home.path)
      return [outcome]
    }
  }

  /// The text, and an attachment, are encoded for a server that takes no octets above 127.
  @Test(arguments: [Writing.base64, .eightBit])
  func aMessageOfTheQueueStreams(_ writing: Writing) throws {
    try Self.expectStreaming { size in
      let stage = try SendStage(Self.sink())
      let home = stage.program.home.path
      let file = try Self.message(size, in: home, text: "Gr\u{FC}\u{DF}e", writing)
      let given = try Self.give(file, stage.program.command(["--no-try", "-t"]))
      #expect(stage.entries("queue").count == 1)
      let sent = try Self.run(stage.program.command(["-q"]))
      try Self.expectAttached(stage.sink, in: stage.program.home.path)
      return [given, sent]
    }
  }

  /// magnum-sync works on the queue; the copy in Sent goes out by APPEND, and comes back.
  @Test func theCopyStreams() throws {
    try Self.expectStreaming { size in
      let stage = try PostStage(sink: Self.sink("8BITMIME"))
      try stage.configure("index = false")
      let file = try Self.message(size, in: stage.send.home.path)
      let given = try Self.give(file, stage.send.command(["--no-try", "-t"]))
      var sync = stage.send.command([])
      sync.program = "\(ProgramUnderTest.products)/magnum-sync"
      let synced = try Self.run(sync)
      #expect(stage.sink.messages.count == 1)
      let copies = try stage.sent()
      #expect(copies.count == 1 && (copies.first?.body.count ?? 0) > size / 3 * 4)
      return [given, synced]
    }
  }

  // MARK: magnum

  private static func stage() throws -> ComposeStage {
    try ComposeStage("attachment-limit = \"100M\"", sink: sink("8BITMIME"))
  }

  @Test func anAttachmentStreams() throws {
    try Self.expectStreaming { size in
      let stage = try Self.stage()
      let file = try Self.attachment(size, in: stage.magnum.home.path)
      let options = ["--to", "b@x.test", "--subject", "s", "--attach", file]
      let sent = try Self.run(stage.magnum.command(["compose", "--send"] + options))
      try Self.expectAttached(stage.sink, in: stage.magnum.home.path)
      let kept = try Self.run(stage.magnum.command(["compose", "--draft"] + options))
      #expect(stage.drafts.count == 1)
      return [sent, kept]
    }
  }

  /// What is given to gpg, and what it gives, is not held either; what is sent can be read.
  @Test(
    .enabled("gpg, gpgsm or openssl is not installed") { Keyring.isInstalled },
    arguments: [["--sign"], ["--encrypt"], ["--sign", "--encrypt"]]
  )
  func aProtectedMessageStreams(_ options: [String]) throws {
    try Self.expectStreaming { size in
      let stage = try ProtectedStage(sink: Self.sink())
      let magnum = stage.compose.magnum
      let file = try Self.attachment(size, in: magnum.home.path)
      let words = ["--to", "ada@x.org", "--subject", "s", "--attach", file] + options
      let variables = stage.compose.variables
      let sent = try Self.run(magnum.command(["compose", "--send"] + words, variables))
      let message = try stage.compose.sent().text
      let shown = try stage.show(message, "--decrypt", "true")
      #expect(shown.code == 0 && shown.output.contains("large.bin"), "\(shown)")
      let isSigned = shown.output.contains("[signature: signed by me@x.test")
      #expect(isSigned == options.contains("--sign"), "\(shown)")
      let kept = try Self.run(magnum.command(["compose", "--draft"] + words, variables))
      #expect(stage.compose.drafts.count == 1)
      return [sent, kept]
    }
  }

  /// A message is passed on with what is attached to it, and as a whole.
  @Test(arguments: [
    ([], Writing.base64), (["--as-attachment"], .base64), ([], .oneLine), ([], .eightBit),
  ])
  func aMessageThatIsPassedOnStreams(_ options: [String], _ writing: Writing) throws {
    try Self.expectStreaming { size in
      let stage = try Self.stage()
      let file = try Self.message(size, in: stage.magnum.home.path, writing)
      let words = ["forward", "--send", "--to", "b@x.test"] + options + [file]
      let outcome = try Self.run(stage.magnum.command(words))
      try Self.expectAttached(stage.sink, in: stage.magnum.home.path)
      return [outcome]
    }
  }

  /// A draft with an attachment goes on, and is sent.
  @Test func aDraftStreams() throws {
    try Self.expectStreaming { size in
      let stage = try Self.stage()
      let file = try Self.message(size, in: stage.magnum.home.path)
      let kept = try Self.run(stage.magnum.command(["resume", "--draft", file]))
      let draft = try #require(stage.drafts.first)
      let path = stage.magnum.home["mail/Drafts/cur/\(draft)"]
      let sent = try Self.run(stage.magnum.command(["resume", "--send", path]))
      try Self.expectAttached(stage.sink, in: stage.magnum.home.path)
      #expect(stage.drafts.isEmpty)
      return [kept, sent]
    }
  }
}
