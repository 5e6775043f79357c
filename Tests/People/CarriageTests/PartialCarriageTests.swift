import TestSupport
import Testing

/// Files without attachments: none of them becomes a message.
@Suite struct PartialCarriageTests {
  private static func partial() throws -> String {
    try SealedMark.field("m2@x.org") + """
      Message-ID: <m2@x.org>
      From: a@x.test
      Subject: large
      Content-Type: multipart/mixed; boundary=b

      --b

      text
      --b
      Content-Type: message/external-body; access-type="x-magnum"; section="2"; size="1000"

      Content-Type: application/pdf

      --b--

      """
  }

  private static func within() throws -> String {
    """
    From: b@x.test
    Subject: passed on
    Content-Type: multipart/mixed; boundary=outer

    --outer
    Content-Type: message/rfc822

    \(try partial())
    --outer--

    """
  }

  @Test(arguments: ["eml", "mbox", "within", "maildir"]) func comesIn(_ kind: String) throws {
    let stage = try CarriageStage()
    try SealedMark.writeKey(root: stage.mail)
    let text = try kind == "within" ? Self.within() : Self.partial()
    switch kind {
    case "mbox": try stage.home.write(CarriageStage.mbox([text]), to: "source")
    case "maildir":
      try stage.home.write(text, to: "source/cur/a:2,S")
      try Files.makeDirectories(stage.home["source/new"])
    default: try stage.home.write(text, to: "source")
    }
    let run = try stage.importMail(stage.home["source"], "--to", "work/Old")
    #expect(run.code == 1, "\(run)")
    #expect(run.lines == ["1 read: 0 added, 0 already there, 0 deleted before, 1 left out"])
    #expect(run.errors.contains("it lacks attachments"))
    #expect(CarriageStage.files("\(stage.mail)/Old") == [])
    // What only looks like one is a message.
    let forged = text.replacing("a0459570", with: "a0459571")
    try stage.home.write(forged, to: "forged.eml")
    let taken = try stage.importMail(stage.home["forged.eml"], "--to", "work/Old")
    #expect(taken.output.hasPrefix("1 read: 1 added"), "\(taken)")
  }

  @Test(arguments: ["mbox", "eml", "maildir", "json"]) func goesOut(_ format: String) throws {
    let stage = try CarriageStage("")
    try SealedMark.writeKey(root: stage.mail)
    try stage.home.write(try Self.partial(), to: "Mail/Old/cur/a:2,S")
    try stage.home.write(CarriageStage.message(1), to: "Mail/Old/cur/b:2,S")
    try Files.makeDirectories("\(stage.mail)/Old/new")
    try #require(try stage.run(["index"]).code == 0)
    let place = stage.home["out"]
    let run = try stage.run(["export", "*", "--format", format, "--output", place])
    #expect(run.code == 1 && run.lines == ["1 message written, 1 left out"], "\(run)")
    #expect(run.errors.contains("a:2,S: left out: it lacks attachments"))
    let alone = try stage.run(
      ["export", "id:m2@x.org", "--format", format, "--output", stage.home["none"]]
    )
    #expect(alone.code == 1 && !Files.exists(stage.home["none"]), "\(alone)")
  }

  @Test(arguments: ["mbox", "eml"]) func isShown(_ format: String) throws {
    let stage = try CarriageStage("")
    try SealedMark.writeKey(root: stage.mail)
    try stage.home.write(try Self.partial(), to: "Mail/Old/cur/a:2,S")
    try stage.home.write(try Self.within(), to: "Mail/Old/cur/b:2,S")
    try Files.makeDirectories("\(stage.mail)/Old/new")
    try #require(try stage.run(["index"]).code == 0)
    for name in ["id:m2@x.org", "\(stage.mail)/Old/cur/a:2,S", "\(stage.mail)/Old/cur/b:2,S", "-"] {
      var command = stage.magnum.command(["show", "--format", format, name])
      command.input = [UInt8](try Self.partial().utf8)
      let run = try command.run()
      #expect(run.code == 1 && run.output.isEmpty, "\(name): \(run)")
      #expect(run.errors.contains("left out: it lacks attachments"), "\(name): \(run)")
    }
  }
}
