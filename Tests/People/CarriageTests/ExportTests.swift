import TestSupport
import Testing

@Suite("magnum export") struct ExportTests {
  /// An account with an index of three messages, one of them in Trash too.
  private static func stage() throws -> CarriageStage {
    let stage = try CarriageStage("")
    let mbox = CarriageStage.mbox([
      CarriageStage.message(1, "Status: RO\nX-Status: AF\nX-Keywords: work, home,\n"),
      CarriageStage.message(2, "Status: O\n") + "From here\n>From there\n",
      CarriageStage.message(3, "In-Reply-To: <m2@x.test>\n"),
    ])
    try stage.home.write(mbox, to: "old.mbox")
    try #require(try stage.importMail(stage.home["old.mbox"], "--to", "work/Old").code == 0)
    return stage
  }

  @Test("an mbox has flags and tags, and comes back as it was")
  func mbox() throws {
    let stage = try Self.stage()
    let place = stage.home["out.mbox"]
    let run = try stage.run(["export", "*", "--output", place])
    #expect(run.code == 0 && run.lines == ["3 messages written"], "\(run)")
    let text = try #require(Files.text(place))
    #expect(
      text.contains(
        "From w1@x.test Thu Jul  9 13:00:00 2026\nStatus: RO\nX-Status: AF\nX-Keywords: work, home,\nFrom: Writer 1"
      )
    )
    #expect(text.contains("\nStatus: O\nFrom: Writer 2"))
    #expect(text.contains("\n>From here\n>From there\n"))
    #expect(try Command.shell("stat -c %a \(place)") == "600\n")
    let back = try stage.importMail(place, "--to", stage.home["back"])
    #expect(back.output.hasPrefix("3 read: 3 added"))
    #expect(CarriageStage.texts(stage.home["back"]) == CarriageStage.texts("\(stage.mail)/Old"))
    #expect(CarriageStage.flags(stage.home["back"]) == CarriageStage.flags("\(stage.mail)/Old"))
    let taken = try stage.run(["export", "*", "--output", place])
    #expect(taken.code == 73 && taken.errors.contains("this file is already there"), "\(taken)")
    #expect(try stage.run(["export", "id:m1@x.test", "--output", place, "--force"]).code == 0)
    #expect(Files.text(place)?.contains("number 2") == false)
  }

  @Test("files have the same names again; --force adds what is missing")
  func eml() throws {
    let stage = try Self.stage()
    let place = stage.home["out"]
    let run = try stage.run(["export", "id:m1@x.test", "--format", "eml", "--output", place])
    #expect(run.lines == ["1 message written"], "\(run)")
    let names = Files.names(in: place).map { String(decoding: $0, as: UTF8.self) }
    let name = try #require(names.first)
    #expect(
      name.hasPrefix("2026-07-09 number 1 ") && name.hasSuffix(".eml") && name.utf8.count == 32
    )
    #expect(
      Files.text("\(place)/\(name)") == CarriageStage.message(1).replacing("\n", with: "\r\n")
    )
    let refused = try stage.run(["export", "*", "--format", "eml", "--output", place])
    #expect(refused.code == 73)
    let more = try stage.run(["export", "*", "--format", "eml", "--output", place, "--force"])
    #expect(more.lines == ["2 messages written, 1 already there"], "\(more)")
    #expect(Files.names(in: place).count == 3)
    let back = try stage.importMail(place, "--to", stage.home["back"])
    #expect(back.output.hasPrefix("3 read: 3 added"), "\(back)")
    #expect(CarriageStage.texts(stage.home["back"]) == CarriageStage.texts("\(stage.mail)/Old"))
  }

  @Test(
    "what is no regular file is not replaced",
    arguments: ["mkfifo $p", "ln -s old.mbox $p", "ln -s none $p", "mkdir $p"]
  )
  func noFile(command: String) throws {
    let stage = try Self.stage()
    let place = stage.home["out"]
    let kind = "p=\(place); stat -c %F:%N $p"
    _ = try Command.shell("p=\(place); \(command)")
    let before = try Command.shell(kind)
    let run = try stage.run(["export", "*", "--output", place, "--force"])
    #expect(run.code == 73 && run.errors.contains("no regular file, and not replaced"), "\(run)")
    #expect(try Command.shell(kind) == before)
    #expect(try Command.shell("ls -A \(stage.home.path)").contains("exporting") == false)
  }

  @Test(
    "what is wrong is said of the file that was named",
    arguments: [
      (["export", "*", "--output", "old.mbox"], 73, "hint: --force replaces a file"),
      (["show", "--format", "html", "*", "--output", "old.mbox"], 73, "hint: name another file\n"),
      (["export", "*", "--output", "no/out"], 73, "no/out: there is no directory no\n"),
      (
        ["show", "--format", "html", "*", "--output", "no/out"], 73,
        "no/out: there is no directory no\n"
      ),
      (
        ["export", "*", "--output", "old.mbox/out"], 73,
        "old.mbox/out: there is no directory old.mbox\n"
      ),
      (["export", "letter", "--output", "out"], 1, "no such file, and no message found"),
      (["export", "old.mbox", "letter", "--output", "out"], 1, "no such file, and no message"),
      (["export", "./old.mbox", "letter", "--output", "out"], 66, "letter: there is no such file"),
      (["export", "no/letter.eml", "--output", "out"], 66, "letter.eml: there is no such file"),
    ] as [([String], Int32, String)]
  )
  func named(arguments: [String], status: Int32, text: String) throws {
    let stage = try Self.stage()
    let run = try Command(
      "sh",
      ["-c", "cd \(stage.home.path); exec \(stage.magnum.path) \"$@\"", "sh"] + arguments,
      environment: stage.magnum.command([]).environment
    ).run()
    #expect(run.code == status && run.errors.contains(text), "\(run)")
    #expect(!run.errors.contains("exporting") && !Files.exists(stage.home["out"]), "\(run)")
  }

  @Test("empty lines above a file are no part of its message", arguments: ["mbox", "eml"])
  func emptyLines(format: String) throws {
    let stage = try Self.stage()
    let text = CarriageStage.message(4)
    try stage.home.write("\n\r\n" + text, to: "4.eml")
    let out = stage.home["out"]
    let run = try stage.run(["export", stage.home["4.eml"], "--format", format, "--output", out])
    #expect(run.code == 0, "\(run)")
    let back = try stage.importMail(out, "--to", stage.home["back"])
    #expect(back.output.hasPrefix("1 read: 1 added"), "\(back)")
    #expect(CarriageStage.texts(stage.home["back"]) == [text])
    var command = stage.magnum.command(["show", "--format", format, "-"])
    command.input = [UInt8](("\n" + text).utf8)
    let shown = try command.run()
    #expect(format == "mbox" || shown.output == text.replacing("\n", with: "\r\n"), "\(shown)")
    #expect(format == "eml" || shown.output.contains("\nStatus: RO\nFrom: Writer 4"), "\(shown)")
  }

  @Test("files of their own go to no file", arguments: ["eml", "maildir"])
  func noDirectory(format: String) throws {
    let stage = try Self.stage()
    let place = stage.home["old.mbox"]
    let run = try stage.run(["export", "*", "--format", format, "--output", place, "--force"])
    #expect(run.code == 73 && run.errors.contains("no directory"), "\(run)")
  }

  @Test("a failed export into a directory that was there leaves no hidden files")
  func failed() throws {
    let stage = try Self.stage()
    let place = stage.home["out"]
    let arguments = ["export", "*", "--format", "eml", "--output", place, "--force"]
    var failures = 0
    for point in 1...20 {
      Files.removeTree(place)
      try Files.makeDirectories(place)
      let run = try stage.run(arguments, ["MAGNUM_FAULT_ERROR": "\(point):EIO"])
      #expect(Files.names(in: place).allSatisfy { $0.first != UInt8(ascii: ".") }, "\(point)")
      guard run.code != 0 else { continue }
      failures += 1
      #expect(run.code == 73 && run.errors.contains("--force adds the rest"), "\(run)")
      let rest = try stage.run(arguments)
      #expect(rest.code == 0 && Files.names(in: place).count == 3, "\(rest)")
    }
    #expect(failures > 5)
  }

  @Test("show prints an mbox as export writes it")
  func shown() throws {
    let stage = try Self.stage()
    try #require(try stage.run(["export", "*", "--output", stage.home["out"]]).code == 0)
    let shown = try stage.run(["show", "--format", "mbox", "*"])
    #expect(shown.code == 0 && shown.output == Files.text(stage.home["out"]), "\(shown)")
    var command = stage.magnum.command(["show", "--format", "eml", "-"])
    command.input = [UInt8](CarriageStage.message(1).utf8)
    let input = try command.run()
    #expect(input.output == CarriageStage.message(1).replacing("\n", with: "\r\n"), "\(input)")
  }

  @Test("a Maildir has folders, flags and tags")
  func maildir() throws {
    let stage = try Self.stage()
    let place = stage.home["out"]
    let run = try stage.run(["export", "*", "--format", "maildir", "--output", place])
    #expect(run.lines == ["3 messages written"], "\(run)")
    #expect(CarriageStage.flags("\(place)/Old") == CarriageStage.flags("\(stage.mail)/Old"))
    #expect(CarriageStage.texts("\(place)/Old") == CarriageStage.texts("\(stage.mail)/Old"))
    #expect(Files.text("\(place)/Old/.magnum-keywords")?.contains(" work,home\n") == true)
    let again = try stage.run(["export", "*", "--format", "maildir", "--output", place, "--force"])
    #expect(again.lines == ["0 messages written, 3 already there"])
  }

  @Test("JSON, and what lines of standard input name")
  func json() throws {
    let stage = try Self.stage()
    var command = stage.magnum.command(["export", "-", "--format", "json", "--output", "-"])
    command.input = Array(
      "id:m1@x.test\n\(CarriageStage.files("\(stage.mail)/Old").last ?? "")\n".utf8
    )
    let run = try command.run()
    let values = try run.lines.map { try ParsedJSON($0) }
    #expect(values.count == 2, "\(run)")
    #expect(values.first?["folder"]?.text == "Old" && values.first?["account"]?.text == "work")
    #expect(
      run.lines.first?.contains(#""tags":["flagged","home","replied","work"]"#) == true,
      "\(run)"
    )
    command.input = Array("subject:number\n".utf8)
    #expect(try command.run().code == 65)
  }

  @Test("what is named twice is written once, and what is no message is left out")
  func named() throws {
    let stage = try Self.stage()
    var command = stage.magnum.command(["export", "-", "--thread", "--output", stage.home["out"]])
    command.input = [UInt8]("id:m2@x.test\nid:m3@x.test\nid:m2@x.test\n".utf8)
    let run = try command.run()
    #expect(run.lines == ["2 messages written"], "\(run)")
    let file = CarriageStage.files("\(stage.mail)/Old")[0]
    let twice = try stage.run(["export", file, file, "--output", stage.home["twice"]])
    #expect(twice.lines == ["1 message written"], "\(twice)")
    for (text, reason) in [
      ("", "empty"), ("\u{1}\u{2}", "no header"), (CarriageStage.mbox(["A: b\n"]), "an mbox"),
    ] {
      try stage.home.write(text, to: "file")
      let left = try stage.run(["export", stage.home["file"], "--output", stage.home["none"]])
      #expect(left.code == 1 && left.errors.contains("left out: \(reason)"), "\(left)")
    }
    #expect(!Files.exists(stage.home["none"]))
  }

  @Test("copies, threads, and one message to standard output")
  func choice() throws {
    let stage = try Self.stage()
    for sub in ["cur", "new", "tmp"] { try Files.makeDirectories("\(stage.mail)/INBOX/\(sub)") }
    _ = try stage.run(["copy", "--yes", "INBOX", "id:m1@x.test"])
    _ = try stage.run(["copy", "--yes", "INBOX", "id:m2@x.test"])
    let count = { (arguments: [String]) in
      try stage.run(["export", "-n", "--output", stage.home["o"]] + arguments).output
    }
    #expect(try count(["*"]).hasPrefix("3 messages "))
    #expect(try count(["*", "--all-copies"]).hasPrefix("5 messages "))
    #expect(try count(["id:m3@x.test", "--thread"]).hasPrefix("2 messages "))
    let one = try stage.run(["export", "id:m3@x.test", "--format", "eml", "--output", "-"])
    #expect(
      one.output
        == CarriageStage.message(3, "In-Reply-To: <m2@x.test>\n").replacing("\n", with: "\r\n")
    )
    #expect(
      try stage.run(["show", "--format", "eml", "id:m3@x.test"]).outputOctets == one.outputOctets
    )
    let several = try stage.run(["export", "*", "--format", "eml", "--output", "-"])
    #expect(several.code == 65, "\(several)")
    let nothing = try stage.run(["export", "id:none@x", "--output", stage.home["o"]])
    #expect(nothing.code == 1 && !Files.exists(stage.home["o"]))
  }

  @Test(
    "killed anywhere, an export leaves no file under its name that is not whole",
    arguments: ["mbox", "eml", "maildir"]
  )
  func killed(format: String) throws {
    let stage = try Self.stage()
    let place = stage.home["out"]
    let arguments = ["export", "*", "--format", format, "--output", place]
    _ = try stage.run(arguments, ["MAGNUM_FAULT_COUNT": stage.home["points"]])
    let expected = try Command.shell(
      "cd \(place)* && find . -type f -exec md5sum {} + | sort; true"
    )
    let points =
      Files.text(stage.home["points"])?.split(separator: "\n").first.flatMap { Int($0) } ?? 0
    try #require(points > 3)
    for point in Turn.chosen(of: points, every: Turn.stride(2)) {
      Files.removeTree(place)
      let killed = try stage.run(arguments, ["MAGNUM_FAULT": "\(point)"])
      #expect(killed.end == .signalled(9))
      if Files.exists(place) { continue }
      #expect(try stage.run(arguments).code == 0)
      let text = try Command.shell("cd \(place)* && find . -type f -exec md5sum {} + | sort; true")
      #expect(text == expected)
    }
  }
}

