import TestSupport
import Testing

/// Messages with HTML beside their text.
struct HTMLTests {
  private static let account =
    "html-command = [\"sed\", 's|.*|<p>&</p>|; s|!\\([^<]*\\)|<img src=\\1>|']"

  private static let words = ["compose", "-t", "a@x.org", "-s", "s", "--body", "-"]

  /// What Python's email makes of a message with its strict policy: types, indented, and the texts.
  private static func read(_ message: String) throws -> [String] {
    let script = """
      import email, email.policy, sys
      m = email.message_from_bytes(sys.stdin.buffer.read(), policy=email.policy.strict)
      def show(p, d):
          print("  " * d + p.get_content_type(), p["Content-ID"] and "id" or "-", p.get_filename() or "-")
          for q in p.iter_parts(): show(q, d + 1)
      show(m, 0)
      for kind in ("plain", "html"):
          b = m.get_body(preferencelist=(kind,))
          if b: print(kind + ":", b.get_content().strip())
      """
    var command = Command("python3", ["-c", script])
    command.input = Array(message.utf8)
    let outcome = try command.run()
    #expect(outcome.code == 0, "\(outcome)")
    return outcome.output.split(separator: "\n").map { String($0) }
  }

  private static let alternative = [
    "multipart/alternative - -", "  text/plain - -", "  text/html - -", "plain: one",
    "html: <p>one</p>",
  ]

  @Test func aMessageHasItsTextAndHTML() throws {
    let stage = try ComposeStage(Self.account)
    let outcome = try stage.run(Self.words + ["--send"], input: "one\n")
    #expect(outcome.code == 0 && outcome.errors == "", "\(outcome)")
    let sent = try stage.sent().text
    #expect(try Self.read(sent) == Self.alternative)
    let file = try stage.magnum.home.write(sent, to: "sent.eml")
    #expect(try stage.run("show", file).output.hasSuffix("\n\none\n"))
    #expect(try stage.run("show", "--html", file).output.hasSuffix("\n\none\n"))
    try stage.clear()
    #expect(try stage.run(Self.words + ["--send", "--no-html"], input: "one\n").code == 0)
    #expect(try stage.sent().text.contains("Content-Type: text/plain; charset=utf-8\n"))
  }

  @Test(arguments: [
    ["--html-with", "sed 's/.*/<p>&<\\/p>/'"], ["--html-with", "echo '<p>one</p>'"],
  ])
  func anOptionMakesIt(_ options: [String]) throws {
    let stage = try ComposeStage()
    #expect(try stage.run(Self.words + options + ["--hold"], input: "one\n").code == 0)
    let entry = try #require(stage.queued.first)
    #expect(try Self.read(stage.run("queue", "show", "--raw", entry).output) == Self.alternative)
  }

