import TestSupport
import Testing

/// What `magnum show` tells of senders, and `auth:` finds.
@Suite struct SenderTests {
  private struct Row {
    let day: String
    let from: String
    var result = ""
    let shows: String
  }

  private static let mark = "[sender: has the name of a correspondent at a new address]"
  private static let rows = [
    // The first mail of another address.
    Row(day: "2 Jan 2026", from: "Ann Lee <ann@long.test>", shows: mark),
    Row(day: "1 Jul 2026", from: "Ann Lee <ann@old.test>", shows: ""),
    Row(day: "1 Jul 2026", from: "\"LEE, Ann\" <ann@bad.test>", shows: mark),
    // Two messages at once make no address known; the mail of January does.
    Row(day: "2 Jul 2026", from: "Ann Lee <ann@bad.test>", shows: mark),
    Row(day: "1 Jul 2026", from: "Ann Lee <ANN@long.test>", shows: ""),
    Row(day: "1 Jul 2026", from: "Ann <ann@bad.test>", shows: ""),
    Row(day: "1 Jul 2026", from: "Bob Fox <bob@home.test>", shows: ""),
    Row(day: "1 Jul 2026", from: "Eve Roe <eve@bad.test>", shows: ""),
    Row(day: "1 Jul 2026", from: "Ann Lee <me@x.test>", shows: ""),
    Row(day: "1 Jul 2026", from: "ann@bad.test", shows: ""),
    Row(
      day: "1 Jul 2026",
      from: "Ann Lee <ann@new.test>",
      result: "dmarc=pass header.from=new.test",
      shows: "[sender: verified as new.test (DMARC)]"
    ),
    Row(
      day: "1 Jul 2026",
      from: "Ann Lee <ann@fake.test>",
      result: "dmarc=fail header.from=fake.test",
      shows: "[sender: not verified; fake.test says that it did not send this]\n\(mark)"
    ),
  ]

  /// A home in which the person wrote to Ann at her old address, and to Bob at two; its messages are those of the rows.
  private static func stage(_ setting: String) throws -> ProgramUnderTest {
    let magnum = try ProgramUnderTest("magnum")
    try magnum.configure(
      """
      [account.work]
      address = "me@x.test"
      maildir = "~/Mail"
      \(setting)
      """
    )
    for part in ["INBOX/cur", "INBOX/new", "Sent/cur", "Sent/new"] {
      try Files.makeDirectories(magnum.home["Mail/\(part)"])
    }
    func write(_ place: String, _ row: Row, to: String = "me@x.test") throws {
      let name = place.split(separator: "/").last ?? ""
      let result =
        row.result.isEmpty ? "" : "Authentication-Results: mx.x.test; \(row.result)\n"
      try magnum.home.write(
        "\(result)From: \(row.from)\nTo: \(to)\nSubject: s\nMessage-ID: <\(name)@x.test>\n"
          + "Date: \(row.day) 10:00:00 +0000\n\ntext\n",
        to: "Mail/\(place):2,S"
      )
    }
    let own = Row(day: "1 Jan 2026", from: "me@x.test", shows: "")
    try write("Sent/cur/s1", own, to: "Ann Lee <ann@old.test>, bob@home.test")
    try write("Sent/cur/s2", own, to: "Bob Fox <bob@work.test>")
    for (number, row) in rows.enumerated() { try write("INBOX/cur/\(number)", row) }
    try #require(try magnum.run("index").code == 0)
    return magnum
  }

  @Test func aNameAtANewAddressIsMarked() throws {
    let magnum = try Self.stage("authserv-id = [\"mx.x.test\"]")
    for (number, row) in Self.rows.enumerated() {
      let shown = try magnum.run("show", "id:\(number)@x.test").output
      let lines = shown.split(separator: "\n").map { $0.drop { $0 == " " } }
      let said = lines.filter { $0.hasPrefix("[sender") }.joined(separator: "\n")
      #expect(said == row.shows, "\(row): \(shown)")
      let json = try magnum.run("show", "--json", "id:\(number)@x.test").output
      #expect(json.contains("\"new-address\"") == row.shows.contains(Self.mark), "\(json)")
    }
  }

  @Test func messagesAreFoundByTheirVerdict() throws {
    let magnum = try Self.stage("authserv-id = [\"mx.x.test\"]")
    for (query, ids) in [("auth:pass", "id:10@x.test\n"), ("auth:fail", "id:11@x.test\n")] {
      let found = try magnum.command(["search", "--output", "messages", query]).run()
      #expect(found.code == 0 && found.output == ids, "\(found)")
    }
  }

  /// Where no server is believed nothing is found, and that is said.
  @Test func anAccountWithoutAServerIsNamed() throws {
    let magnum = try Self.stage("")
    for (strict, code) in [([], 0), (["--strict"], 1)] as [([String], Int32)] {
      let words = ["search", "--output", "messages"] + strict + ["auth:pass"]
      let found = try magnum.command(words).run()
      #expect(found.code == code && found.output.isEmpty, "\(found)")
      #expect(found.errors.contains("work: auth: finds nothing"), "\(found.errors)")
    }
    let shown = try magnum.run("show", "id:11@x.test")
    #expect(!shown.output.contains("[sender"), "\(shown)")
  }
}