/// Messages through files and back, octet by octet.
@Suite struct RoundTripTests {
  /// A message put together of lines that separators, quoting and line ends are about.
  private static func message(_ number: Int, _ random: inout SeededGenerator) -> String {
    let lines = [
      "", "", "Text", "From here on", ">From one", ">>From two",
      "From a@x Thu Jul  9 13:00:00 2026",
      "Subject: a", "Date: b", "From: c", ">", "From ", "From", "--b", " ", "\t", ".", "é",
    ]
    var text = "Subject: number \(number)\nFrom: a@x\n"
    if Bool.random(using: &random) { text += "Message-ID: <g\(number)@x>\n" }
    if Int.random(in: 0..<10, using: &random) == 0 { return text }
    text += "\n"
    for _ in 0..<Int.random(in: 0...20, using: &random) {
      text += (lines.randomElement(using: &random) ?? "") + "\n"
    }
    return text
  }

  @Test(arguments: ["mbox", "eml", "maildir"]) func comesBack(format: String) throws {
    let count = runsLongTests ? 2000 : 300
    let stage = try CarriageStage("")
    var random = SeededGenerator(seed: 23)
    var texts: [String] = []
    for number in 1...count {
      let text = Self.message(number, &random)
      texts.append(text)
      try stage.home.write(text, to: "Mail/Old/cur/\(number).a:2,S")
    }
    try Files.makeDirectories("\(stage.mail)/Old/new")
    try #require(try stage.run(["index"]).code == 0)
    let out = try stage.run(["export", "*", "--format", format, "--output", stage.home["out"]])
    #expect(out.lines == ["\(count) messages written"], "\(out)")
    let source = format == "maildir" ? stage.home["out/Old"] : stage.home["out"]
    let back = try stage.importMail(source, "--to", stage.home["back"])
    #expect(back.output.hasPrefix("\(count) read: \(count) added"), "\(back)")
    #expect(CarriageStage.texts(stage.home["back"]) == texts.sorted())
  }
}

