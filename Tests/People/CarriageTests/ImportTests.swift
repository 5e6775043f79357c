import TestSupport
import Testing

@Suite("magnum import") struct ImportTests {
  private static let three = CarriageStage.mbox([
    CarriageStage.message(1, "Status: RO\nX-Status: AF\nX-Keywords: work, home\n"),
    CarriageStage.message(2, "Status: O\n"), CarriageStage.message(3),
  ])

  @Test("flags, tags, dates; the same again adds nothing")
  func flags() throws {
    let stage = try CarriageStage()
    try stage.home.write(Self.three, to: "old.mbox")
    let source = try #require(Files.read(stage.home["old.mbox"]))
    let first = try stage.importMail(
      stage.home["old.mbox"],
      "--to",
      "work/Old/2010",
      "--tag",
      "old"
    )
    #expect(first.code == 0, "\(first)")
    #expect(first.lines == ["3 read: 3 added, 0 already there, 0 deleted before, 0 left out"])
    let folder = "\(stage.mail)/Old/2010"
    #expect(CarriageStage.flags(folder) == ["1": "FRS", "2": "new ", "3": "S"])
    #expect(CarriageStage.texts(folder) == (1...3).map { CarriageStage.message($0) })
    let tags = try #require(Files.text("\(folder)/.magnum-tags"))
    #expect(tags.contains(" =work,=home,=old\n"))
    #expect(tags.split(separator: "\n").count == 4)
    let dates = try Command.shell("stat -c %Y \(folder)/cur/* \(folder)/new/* | sort -u")
    #expect(dates == "1783602000\n")
    let again = try stage.importMail(stage.home["old.mbox"], "--to", "work/Other")
    #expect(again.lines == ["3 read: 0 added, 3 already there, 0 deleted before, 0 left out"])
    #expect(CarriageStage.files("\(stage.mail)/Other") == [])
    let forced = try stage.importMail(stage.home["old.mbox"], "--to", "work/Old/2010", "--again")
    #expect(forced.lines.first?.hasPrefix("3 read: 3 added") == true)
    #expect(Files.read(stage.home["old.mbox"]) == source)
  }

