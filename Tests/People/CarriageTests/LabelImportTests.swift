import TestSupport
import Testing

@Suite("magnum import by labels") struct LabelImportTests {
  private static let takeout = CarriageStage.mbox(
    [
      "Inbox,Unread,Receipts", "Gesendet,Geöffnet", "=?UTF-8?Q?Bo=C3=AEte_de_r=C3=A9ception?=",
      "Papierkorb", "Spam", "Entwürfe", "Archiviert,Markiert,Familie", "ゴミ箱", "Wichtig,Inbox",
      "Trash,Sent", "",
    ].enumerated().map { number, labels in
      CarriageStage.message(number, labels.isEmpty ? "" : "X-Gmail-Labels: \(labels)\n")
    }
  )

  private static func places(_ stage: CarriageStage) -> [String: [String]] {
    var places: [String: [String]] = [:]
    for folder in ["INBOX", "Archive", "Sent", "Drafts", "Trash", "Junk", "Mail", "Gesendet"] {
      let flags = CarriageStage.flags("\(stage.mail)/\(folder)").map { "\($0.key) \($0.value)" }
      if !flags.isEmpty { places[folder] = flags.sorted() }
    }
    return places
  }

  @Test("to the folders of labels") func byLabels() throws {
    let stage = try CarriageStage(
      "index = false\n[account.work.roles]\nsent = \"Gesendet\"\n"
    )
    try stage.home.write(Self.takeout, to: "Takeout/Mail/All mail.mbox")
    let arguments = [
      stage.home["Takeout"], "--to", "work", "--folders-from", "labels", "--label", "Wichtig=none",
    ]
    let dry = try stage.run(["import", "-n"] + arguments)
    #expect(dry.output.hasPrefix("11 read: 7 would be added, 0 already there, 4 deleted"), "\(dry)")
    #expect(!Files.exists(stage.mail))
    let run = try stage.run(["import"] + arguments)
    #expect(run.code == 0, "\(run)")
    #expect(run.errors.contains("labels that became tags: Receipts, Familie\n"), "\(run)")
    #expect(
      Self.places(stage) == [
        "INBOX": ["0 new ", "2 S", "8 S"], "Gesendet": ["1 S"], "Drafts": ["5 DS"],
        "Archive": ["10 S", "6 FS"],
      ]
    )
    #expect(Files.text("\(stage.mail)/Archive/.magnum-tags")?.contains(" =Familie\n") == true)
    #expect(!Files.exists("\(stage.mail)/Trash") && !Files.exists("\(stage.mail)/Junk"))
    let all = try stage.run(["import", "--all"] + arguments)
    #expect(all.output.hasPrefix("11 read: 4 added, 7 already there, 0 deleted"), "\(all)")
    #expect(Self.places(stage)["Trash"] == ["3 S", "7 S", "9 S"])
    #expect(Self.places(stage)["Junk"] == ["4 S"])
    let json = try stage.run(["import", "--json", "-n", "--again"] + arguments)
    let last = try ParsedJSON(try #require(json.lines.last))
    #expect([0, 1].map { last["labels"]?[$0]?.text } == ["Receipts", "Familie"], "\(json)")
  }

  @Test(
    "what is refused",
    arguments: [
      (["--to", "work/Old", "--folders-from", "labels"], 64, "name the account alone"),
      (["--to", "./Old", "--folders-from", "labels"], 64, "name the account alone"),
      (["--to", "work/Old", "--all"], 64, "--all is for"),
      (["--to", "work/Old", "--label", "x"], 64, "NAME=MEANING"),
      (["--to", "work/Old", "--label", "=inbox"], 64, "NAME=MEANING"),
      (["--to", "work/Old", "--label", "x=place"], 64, "NAME=MEANING"),
      (["--to", "part", "--folders-from", "labels"], 65, "Archive is not mirrored"),
    ] as [([String], Int32, String)]
  )
  func refused(arguments: [String], status: Int32, text: String) throws {
    let stage = try CarriageStage(
      """
      index = false
      [account.part]
      maildir = "~/part"
      imap = "imap+plain://127.0.0.1:1"
      user = "me"
      password = "x"
      sync.include = ["INBOX"]
      """
    )
    try stage.home.write(Self.takeout, to: "all.mbox")
    let run = try stage.run(["import", stage.home["all.mbox"]] + arguments)
    #expect(run.code == status && run.errors.contains(text), "\(run)")
  }
}

@Suite("magnum import leaves nothing behind") struct ImportTraceTests {
  private static let one = CarriageStage.mbox([CarriageStage.message(1, "X-Keywords: blue\n")])

  @Test("a folder without messages", arguments: ["index = false", "index = true"])
  func noFolder(more: String) throws {
    let stage = try CarriageStage(more)
    try stage.home.write(Self.one, to: "one.mbox")
    try stage.home.write(CarriageStage.message(2, "X-Mozilla-Status: 0009\n"), to: "two.eml")
    for (source, place) in [("two.eml", "work/New/Sub"), ("two.eml", stage.home["out/Sub"])] {
      #expect(try stage.importMail(stage.home[source], "--to", place).code == 0)
    }
    #expect(!Files.exists("\(stage.mail)/New") && !Files.exists(stage.home["out"]))
    _ = try stage.importMail(stage.home["one.mbox"], "--to", "work/Old")
    let again = try stage.importMail(stage.home["one.mbox"], "--to", "work/New/Sub")
    #expect(again.output.hasPrefix("1 read: 0 added, 1 already there"), "\(again)")
    #expect(!Files.exists("\(stage.mail)/New"))
    #expect(Files.exists("\(stage.mail)/Old/cur"))
  }