/// What other programs read in an mbox that was written.
@Suite struct MboxReadersTests {
  private static let messages = [
    "From here\n", ">From there\n>>From afar\n",
    "\n\nFrom a@x Thu Jul  9 13:00:00 2026\nSubject: none\n\n",
    "text\n\n", "no end", "From \n", "--b\n\nFrom: x\n\n", "\n",
  ]

  private static func stage() throws -> CarriageStage {
    let stage = try CarriageStage("")
    for (number, text) in messages.enumerated() {
      try stage.home.write(
        CarriageStage.message(number) + text,
        to: "Mail/Old/cur/\(number).a:2,\(number % 2 == 0 ? "S" : "FRS")"
      )
    }
    try Files.makeDirectories("\(stage.mail)/Old/new")
    try #require(try stage.run(["index"]).code == 0)
    try #require(try stage.run(["export", "*", "--output", stage.home["out.mbox"]]).code == 0)
    return stage
  }

  @Test func python() throws {
    let stage = try Self.stage()
    let script = """
      import mailbox, sys
      for m in mailbox.mbox(sys.argv[1]):
          print(m["Subject"], "".join(sorted(m.get_flags())), m.get_from()[:3])
      """
    try stage.home.write(script, to: "read.py")
    let read = try Command.shell("python3 \(stage.home["read.py"]) \(stage.home["out.mbox"])")
    let lines = read.split(separator: "\n").map { "\($0)" }.sorted()
    #expect(
      lines
        == Self.messages.indices.map { "number \($0) \($0 % 2 == 0 ? "OR" : "AFOR") w\($0)@" }
        .sorted()
    )
  }

  @Test func mutt() throws {
    let stage = try Self.stage()
    let mbox = stage.home["out.mbox"]
    let rc = stage.home["rc"]
    // A question, as whether ~/Mail shall be made, would take the keys that are pushed.
    try stage.home.write(
      """
      set mbox_type=Maildir
      set quit=yes
      set confirmcreate=no
      set confirmappend=no
      set folder="\(stage.home.path)"

      """,
      to: "rc"
    )
    let copy =
      "push '<tag-pattern>~A<enter><tag-prefix><copy-message>\(stage.home["copy"])<enter><quit>'"
    // The end of its input would be typed into the terminal.
    let keys = stage.home["keys"]
    let script = """
      mkfifo \(keys); export HOME=\(stage.home.path) TERM=xterm
      timeout 120 script -qec "mutt -n -F \(rc) -R -f \(mbox) -e \\"\(copy)\\"" /dev/null <> \(keys) > /dev/null
      """
    _ = try Command.shell(script)
    #expect(CarriageStage.files(stage.home["copy"]).count == Self.messages.count)
  }

  @Test func mblaze() throws {
    let stage = try Self.stage()
    let out = try Command.shell(
      "cd \(stage.home.path) && mkdir -p box/cur box/new box/tmp && mdeliver -M box < out.mbox && find box -type f | wc -l"
    )
    #expect(out.split(separator: " ").joined().hasPrefix("\(Self.messages.count)"))
  }

  @Test func git() throws {
    let stage = try CarriageStage("")
    let script = """
      set -e; cd \(stage.home.path); git init -q a; cd a; git config user.name A; git config user.email a@x.test
      printf 'one\\nFrom here\\n' > f; git add f; git commit -qm 'one' --date '2026-07-09 13:00:00 +0000'; printf 'two\\n>From\\n' >> f; git commit -qam 'two' --date '2026-07-09 13:00:01 +0000'
      git format-patch -q --root --stdout > ../patches
      """
    _ = try Command.shell(script)
    let run = try stage.importMail(stage.home["patches"], "--to", "work/Patches")
    #expect(run.output.hasPrefix("2 read: 2 added"), "\(run)")
    let out = try stage.run(["export", "folder:Patches", "--output", stage.home["out.mbox"]])
    #expect(out.code == 0, "\(out)")
    let applied = try Command.shell(
      "set -e; cd \(stage.home.path); git init -q b; cd b; git config user.name A; git config user.email a@x.test; git am -q ../out.mbox; cat f; git log --format=%s"
    )
    #expect(applied == "one\nFrom here\ntwo\n>From\ntwo\none\n")
  }
}