  /// What makes a message one that is there: the account with and without an index.
  @Test("what is there", arguments: [true, false])
  func there(isIndexed: Bool) throws {
    let stage = try CarriageStage("index = \(isIndexed)")
    try stage.home.write(Self.three, to: "old.mbox")
    _ = try stage.importMail(stage.home["old.mbox"], "--to", "work/Old")
    if isIndexed {
      let found = try stage.run(["show", "--format", "raw", "id:m2@x.test"])
      #expect(found.output == CarriageStage.message(2))
    }
    let cases: [(name: String, message: String, isThere: Bool)] = [
      ("the same", CarriageStage.message(1), true),
      ("with fields of its way", "Received: from x\n" + CarriageStage.message(1), true),
      ("with another subject", "Subject: other\n" + CarriageStage.message(1), true),
      ("with another text", CarriageStage.message(1) + "more\n", false),
      ("with another id", CarriageStage.message(1).replacing("m1@", with: "n1@"), false),
      ("with CRLF", CarriageStage.message(2).replacing("\n", with: "\r\n"), true),
    ]
    for (number, example) in cases.enumerated() {
      try stage.home.write(example.message, to: "\(number).eml")
      let run = try stage.importMail("-n", stage.home["\(number).eml"], "--to", "work/Old")
      let expected = example.isThere ? "0 would be added, 1 already" : "1 would be added, 0 already"
      #expect(run.output.contains(expected), "\(example.name): \(run)")
    }
    // What is in Trash does not count.
    try Files.makeDirectories("\(stage.mail)/Trash/new")
    _ = try Command.shell(
      "mkdir -p \(stage.mail)/Trash/tmp && mv \(stage.mail)/Old/cur \(stage.mail)/Trash/cur && mkdir \(stage.mail)/Old/cur"
    )
    let restored = try stage.importMail(stage.home["old.mbox"], "--to", "work/Old")
    #expect(
      restored.lines.first == "3 read: 2 added, 1 already there, 0 deleted before, 0 left out"
    )
  }

  /// Both do not count for other folders.
  @Test("the same again into Trash or Junk adds nothing", arguments: ["Trash", "Junk"])
  func aFolderThatDoesNotCount(name: String) throws {
    let stage = try CarriageStage()
    try stage.home.write(Self.three, to: "old.mbox")
    let results = try (1...3).map { _ in
      try stage.importMail(stage.home["old.mbox"], "--to", "work/\(name)").output
    }
    #expect(results[0].hasPrefix("3 read: 3 added"))
    #expect(results[1].hasPrefix("3 read: 0 added, 3 already there"))
    #expect(results[2] == results[1])
    #expect(CarriageStage.files("\(stage.mail)/\(name)").count == 3)
    let other = try stage.importMail(stage.home["old.mbox"], "--to", "work/Old")
    #expect(other.output.hasPrefix("3 read: 3 added"))
  }

  @Test("words that stand for flags set them; what is no tag is refused or counted")
  func tags() throws {
    let stage = try CarriageStage()
    let long = String(repeating: "k", count: 300)
    let keywords = "X-Keywords: \(long), unread, \\Seen, trash, home,\n"
    try stage.home.write(CarriageStage.mbox([CarriageStage.message(1, keywords)]), to: "old.mbox")
    let run = try stage.importMail(
      stage.home["old.mbox"],
      "--to",
      "work/Old",
      "--tag",
      "flagged",
      "--tag",
      "unread",
      "--tag",
      "replied",
      "--tag",
      "mine"
    )
    #expect(run.code == 0, "\(run)")
    #expect(run.errors.contains("4 tags are not set"), "\(run)")
    #expect(CarriageStage.flags("\(stage.mail)/Old") == ["1": "FR"])
    #expect(Files.text("\(stage.mail)/Old/.magnum-tags")?.contains(" =home,=mine\n") == true)
    for tag in ["draft", "inbox", "trash", "\\Seen", "a\tb", "a\nb", "-a", "", long] {
      let refused = try stage.importMail(
        stage.home["old.mbox"],
        "--to",
        "work/New",
        "--tag",
        tag
      )
      #expect(refused.code == 64, "\(tag): \(refused)")
    }
    #expect(!Files.exists("\(stage.mail)/New"))
  }

  @Test("a message keeps the first 500 of its tags, and those of the command")
  func manyTags() throws {
    let stage = try CarriageStage()
    let keywords = "X-Keywords: " + (1...2000).map { "t\($0), " }.joined() + "\n"
    try stage.home.write(CarriageStage.mbox([CarriageStage.message(1, keywords)]), to: "old.mbox")
    let run = try stage.importMail(stage.home["old.mbox"], "--to", "work/Old", "--tag", "mine")
    #expect(run.code == 0 && run.errors.contains("1500 tags are not set"), "\(run)")
    let tags = try #require(Files.text("\(stage.mail)/Old/.magnum-tags"))
    #expect(tags.hasSuffix(",=t499,=t500,=mine\n"))
  }

  @Test("the inbox has one spelling", arguments: ["inbox", "Inbox/Sub", "iNBOX/inbox"])
  func inbox(name: String) throws {
    let stage = try CarriageStage()
    try stage.home.write(Self.three, to: "old.mbox")
    let run = try stage.importMail(stage.home["old.mbox"], "--to", "work/\(name)")
    #expect(run.output.hasPrefix("3 read: 3 added"), "\(run)")
    #expect(CarriageStage.files("\(stage.mail)/INBOX\(name.dropFirst(5))").count == 3)
  }

  /// Each kind of source, to an account with an index and to one without.
  @Test(
    "the same source again adds nothing, and all of it to another account",
    arguments: ["mbox", "eml", "maildir", "mh", "apple"],
    ["", "index = false"]
  )
  func otherAccount(kind: String, index: String) throws {
    let stage = try CarriageStage("\(index)\n[account.other]\nmaildir = \"~/Other\"")
    for number in 1...3 {
      let text = CarriageStage.message(number)
      let (name, octets) =
        switch kind {
        case "eml": ("\(number).eml", text)
        case "maildir": ("cur/\(number):2,S", text)
        case "mh": ("\(number)", text)
        case "apple": ("\(number).emlx", "\(text.utf8.count)\n\(text)<plist/>")
        default: ("\(number)/x", CarriageStage.mbox([text]))
        }
      try stage.home.write(octets, to: "source/\(name)")
    }
    if kind == "maildir" { try Files.makeDirectories(stage.home["source/new"]) }
    for (place, result) in [
      ("work/Old", "3 added, 0"), ("work/Old", "0 added, 3"), ("work/New", "0 added, 3"),
      ("other/Old", "3 added, 0"), ("other/Old", "0 added, 3"), ("work/Old", "0 added, 3"),
    ] {
      let run = try stage.importMail(stage.home["source"], "--to", place)
      #expect(run.output.hasPrefix("3 read: \(result) already there"), "\(place): \(run)")
    }
  }

  @Test("messages that are left out are named, and all adds up")
  func left() throws {
    let stage = try CarriageStage()
    let mbox =
      CarriageStage.mbox([
        CarriageStage.message(1), CarriageStage.message(2, "X-Mozilla-Status: 0009\n"),
        CarriageStage.message(3) + "a\0b\n", CarriageStage.message(1),
        "Subject: DON'T DELETE THIS MESSAGE -- FOLDER INTERNAL DATA\nX-IMAP: 1 2\n\nstate\n",
      ]) + "From w@x.test Thu Jul  9 13:00:00 2026\n"
    try stage.home.write(mbox, to: "old.mbox")
    let run = try stage.importMail(stage.home["old.mbox"], "--to", stage.home["out"], "--json")
    #expect(run.code == 1)
    let states = try run.lines.map { try ParsedJSON($0) }
    #expect(
      states.compactMap { $0["state"]?.text }.sorted() == [
        "added", "deleted", "left", "left", "left", "there",
      ]
    )
    let reasons = states.compactMap { $0["reason"]?.text }
    #expect(
      reasons.sorted() == [
        "empty", "it contains a NUL octet, which no mail server accepts",
        "no mail; a mail program keeps the state of the mbox in it",
      ]
    )
    for state in states where state["state"]?.text == "left" {
      let offset = try #require(state["offset"]?.integer)
      #expect(mbox.utf8.dropFirst(offset).starts(with: "From w@x.test".utf8))
    }
    let numbers = ["read", "added", "there", "deleted", "left"].map { states.last?[$0]?.integer }
    #expect(numbers == [6, 1, 1, 1, 3])
    #expect(run.errors.contains("old.mbox at octet "))
    let all = try stage.importMail(
      stage.home["old.mbox"],
      "--to",
      stage.home["all"],
      "--with-deleted"
    )
    #expect(all.output.contains("6 read: 2 added, 1 already there, 0 deleted before, 3 left out"))
  }

  @Test("directories, links, and files that are no mail")
  func directories() throws {
    let stage = try CarriageStage()
    let mbox = { (number: Int) in CarriageStage.mbox([CarriageStage.message(number)]) }
    try stage.home.write(mbox(1), to: "tree/Inbox")
    try stage.home.write("junk", to: "tree/Inbox.msf")
    try stage.home.write(mbox(2), to: "tree/Inbox.sbd/Lists")
    try stage.home.write(mbox(3), to: "tree/Sent.mbox/mbox")
    try stage.home.write(CarriageStage.message(4), to: "tree/letters/a.eml")
    try stage.home.write("", to: "tree/letters/b.eml")
    try stage.home.write(CarriageStage.message(5), to: "tree/mh/7")
    try stage.home.write("unseen: 7\nflagged: 7\n", to: "tree/mh/.mh_sequences")
    let apple = CarriageStage.message(8)
    try stage.home.write(
      "\(apple.utf8.count)      \n\(apple)<plist><dict><key>flags</key><integer>17</integer></dict></plist>",
      to: "tree/apple/1.emlx"
    )
    try stage.home.write("1\n", to: "tree/apple/2.partial.emlx")
    try stage.home.write("key: value\n", to: "tree/settings")
    try stage.home.write(CarriageStage.message(6), to: "tree/box/cur/6:2,FT")
    try stage.home.write("magnum-keywords 1\n6 blue\n", to: "tree/box/.magnum-keywords")
    try Files.makeDirectories(stage.home["tree/box/new"])
    try stage.home.write(CarriageStage.message(7), to: "tree/box/.Sub/new/7")
    try Files.makeDirectories(stage.home["tree/box/.Sub/cur"])
    _ = try Command.shell(
      "ln -s Inbox \(stage.home["tree/link"]); mkfifo \(stage.home["tree/pipe"])"
    )
    let run = try stage.importMail(stage.home["tree"], "--to", "work/Old")
    #expect(run.code == 1)
    #expect(
      run.lines == ["12 read: 8 added, 0 already there, 0 deleted before, 4 left out"],
      "\(run)"
    )
    for text in [
      "tree/link: left out: a symbolic link", "tree/pipe: left out: not a regular file",
      "b.eml: left out: empty", "tree/settings: no mail; not read",
      "apple/2.partial.emlx: left out: not a whole file of Apple Mail",
    ] { #expect(run.errors.contains(text), "\(text)") }
    let places = [
      (1, "Old/Inbox"), (2, "Old/Inbox/Lists"), (3, "Old/Sent"), (4, "Old/letters"), (5, "Old/mh"),
      (6, "Old/box"), (7, "Old/box/Sub"), (8, "Old/apple"),
    ]
    for (number, folder) in places {
      #expect(
        CarriageStage.flags("\(stage.mail)/\(folder)").keys.contains("\(number)"),
        "\(folder)"
      )
    }
    #expect(CarriageStage.flags("\(stage.mail)/Old/mh") == ["5": "F"])
    #expect(CarriageStage.flags("\(stage.mail)/Old/apple") == ["8": "FS"])
    #expect(CarriageStage.flags("\(stage.mail)/Old/box") == ["6": "F"])
    #expect(Files.text("\(stage.mail)/Old/box/.magnum-tags")?.contains(" =blue\n") == true)
  }

  @Test("standard input")
  func input() throws {
    let stage = try CarriageStage()
    for (text, line) in [
      (Self.three, "3 read: 3 added"), (CarriageStage.message(4), "1 read: 1 added"),
    ] {
      var command = stage.magnum.command(["import", "-", "--to", "work/Old"])
      command.input = [UInt8](text.utf8)
      #expect(try command.run().output.hasPrefix(line))
    }
  }

  @Test(
    "standard input that is no mail",
    arguments: [
      ("< /dev/null", 65, "-: standard input is empty"),
      ("< text", 65, "is no mbox and no message"),
      ("<&-", 66, "-: standard input cannot be read"), ("< .", 66, "cannot be read"),
    ]
  )
  func noInput(redirection: String, status: Int32, text: String) throws {
    let stage = try CarriageStage()
    try stage.home.write("some text\n", to: "text")
    let script =
      "cd \(stage.home.path); exec \(stage.magnum.path) import - --to work/New \(redirection)"
    let run = try Command(
      "sh",
      ["-c", script],
      environment: stage.magnum.command([]).environment
    ).run()
    #expect(run.code == status && run.errors.contains(text), "\(run)")
    #expect(!Files.exists("\(stage.mail)/New"))
  }

  @Test("a signal ends an import that waits for input, which holds no lock")
  func waiting() throws {
    let stage = try CarriageStage()
    try stage.home.write(Self.three, to: "old.mbox")
    try stage.home.write(CarriageStage.message(4), to: "4.eml")
    // The second one is read while the first waits.
    let script = """
      cd \(stage.home.path); mkfifo pipe; exec 3<>pipe
      \(stage.magnum.path) import - --to work/Old <&3 2>first & first=$!
      \(stage.magnum.path) import old.mbox --to work/Old
      kill -TERM $first; wait $first; echo "status $?"
      """
    let run = try Command(
      "sh",
      ["-c", script],
      environment: stage.magnum.command([]).environment
    ).run()
    #expect(run.output.hasPrefix("3 read: 3 added"), "\(run)")
    #expect(run.output.hasSuffix("status 143\n"), "\(run)")
  }

  @Test(
    "what is refused",
    arguments: [
      (["nothing", "--to", "work/Old"], 66, "there is no such file"),
      (["text", "--to", "work/Old"], 65, "not an mbox or a message"),
      (["empty", "--to", "work/Old"], 65, "no mail in this directory"),
      (["old.mbox"], 64, "use --to"), (["old.mbox", "--to", "work"], 64, "no folder is named"),
      (["old.mbox", "--to", "wrok/Old"], 64, "unknown account 'wrok'"),
      (["old.mbox", "--to", "./Mail/Old"], 65, "belongs to the account 'work'"),
      (["Mail", "--to", "work/Old"], 65, "no mail in this directory"),
      (["busy.mbox", "--to", "work/Old"], 75, "another program is writing to this mbox"),
      (["-", "old.mbox", "--to", "work/Old"], 64, "- cannot be combined"),
      (["old.mbox", "--to", "pulled/Old"], 65, "is only pulled"),
      (["old.mbox", "--to", "part/Old"], 65, "is not mirrored"),
      (["old.mbox", "--to", "kept/Old"], 65, "does not allow to make its mailbox"),
      (["old.mbox", "text", "--to", "work/Old"], 65, "not an mbox or a message"),
      (["old.mbox", "--to", "work/../Old"], 65, "no folder can have the name ../Old"),
      (["old.mbox", "--to", "./text"], 73, "this is no directory"),
      (["old.mbox", "--to", "./text/x"], 73, "this is no directory"),
    ]
  )
  func refused(arguments: [String], status: Int32, text: String) throws {
    let stage = try CarriageStage(
      """
      index = false
      [account.pulled]
      maildir = "~/pulled"
      imap = "imap+plain://127.0.0.1:1"
      user = "me"
      password = "x"
      sync.direction = "pull"
      [account.part]
      maildir = "~/part"
      imap = "imap+plain://127.0.0.1:1"
      user = "me"
      password = "x"
      sync.include = ["INBOX"]
      [account.kept]
      maildir = "~/kept"
      imap = "imap+plain://127.0.0.1:1"
      user = "me"
      password = "x"
      sync.create = "local"
      """
    )
    try stage.home.write(Self.three, to: "old.mbox")
    try stage.home.write(Self.three, to: "busy.mbox")
    try stage.home.write("", to: "busy.mbox.lock")
    try stage.home.write("some text\n", to: "text")
    for directory in ["empty", "Mail"] { try Files.makeDirectories(stage.home[directory]) }
    let words = arguments.map { word in
      Files.exists(stage.home[word]) || word == "nothing"
        ? stage.home[word]
        : word.hasPrefix("./") ? stage.home[String(word.dropFirst(2))] : word
    }
    let run = try stage.run(["import"] + words)
    #expect(run.code == status, "\(run)")
    #expect(run.errors.contains(text), "\(run)")
    #expect(!Files.exists("\(stage.mail)/Old"))
  }

  @Test("a source that is cut off while it is read: what was whole is there")
  func cutOff() throws {
    let stage = try CarriageStage()
    let mbox = CarriageStage.mbox((1...50).map { CarriageStage.message($0) })
    try stage.home.write(mbox, to: "old.mbox")
    let pipe = stage.home["pipe"]
    // The last message is half there when the writer goes away.
    let script =
      "mkfifo \(pipe); (head -c \(mbox.utf8.count - 10) \(stage.home["old.mbox"]) > \(pipe) &) "
    _ = try Command.shell(script)
    let run = try Command(
      "sh",
      ["-c", "\(stage.magnum.path) import - --to \(stage.home["out"]) < \(pipe)"],
      environment: stage.magnum.command([]).environment
    ).run()
    #expect(run.output.hasPrefix("50 read: 50 added"), "\(run)")
  }

  @Test("a partial file is never brought in")
  func partial() throws {
    let stage = try CarriageStage()
    let mark = "X-Magnum-Partial: 1; uid=1; validity=1; seal=00000000000000000000000000000000\n"
    let part = """
      Content-Type: multipart/mixed; boundary=b

      --b

      text
      --b
      Content-Type: message/external-body; access-type="x-magnum"; section="2"; size="1000"

      Content-Type: application/pdf

      --b--

      """
    // In a Maildir, its name says so though no record does.
    let name = "1700000000.V17U5.0123456789abcdef"
    try stage.home.write(mark + "Subject: a\n" + part, to: "box/cur/\(name):2,")
    try Files.makeDirectories(stage.home["box/new"])
    let run = try stage.importMail(stage.home["box"], "--to", "work/Old")
    #expect(run.code == 1, "\(run)")
    #expect(
      run.lines == ["1 read: 0 added, 0 already there, 0 deleted before, 1 left out"],
      "\(run)"
    )
  }
}
