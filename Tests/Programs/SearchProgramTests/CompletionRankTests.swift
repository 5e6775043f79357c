import TestSupport
import Testing

/// Addresses are completed by what the user did with them.
struct CompletionRankTests {
  private struct Mail {
    var from: String
    var to: String
    /// The day of June 2026.
    var day = 1
    var flags = "S"
  }

  private static let mails = [
    Mail(from: "Alice Old <alice@old.org>", to: "me@x.org"),
    Mail(from: "Alice Old <alice@old.org>", to: "me@x.org", day: 2),
    Mail(from: "Alice Answered <alice@answered.org>", to: "me@x.org", flags: "RS"),
    Mail(from: "Me <me@x.org>", to: "alice@written.org"),
    Mail(from: "\"Alice, Written\" <Alice@written.org>", to: "me@x.org"),
    Mail(from: "Alice <noreply@alice.org>", to: "me@x.org"),
    Mail(from: "Bob <bob@alice.net>", to: "Carol Alison <carol@x.net>"),
    Mail(from: "Zoë Änders <zoe@x.net>", to: "me@x.org"),
  ]

  private func stage() throws -> SearchStage {
    let stage = try SearchStage()
    for (number, mail) in Self.mails.enumerated() {
      let text = """
        From: \(mail.from)
        To: \(mail.to)
        Subject: \(number)
        Message-ID: <\(number)@x>
        Date: \(mail.day) Jun 2026 10:00:00 +0000

        text

        """
      try stage.search.home.write(text, to: "mail/cur/\(number):2,\(mail.flags)")
    }
    for name in ["new", "tmp"] { try Files.makeDirectories(stage.search.home["mail/\(name)"]) }
    try stage.search.configure(
      "[account.work]\naddress = \"me@x.org\"\nmaildir = \"\(stage.search.home["mail"])\"\n"
    )
    return stage
  }

  private func complete(_ text: String, _ stage: SearchStage) throws -> [String] {
    let arguments = ["--output", "addresses", "--format", "mutt", "--", text]
    let outcome = try stage.search.command(arguments).run()
    #expect(outcome.code == 0, "\(outcome)")
    #expect(outcome.lines.first == "\(outcome.lines.count - 1) found", "\(outcome)")
    return Array(outcome.lines.dropFirst())
  }

  /// Where very many people begin so, those of the newest messages are found, and others where there are none.
  @Test(arguments: [0, 601])
  func ofVeryManyPeopleSomeAreFound(newer: Int) throws {
    let stage = try SearchStage()
    let people = (100..<420).map { "b\($0)@x.net" }.joined(separator: ",\n ")
    func write(_ name: String, _ day: Int, _ from: String, _ to: String) throws {
      let date = "Date: \(day) Jun 2026 10:00:00 +0000"
      let text = "From: \(from)\nTo: \(to)\nMessage-ID: <\(name)@x>\n\(date)\n\ntext\n"
      try stage.search.home.write(text, to: "mail/cur/\(name):2,S")
    }
    try write("many", 1, "Bea Rare <first@z.net>", people)
    for number in 0..<newer { try write("newer\(number)", 2, "c@x.net", "me@x.org") }
    for name in ["new", "tmp"] { try Files.makeDirectories(stage.search.home["mail/\(name)"]) }
    try stage.search.configure(
      "[account.work]\naddress = \"me@x.org\"\nmaildir = \"\(stage.search.home["mail"])\"\n"
    )
    var index = stage.search.command(["index"])
    index.program = "\(ProgramUnderTest.products)/magnum"
    #expect(try index.run().code == 0)
    #expect(try complete("b", stage).count == 321)
    #expect(try complete("b rare", stage) == ["first@z.net\tBea Rare"])
    #expect(try complete("b41", stage).count == 10)
    #expect(try complete("b nobody", stage) == [])
  }

  @Test func thoseOneWritesToComeFirst() throws {
    let stage = try stage()
    var index = stage.search.command(["index"])
    index.program = "\(ProgramUnderTest.products)/magnum"
    #expect(try index.run().code == 0)
    #expect(
      try complete("ALI", stage) == [
        "Alice@written.org\tAlice, Written", "alice@answered.org\tAlice Answered",
        "alice@old.org\tAlice Old", "bob@alice.net\tBob", "carol@x.net\tCarol Alison",
      ]
    )
    #expect(try complete("anders z", stage) == ["zoe@x.net\tZoë Änders"])
    #expect(try complete("alice@wri", stage) == ["Alice@written.org\tAlice, Written"])
    #expect(try complete("nobody", stage) == [])
    #expect(try complete("", stage).count == 6)
  }

  @Test func itGoesWithAddressesAlone() throws {
    let stage = try stage()
    let outcome = try stage.search.command(["--format", "mutt", "a"]).run()
    #expect(outcome.code == 64 && outcome.errors.contains("--output addresses"), "\(outcome)")
  }
}
