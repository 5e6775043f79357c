import TestSupport
import Testing

/// `magnum attachments`.
struct AttachmentTests {
  private static let mail = """
    From: a@x.org
    Subject: files
    Message-ID: <files@x.org>
    Content-Type: multipart/mixed; boundary=b

    --b

    text
    --b
    Content-Type: application/pdf
    Content-Disposition: attachment; filename="../../../etc/.report.pdf"
    Content-Transfer-Encoding: base64

    JVBERg==
    --b
    Content-Type: image/png
    Content-Disposition: inline
    Content-ID: <logo@x.org>
    Content-Transfer-Encoding: base64

    iVBORw==
    --b
    Content-Type: message/rfc822

    Subject: inner
    Content-Type: multipart/mixed; boundary=c

    --c
    Content-Disposition: attachment; filename=deep.txt

    deep
    --c--
    --b
    Content-Type: application/x-sh; name=run.sh
    Content-Disposition: attachment

    echo
    --b--

    """

  private static func stage() throws -> ComposeStage {
    let stage = try ComposeStage()
    try stage.deliver("2", mail)
    try #require(stage.run("index").code == 0)
    return stage
  }

  @Test func attachmentsAreListed() throws {
    let outcome = try Self.stage().run("attachments", "id:files@x.org")
    #expect(outcome.code == 0)
    #expect(
      outcome.lines == [
        "2  application/pdf  4 B  report.pdf", "3  image/png  4 B  part-3.png  inline",
        "4  message/rfc822  \(outcome.lines[2].split(separator: "  ")[2])  part-4.eml",
        "4.1  text/plain  4 B  deep.txt", "5  application/x-sh  4 B  run.sh",
      ],
      "\(outcome)"
    )
  }

  @Test func attachmentsAreSavedUnderSafeNamesAndNeverOverAFile() throws {
    let stage = try Self.stage()
    try Files.makeDirectories(stage.magnum.home["out"])
    try stage.magnum.home.write("mine", to: "out/report.pdf")
    try Command.shell("ln -s /nowhere \"$1\"", [stage.magnum.home["out/report (2).pdf"]])
    let out = stage.magnum.home["out"]
    let outcome = try stage.run("attachments", "save", "--to", out, "id:files@x.org")
    #expect(
      outcome.lines
        == ["report (3).pdf", "part-4.eml", "deep.txt", "run.sh"].map { "\(out)/\($0)" }
    )
    #expect(Files.text("\(out)/report.pdf") == "mine")
    #expect(Files.text("\(out)/report (3).pdf") == "%PDF")
    #expect(Files.text("\(out)/part-4.eml")?.hasPrefix("Subject: inner\n") == true)
    #expect(try Command.shell("stat -c %a \"$1\"", ["\(out)/run.sh"]) == "600\n")
  }

  /// Of large attachments only parts are in memory: all of them is written, as long as it is, and told by list.
  @Test(arguments: [8_000, 70_000, 3_000_000])
  func largeAttachmentsAreSavedWhole(size: Int) throws {
    let stage = try Self.stage()
    let octets = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 7) }
    try stage.magnum.home.write(octets, to: "plain")
    let lines = try Command.shell("base64 -w 76 \"$1\"", [stage.magnum.home["plain"]])
    let inner =
      "Subject: inner\nContent-Disposition: attachment; filename=deep\nContent-Type: a/b\n"
      + "Content-Transfer-Encoding: base64\n\n\(lines)"
    try stage.deliver(
      "4",
      """
      Message-ID: <whole@x>
      MIME-Version: 1.0
      Content-Type: multipart/mixed; boundary=b

      --b
      Content-Type: a/b
      Content-Disposition: attachment; filename=plain
      Content-Transfer-Encoding: base64

      \(lines)
      --b
      Content-Type: message/rfc822
      Content-Disposition: attachment; filename=inner.eml

      \(inner)
      --b--

      """
    )
    try #require(stage.run("index").code == 0)
    try Files.makeDirectories(stage.magnum.home["out"])
    let out = stage.magnum.home["out"]
    #expect(try stage.run("attachments", "save", "--to", out, "id:whole@x").code == 0)
    #expect(Files.read("\(out)/plain") == octets)
    #expect(Files.text("\(out)/inner.eml")?.hasPrefix(inner) == true)
    #expect(Files.read("\(out)/deep") == octets)
    let listed = try stage.run("attachments", "list", "--json", "id:whole@x")
    #expect(listed.output.contains("\"size\":\(size),"), "\(listed)")
  }

  @Test(arguments: [
    (["--name", "*.pdf"], ["report.pdf"]), (["--name", "part-3*"], ["part-3.png"]),
    (["--part", "3"], ["part-3.png"]), (["--part", "4.1"], ["deep.txt"]),
  ])
  func attachmentsAreChosen(options: [String], names: [String]) throws {
    let stage = try Self.stage()
    try Files.makeDirectories(stage.magnum.home["out"])
    let out = stage.magnum.home["out"]
    let outcome = try stage.run(
      ["attachments", "save", "--to", out] + options + ["id:files@x.org"]
    )
    #expect(outcome.code == 0, "\(outcome)")
    #expect(stage.names("out") == names)
  }

  @Test(
    arguments: [
      (["list", "id:nothing"], 1, "no message found"),
      (["save", "--part", "9", "id:files@x.org"], 1, "no part 9"),
      (["save", "--name", "x", "id:files@x.org"], 1, "no attachment is called x"),
      (["save", "--to", "/nowhere", "id:files@x.org"], 73, "No such file"),
      (["save", "--part", "1", "--name", "x", "id:files@x.org"], 64, "exclude each other"),
      (["open", "id:files@x.org"], 65, "5 parts, and one is wanted"),
      (["open", "--part", "2", "id:files@x.org"], 64, "needs a terminal"),
      (["save", "*"], 65, "the query finds 2 messages"),
    ] as [([String], Int32, String)]
  )
  func mistakesAreSaid(words: [String], code: Int32, error: String) throws {
    let outcome = try Self.stage().run(["attachments"] + words)
    #expect(outcome.code == code && outcome.errors.contains(error), "\(outcome)")
    #expect(outcome.output == "" && outcome.seconds < 5)
  }

  /// A full disk leaves nothing half.
  @Test(.enabled("needs a small file system, which only root can mount") { SmallDisk.canBe })
  func aFullDiskLeavesNothing() throws {
    let stage = try Self.stage()
    let large = String(repeating: "A", count: 200_000)
    try stage.deliver(
      "3",
      "Message-ID: <large@x>\nContent-Disposition: attachment; filename=l\nContent-Type: a/b\n\n\(large)"
    )
    try #require(stage.run("index").code == 0)
    let out = stage.magnum.home["disk"]
    try Files.makeDirectories(out)
    try Command.shell("mount -t tmpfs -o size=64k none \"$1\"", [out])
    defer { _ = try? Command.shell("umount \"$1\"", [out]) }
    let outcome = try stage.run("attachments", "save", "--to", out, "id:large@x")
    #expect(outcome.code == 73 && outcome.errors.contains("No space left"), "\(outcome)")
    #expect(stage.names("disk").isEmpty)
  }

  /// However its lines are, or where it has none, little of it is in memory at once.
  @Test(
    arguments: [
      ("quoted-printable", "=41bc xyz"),
      ("quoted-printable", String(repeating: "=41bc xyz", count: 8) + "=\n"),
      ("quoted-printable", "  \t"), ("quoted-printable", "==="), ("base64", "QUJD"),
    ]
  )
  func aLineWithoutEndTakesLittleMemory(encoding: String, piece: String) throws {
    let stage = try Self.stage()
    let body = "x" + String(repeating: piece, count: (36 << 20) / piece.utf8.count) + "x"
    let type = "Content-Type: a/b\nContent-Disposition: attachment; filename=l"
    let head = "Message-ID: <long@x>\n\(type)\nContent-Transfer-Encoding: \(encoding)\n\n"
    let file = stage.magnum.home["long"]
    try Files.write((head + body + "\n").utf8, to: file)
    let out = stage.magnum.home["out"]
    try Files.makeDirectories(out)
    let outcome = try stage.run("attachments", "save", "--to", out, file)
    #expect(outcome.code == 0 && Files.exists("\(out)/l"), "\(outcome)")
    // The program by itself takes about 44 MiB where it is not optimised; the file has 36.
    #expect(outcome.peakMemory < 64 << 10, "\(outcome.peakMemory)")
  }

  // MARK: Opening

  private static func open(
    _ stage: ComposeStage,
    _ part: String,
    of id: String = "files@x.org",
    with opener: String = "xdg-open",
    keys: String = ""
  ) throws -> Outcome {
    let program = "#!/bin/sh\necho \"$1\" > ~/opened; cat \"${1#*:}\" >> ~/opened\n"
    try stage.magnum.home.write(program, to: "bin/\(opener)", mode: 0o755)
    var command = stage.magnum.command([])
    let path = "\(stage.magnum.home["bin"]):/usr/bin:/bin"
    command.environment["PATH"] = path
    command.environment["TMPDIR"] = stage.magnum.home.path
    command.environment["SHELL"] = "/bin/sh"
    command.program = "script"
    command.arguments = [
      "-qec", "'\(stage.magnum.path)' attachments open --part \(part) id:\(id)", "/dev/null",
    ]
    command.input = Array(keys.utf8)
    command.timeLimit = 20
    return try command.run()
  }

  @Test(.enabled("run-mailcap is installed") { (try? Command.shell("which run-mailcap")) == nil })
  func anAttachmentIsOpenedUnderANameOfItsType() throws {
    let stage = try Self.stage()
    let outcome = try Self.open(stage, "2")
    #expect(outcome.code == 0, "\(outcome)")
    let opened = try #require(Files.text(stage.magnum.home["opened"]))
    let lines = opened.split(separator: "\n")
    #expect(lines[0].hasSuffix("/part-2.pdf") && lines[1] == "%PDF", "\(opened)")
    let directory = lines[0].dropLast("/part-2.pdf".count)
    #expect(try Command.shell("stat -c %a \"$1\"", [String(directory)]) == "700\n")
  }

  /// What is attached to all messages that a query finds; without --to, one message is wanted.
  @Test func manyAreSavedAtOnce() throws {
    let stage = try ComposeStage()
    try stage.deliver("2", ComposeStage.mail.replacing("m1@", with: "m2@"))
    try stage.deliver("3", "Message-ID: <m3@x.org>\nSubject: lunch\n\nnothing\n")
    try #require(stage.run("index").code == 0)
    let out = stage.magnum.home["out"]
    try Files.makeDirectories(out)
    let saved = try stage.run("attachments", "save", "--to", out, "subject:lunch")
    #expect(saved.code == 0, "\(saved)")
    #expect(stage.names("out") == ["menu (2).pdf", "menu.pdf"])
    let named = try stage.run(
      "attachments",
      "save",
      "--to",
      out,
      "--name",
      "*.doc",
      "subject:lunch"
    )
    #expect(named.code == 1 && named.errors.contains("nothing is attached"), "\(named)")
    #expect(try stage.run("attachments", "save", "subject:lunch").code == 65)
  }

  @Test(.enabled("run-mailcap is installed") { (try? Command.shell("which run-mailcap")) == nil })
  func whatCanRunIsAskedAbout() throws {
    let stage = try Self.stage()
    let refused = try Self.open(stage, "5", keys: "n\n")
    #expect(refused.code == 1 && refused.output.contains("can run a program"), "\(refused)")
    #expect(!Files.exists(stage.magnum.home["opened"]))
    #expect(try Self.open(stage, "5", keys: "y\n").code == 0)
    #expect(Files.exists(stage.magnum.home["opened"]))
  }

  /// run-mailcap(1) puts the type into a line for a shell as it is.
  @Test(arguments: [
    ("application/x`id`", "x.pdf", "application/pdf"),
    ("text/$HOME", "x", "application/octet-stream"),
    ("text/'x'", "x.txt", "text/plain"),
    ("application/vnd.a+b-c_1", "x", "application/vnd.a+b-c_1"),
  ])
  func noTypeThatAShellReadsIsGivenToAProgram(_ type: String, _ name: String, _ given: String)
    throws
  {
    let stage = try Self.stage()
    let mail = """
      Message-ID: <type@x.org>
      Content-Type: multipart/mixed; boundary=b

      --b
      Content-Type: \(type)
      Content-Disposition: attachment; filename=\(name)

      content
      --b--

      """
    try stage.deliver("3", mail)
    try #require(stage.run("index").code == 0)
    let outcome = try Self.open(stage, "1", of: "type@x.org", with: "run-mailcap")
    #expect(outcome.code == 0, "\(outcome)")
    let opened = try #require(Files.text(stage.magnum.home["opened"]))
    #expect(opened.hasPrefix("\(given):") && opened.contains("\ncontent"), "\(opened)")
  }
}