  @Test("tags of messages that never came", arguments: ["work/Old", "out"])
  func noTags(place: String) throws {
    let stage = try CarriageStage()
    let place = place == "out" ? stage.home["out"] : place
    let folder = place.hasPrefix("/") ? place : "\(stage.mail)/Old"
    let file = place.hasPrefix("/") ? "\(folder)/.magnum-keywords" : "\(folder)/.magnum-tags"
    try stage.home.write(Self.one, to: "one.mbox")
    let run = ["import", stage.home["one.mbox"], "--to", place]
    _ = try stage.run(run, ["MAGNUM_FAULT_COUNT": stage.home["points"]])
    let points = try #require(
      Files.text(stage.home["points"])?.split(separator: "\n").first.flatMap { Int($0) }
    )
    for point in 1...points {
      _ = try Command.shell("rm -rf \(folder)")
      _ = try stage.run(run, ["MAGNUM_FAULT": "\(point)"])
      try #require(try stage.run(run).code == 0)
      let lines = try #require(Files.text(file)).split(separator: "\n").dropFirst()
      try #require(lines.count == 1, "after a kill at point \(point): \(lines)")
      try #require(CarriageStage.files(folder).count == 1)
    }
  }

  @Test("a folder whose mailbox was removed is refused") func detached() throws {
    let stage = try CarriageStage(
      """
      index = false
      imap = "imap+plain://127.0.0.1:1"
      user = "me"
      password = "x"
      """
    )
    try stage.home.write(Self.one, to: "one.mbox")
    for sub in ["cur", "new", "tmp"] { try Files.makeDirectories("\(stage.mail)/Old/\(sub)") }
    try stage.home.write("detached\n", to: "Mail/Old/.magnum-id")
    let run = try stage.importMail("-n", stage.home["one.mbox"], "--to", "work/Old")
    #expect(run.code == 65 && run.errors.contains("lost its mailbox"), "\(run)")
  }

  @Test("restore names what reads mail of other kinds", arguments: ["one.mbox", "mail"])
  func restore(source: String) throws {
    let stage = try CarriageStage(
      """
      index = false
      imap = "imap+plain://127.0.0.1:1"
      user = "me"
      password = "x"
      """
    )
    for name in ["one.mbox", "mail/one.mbox"] { try stage.home.write(Self.one, to: name) }
    let run = try stage.run(["restore", stage.home[source], "--to", "work"])
    #expect(run.code == 66 && run.errors.contains("magnum import PATH --to work/FOLDER"), "\(run)")
  }

  @Test("messages of Apple Mail with their attachments") func apple() throws {
    let stage = try CarriageStage()
    let picture = String(repeating: "picture ", count: 40)
    let length = { (size: Int) in (size + 2) / 3 * 4 + size / 57 }
    let part = { (size: Int) in
      """
      Content-Type: image/png; name=a.png
      Content-Transfer-Encoding: base64
      X-Apple-Content-Length: \(length(size))


      """
    }
    let message = { (number: Int, size: Int) in
      CarriageStage.message(number, "Content-Type: multipart/mixed; boundary=b\n")
        + "\n--b\n\nText\n--b\n\(part(size))--b--\n"
    }
    for (number, size) in [(1, 320), (2, 320), (3, 5000), (4, 320)] {
      let text = message(number, size)
      try stage.home.write(
        "\(text.utf8.count)\n\(text)<plist/>",
        to: "V/Messages/\(number).partial.emlx"
      )
    }
    for number in [1, 3, 4] {
      try stage.home.write(picture, to: "V/Attachments/\(number)/2/a.png")
    }
    try stage.home.write("second", to: "V/Attachments/4/2/b.png")
    try stage.home.write(CarriageStage.message(9), to: "V/Attachments/1/3/letter.eml")
    let run = try stage.importMail(stage.home["V"], "--to", "work/Old")
    #expect(run.output.hasPrefix("4 read: 1 added, 0 already there, 0 deleted before, 3 left out"))
    #expect(run.output.contains("1 message put together"), "\(run)")
    for number in 2...4 {
      #expect(run.errors.contains("\(number).partial.emlx: left out: it lacks"))
    }
    let texts = CarriageStage.texts("\(stage.mail)/Old/Messages")
    #expect(texts.count == 1 && texts[0].contains("Content-Transfer-Encoding: base64\n\ncGljdHVy"))
    #expect(!texts[0].contains("X-Apple-Content-Length"))
    try stage.home.write(texts[0], to: "whole.eml")
    let part2 = try stage.run(["show", "--part", "2", stage.home["whole.eml"]])
    #expect(part2.output == picture, "\(part2)")
  }
}