  /// A file goes into the HTML only where an option and the HTML name it.
  @Test func picturesAreShown() throws {
    let stage = try ComposeStage(Self.account)
    let files = try ["a.png", "b.png", "c.pdf"].map {
      try stage.magnum.home.write([1, 2, 3], to: $0)
    }
    let outcome = try stage.run(
      Self.words + ["--inline", files[0], "--inline", files[1], "--attach", files[2], "--send"],
      input: "one\n!a.png\n!c.pdf\n"
    )
    #expect(outcome.code == 0, "\(outcome)")
    #expect(
      outcome.errors.contains("the HTML does not name b.png, which is attached"),
      "\(outcome)"
    )
    let sent = try stage.sent().text
    let lines = try Self.read(sent)
    #expect(
      lines.prefix(8) == [
        "multipart/mixed - -", "  multipart/alternative - -", "    text/plain - -",
        "    multipart/related - -", "      text/html - -", "      image/png id a.png",
        "  application/pdf - c.pdf", "  image/png id b.png",
      ],
      "\(lines)"
    )
    #expect(lines.contains { $0.hasSuffix("@inline.invalid></p>") }, "\(lines)")
    #expect(lines.last == "<p><img src=c.pdf></p>")
  }

  @Test func aPictureNeedsHTML() throws {
    let stage = try ComposeStage()
    let file = try stage.magnum.home.write([1], to: "a.png")
    let outcome = try stage.run(Self.words + ["--inline", file, "--send"], input: "one\n")
    #expect(outcome.code == 64 && outcome.errors.contains("there is no HTML"), "\(outcome)")
    #expect(stage.sink.messages.isEmpty && stage.left.isEmpty)
  }

  @Test(arguments: [("exit 3", 65), ("true", 65), ("echo '<script>'", 65), ("no-such-program", 69)])
  func whatFailsSendsNothing(_ line: String, _ status: Int) throws {
    let stage = try ComposeStage()
    let words = Self.words + ["--html-with", line, "--send"]
    let outcome = try stage.run(words, input: "one\n")
    #expect(Int(outcome.code) == status, "\(outcome)")
    #expect(stage.sink.messages.isEmpty && stage.queued.isEmpty)
    let name = try #require(stage.left.first)
    #expect(outcome.errors.contains("the draft is kept: magnum resume \(name)"), "\(outcome)")
    let resumed = try stage.run("resume", "--send", name)
    #expect(resumed.code == 0, "\(resumed)")
    #expect(try stage.sent().text.hasSuffix("\n\none\n") && stage.left.isEmpty)
  }

  /// A draft that is kept knows which of its files HTML shows.
  @Test func picturesStayPictures() throws {
    let stage = try ComposeStage()
    let file = try stage.magnum.home.write([1, 2, 3], to: "a b.png")
    let words = Self.words + ["--inline", file, "--html-with", "false", "--send"]
    #expect(try stage.run(words, input: "one\n").code == 65)
    let name = try #require(stage.left.first)
    let html = "echo '<img src=\"a%20b.png\">'"
    let resumed = try stage.run("resume", "--html-with", html, "--send", name)
    #expect(resumed.code == 0, "\(resumed)")
    let lines = try Self.read(stage.sent().text)
    #expect(lines.contains("    image/png id a b.png"), "\(lines)")
  }

  /// Other programs show the text.
  @Test(
    .enabled("mutt or neomutt is not installed") {
      ["mutt", "neomutt"].allSatisfy { Files.exists("/usr/bin/\($0)") }
    },
    arguments: ["mutt", "neomutt"]
  )
  func muttShowsTheText(_ program: String) throws {
    let stage = try ComposeStage(Self.account)
    #expect(try stage.run(Self.words + ["--send"], input: "one\n").code == 0)
    try stage.deliver("2", stage.sent().text, folder: "Read")
    try Files.makeDirectories(stage.magnum.home["Mail"])
    let out = stage.magnum.home["out"]
    let keys = "push \"<pipe-message>cat >\(out)<enter><exit><exit>\""
    let line =
      "\(program) -n -R -f '\(stage.magnum.home["mail/Read"])' -e 'set pipe_decode=yes'"
      + " -e 'set wait_key=no' -e '\(keys)'"
    var command = stage.magnum.command([], ["TERM": "xterm"])
    (command.program, command.arguments) = ("script", ["-qec", line, "/dev/null"])
    command.timeLimit = 20
    _ = try command.run()
    let text = Files.text(out) ?? ""
    #expect(text.contains("\n\none\n") && !text.contains("<p>"), "\(text)")
  }

  /// A draft in its folder has the text alone, and stays where its HTML cannot be made.
  @Test func aDraftIsTextAlone() throws {
    let stage = try ComposeStage(Self.account)
    #expect(try stage.run(Self.words + ["--draft"], input: "one\n").code == 0)
    let name = try #require(stage.drafts.first)
    let draft = stage.magnum.home["mail/Drafts/cur/\(name)"]
    #expect(Files.text(draft)?.contains("Content-Type: text/plain") == true)
    #expect(try stage.run("resume", "--html-with", "false", "--send", draft).code == 65)
    #expect(stage.drafts == [name] && stage.left.isEmpty)
    #expect(try stage.run("resume", "--send", draft).code == 0)
    #expect(try Self.read(stage.sent().text) == Self.alternative)
    #expect(stage.drafts.isEmpty)
  }

  @Test func aProgramGivesHTML() throws {
    let stage = try ComposeStage(Self.account)
    let file = try stage.magnum.home.write([1, 2, 3], to: "a.png")
    let html = "<p>one</p><img src=\\\"cid:a@x\\\">"
    let members =
      "\"to\":[\"a@x.org\"],\"subject\":\"s\",\"text\":\"one\",\"html\":\"\(html)\","
      + "\"attachments\":[{\"path\":\"\(file)\",\"inline\":\"a@x\"}]"
    let words = ["compose", "--json", "-"]
    let outcome = try stage.run(words, input: "{\(members),\"then\":\"send\"}")
    #expect(outcome.code == 0, "\(outcome)")
    let lines = try Self.read(stage.sent().text)
    #expect(
      lines == [
        "multipart/alternative - -", "  text/plain - -", "  multipart/related - -",
        "    text/html - -",
        "    image/png id a.png", "plain: one", "html: <p>one</p><img src=\"cid:a@x\">",
      ],
      "\(lines)"
    )
    let kept = try stage.run(words, input: "{\(members),\"then\":\"draft\"}")
    #expect(kept.code == 65 && kept.errors.contains("which a draft would lose"), "\(kept)")
    let script = "{\"to\":[\"a@x.org\"],\"html\":\"<script>\",\"text\":\"x\",\"then\":\"send\"}"
    #expect(try stage.run(words, input: script).code == 65)
    #expect(stage.left.isEmpty)
  }

  private static let given = """
    To: a@x.org
    Subject: s
    Content-Type: multipart/alternative; boundary=b

    --b
    Content-Type: text/plain; charset=iso-8859-1
    Content-Transfer-Encoding: quoted-printable

    Gr=FC=DFe
    --b
    Content-Type: multipart/related; boundary=r; type="text/html"

    --r
    Content-Type: text/html; charset=utf-8

    <script>kept</script><img src="cid:a@x">
    --r
    Content-Type: image/png
    Content-ID: <a@x>
    Content-Transfer-Encoding: base64

    AQID
    --r--
    --b--

    """

  /// A message with HTML goes as it is.
  @Test func aMessageWithHTMLIsGiven() throws {
    let stage = try ComposeStage(Self.account)
    let file = try stage.magnum.home.write([1], to: "c.pdf")
    let outcome = try stage.run(["compose", "--attach", file, "--send", "-"], input: Self.given)
    #expect(outcome.code == 0 && outcome.errors == "", "\(outcome)")
    let lines = try Self.read(stage.sent().text)
    #expect(
      lines == [
        "multipart/mixed - -", "  multipart/alternative - -", "    text/plain - -",
        "    multipart/related - -", "      text/html - -", "      image/png id -",
        "  application/pdf - c.pdf", "plain: Grüße",
        "html: <script>kept</script><img src=\"cid:a@x\">",
      ],
      "\(lines)"
    )
    for words in [["--draft"], ["--template"], ["--send", "--markdown"], ["--send", "--no-html"]] {
      let refused = try stage.run(["compose"] + words + ["-"], input: Self.given)
      #expect([64, 65].contains(refused.code), "\(refused)")
    }
    #expect(stage.drafts.isEmpty && stage.sink.messages.count == 1)
  }

  @Test(.enabled("gpg, gpgsm or openssl is not installed") { Keyring.isInstalled })
  func itIsSignedAndEncrypted() throws {
    let stage = try ProtectedStage()
    let file = try stage.compose.magnum.home.write([1, 2, 3], to: "a.png")
    let words = [
      "compose", "-t", "ada@x.org", "-s", "s", "--body", "-", "--inline", file, "--html-with",
      "sed 's/.*/<p>&<img src=a.png><\\/p>/'",
    ]
    let text = "trailing \nFrom é\n"
    let signed = try stage.compose.run(words + ["--sign", "--send"], input: text)
    #expect(signed.code == 0, "\(signed)")
    let sent = try stage.compose.sent().text
    let lines = try Self.read(sent)
    #expect(
      lines.prefix(6).dropFirst() == [
        "  multipart/alternative - -", "    text/plain - -", "    multipart/related - -",
        "      text/html - -", "      image/png id a.png",
      ],
      "\(lines)"
    )
    #expect(try stage.show(sent).output.contains("[signature: signed by me@x.test, OpenPGP key "))
    try stage.compose.clear()
    #expect(try stage.compose.run(words + ["--encrypt", "--send"], input: text).code == 0)
    let closed = try stage.compose.sent().text
    #expect(!closed.contains("trailing") && !closed.contains("text/html"))
    #expect(try stage.decrypted(closed).contains("\n\ntrailing \nFrom é\n"))
  }
}
