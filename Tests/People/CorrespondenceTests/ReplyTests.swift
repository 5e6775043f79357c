import Correspondence
import MIME
import Octets
import Platform
import Protection
import TestSupport
import Testing

struct ReplyTests {
  static let own = OwnAddresses(["me@x.test", "Other@x.test"].map { Array($0.utf8) })
  static let decoder = CharsetDecoder { CharsetConversion.utf8($0, $1) }

  static func text(_ octets: [UInt8]) -> String { String(decoding: octets, as: UTF8.self) }

  /// The fields of a draft that an answer sets, a line each; none for an empty one.
  static func lines(_ draft: Draft) -> [String] {
    let ids = { (ids: [MessageID]) in ids.map { text($0.octets) }.joined(separator: " ") }
    let fields = [
      ("From", draft.from.map { text(AddressText.text($0)) } ?? ""),
      ("To", text(AddressText.text(draft.to))), ("Cc", text(AddressText.text(draft.cc))),
      ("Subject", text(draft.subject)), ("In-Reply-To", ids(draft.inReplyTo)),
      ("References", ids(draft.references)),
    ]
    return fields.filter { !$0.1.isEmpty }.map { "\($0.0): \($0.1)" }
  }

  static func message(_ fixture: Fixture) throws -> Message {
    let body = fixture.has("body") ? try fixture.octets("body") : [UInt8](ascii: "text")
    return Message(try fixture.octets("message") + [10, 10] + body + [10])
  }

  @Test(arguments: try Fixtures.load("Fixtures/replies.txt"))
  func replies(_ fixture: Fixture) throws {
    let message = try Self.message(fixture)
    let builder = ReplyBuilder(own: Self.own, Self.decoder)
    let scopes: [(String, ReplyBuilder.Scope)] = [
      ("reply", .author), ("all", .all), ("list", .list),
    ]
    for (name, scope) in scopes where fixture.has(name) {
      let lines = (try? builder.reply(to: message, scope)).map(Self.lines) ?? ["none"]
      #expect(lines == fixture.lines(name), "\(name)")
    }
    guard fixture.has("quote") else { return }
    let quoted = Quotation.quoted(.unread(message), attribution: "{from}:", Self.decoder)
    let lines = Self.text(quoted).split(separator: "\n", omittingEmptySubsequences: false)
    let expected = Self.text(try fixture.octets("quote")).split(
      separator: "\n",
      omittingEmptySubsequences: false
    )
    #expect(lines == ["ada@x.org:"] + expected + [""])
  }

  @Test(arguments: try Fixtures.load("Fixtures/subjects.txt"))
  func subjects(_ fixture: Fixture) throws {
    for line in fixture.lines() {
      let words = line.split(separator: " | ", omittingEmptySubsequences: false).map { "\($0)" }
      let message = Message(Array("From: a@x.org\nSubject: \(words[0])\n\n".utf8))
      let reply = try ReplyBuilder(own: Self.own, Self.decoder).reply(to: message, .author)
      let forward = try ForwardBuilder(own: Self.own, Self.decoder)
        .forward(StreamedMessage(message), .unread(message), asAttachment: false)
      #expect(Self.text(reply.subject) == words[1], "\(words[0])")
      #expect(Self.text(forward.subject) == words[2], "\(words[0])")
    }
  }

  @Test func manyReferencesAreCutInTheMiddle() throws {
    let ids = (1...100).map { "<\($0)@x>" }.joined(separator: "\n ")
    let message = Message(Array("Message-ID: <me@x>\nReferences: \(ids)\n\n".utf8))
    let draft = try ReplyBuilder(own: Self.own, Self.decoder).reply(to: message, .author)
    let kept = draft.references.map { Self.text($0.octets) }
    #expect(kept.count == 40)
    #expect(kept.prefix(20) == (1...20).map { "\($0)@x" }[...])
    #expect(kept.suffix(20) == ((82...100).map { "\($0)@x" } + ["me@x"])[...])
  }

  /// As many ids as there may be stay; of more, those in the midst go.
  @Test(arguments: [(38, 39), (39, 40), (40, 40)])
  func referencesGrowUpToTheirLimit(given: Int, kept: Int) throws {
    let ids = (1...given).map { "<\($0)@x>" }.joined(separator: " ")
    let message = Message(Array("Message-ID: <me@x>\nReferences: \(ids)\n\n".utf8))
    let draft = try ReplyBuilder(own: Self.own, Self.decoder).reply(to: message, .author)
    #expect(draft.references.count == kept)
    #expect(draft.references.contains { Self.text($0.octets) == "21@x" } == (given < 40))
  }

  /// All who got it get the answer, however many they are, once each.
  @Test func manyReceiversAllGetTheAnswer() throws {
    let names = (1...2_000).map { "\"Person, \($0)\" <p\($0)@x.org>" }
    let field = (names + names + ["me@x.test"]).joined(separator: ",\n ")
    let message = Message(Array("From: ada@x.org\nTo: \(field)\nCc: \(field)\n\n".utf8))
    let draft = try ReplyBuilder(own: Self.own, Self.decoder).reply(to: message, .all)
    #expect(draft.to.count == 2_001 && draft.cc.isEmpty)
    let octets = try DraftMessage.make(
      draft,
      [],
      date: MessageDate(seconds: 0, offset: 0),
      for: .sending
    )
    .octets(token: [UInt8](ascii: "x")).whole()
    #expect(octets.split(separator: 10).allSatisfy { $0.count <= 78 })
    let read = Message(octets).header.mailboxes("To", Self.decoder)
    #expect(read == draft.to.flatMap(\.mailboxes))
  }

  @Test(arguments: [
    ("plain\n> old\n\nend", "> plain\n>> old\n>\n> end\n"), ("", ">\n"),
    ("a\n\n\n", "> a\n"),
  ])
  func textIsQuoted(text: String, quoted: String) {
    let message = Message(
      Array("From: Ada <a@x.org>\nDate: Sat, 21 Nov 2026 12:00:00 +0100\n\n\(text)".utf8)
    )
    let result = Quotation.quoted(
      .unread(message),
      attribution: "{name} ({address}), {date}:",
      Self.decoder
    )
    #expect(
      Self.text(result) == "Ada (a@x.org), Sat, 21 Nov 2026 12:00:00 +0100:\n" + quoted
    )
  }

  /// What is encrypted in a text is not repeated; what stands beside it is quoted.
  @Test(arguments: [
    ("#", ">\n"), ("#\n-- \nlist", "> -- \n> list\n"), ("a\n#\nb\n#\nc", "> a\n> b\n> c\n"),
    ("a\n-----BEGIN PGP MESSAGE-----\nb", "> a\n> -----BEGIN PGP MESSAGE-----\n> b\n"),
    ("> #", ">> -----BEGIN PGP MESSAGE-----\n>> \n>> x\n>> -----END PGP MESSAGE-----\n"),
  ])
  func armourIsNotQuoted(text: String, quoted: String) {
    let mark = text.hasPrefix("> ") ? "> " : ""
    let armour = ["BEGIN PGP MESSAGE", "", "x", "END PGP MESSAGE"]
      .map { $0.contains("PGP") ? "-----\($0)-----" : $0 }.joined(separator: "\n\(mark)")
    let message = Message(
      Array("From: a@x.org\n\n\(text.replacing("#", with: armour))\n".utf8)
    )
    let result = Quotation.quoted(.unread(message), attribution: "{from}:", Self.decoder)
    #expect(Self.text(result) == "a@x.org:\n" + quoted)
  }

  @Test func htmlIsQuotedAsText() {
    let message = Message(
      Array("From: a@x.org\nContent-Type: text/html\n\n<p>one</p><p>two <b>three</b></p>".utf8)
    )
    let result = Quotation.quoted(.unread(message), attribution: "{from}:", Self.decoder)
    #expect(Self.text(result) == "a@x.org:\n> one\n>\n> two three\n")
  }

  /// What is put into the line is not looked at again, and cannot begin another line.
  @Test func namesCannotForgeTheLineAboveAQuote() {
    let message = Message(Array("From: \"{date}\" <=?utf-8?q?a=0Ab?=@x>\n\ntext".utf8))
    let result = Quotation.quoted(.unread(message), attribution: "{name} {address}", Self.decoder)
    #expect(Self.text(result).split(separator: "\n").count == 2)
    #expect(Self.text(result).hasPrefix("{date} "))
  }

  // MARK: Beside notmuch

  /// Where notmuch answers otherwise, and why that is meant.
  private static let differences: Set<String> = [
    // Own addresses with a tag are one's own here.
    "the address with a tag that it came to", "all others, without oneself in any spelling",
    // Marks of all languages are there once.
    "References grow, the direct parent last and once",
    // The author is not written to twice.
    "an author who is in To and Cc too", "Reply-To of the list and of the author",
    // Nobody else either, nor in both To and Cc.
    "receivers in several fields", "groups with oneself, one of them empty",
    // Without a sender there is nobody to answer; notmuch takes one's own address.
    "nobody to answer", "a From without an address", "a From with an empty address is one without",
    // Members of groups are people.
    "a group, and undisclosed recipients",
    // A message to oneself is answered to oneself.
    "a message to oneself",
    // Where From is missing, Sender says who it was.
    "a sender without From",
    "X-Original-To and Envelope-To",
    // An answer to one's own message always goes to somebody, and never to another own address.
    "one's own message, sent to Cc alone", "everybody is oneself", "one's own message, sent blind",
    // What the author wants counts, also where it is oneself; a name without an address is no wish.
    "Reply-To is oneself", "Reply-To without an address does not count",
    // An answer to one is not for the list, which notmuch knows only where it is among the receivers.
    "Reply-To of a list that is not among the receivers",
    // notmuch does not know Mail-Followup-To.
    "Mail-Followup-To says who gets answers to all", "Mail-Followup-To with oneself in it",
    // A domain stays as it was written where the part before the at sign needs more than ASCII anyway.
    "addresses beyond ASCII",
  ]

  @Test(
    arguments: try Fixtures.load("Fixtures/replies.txt").filter { !differences.contains($0.name) }
  )
  func notmuchAnswersAlike(_ fixture: Fixture) throws {
    let home = try TempDirectory("notmuch")
    for sub in ["new", "tmp"] { try Files.makeDirectories(home["mail/\(sub)"]) }
    var octets = try fixture.octets("message")
    if !Self.text(octets).contains("Message-ID") { octets += Array("\nMessage-ID: <given@x>".utf8) }
    try home.write(octets + Array("\n\ntext\n".utf8), to: "mail/cur/1:2,S")
    let settings = """
      [database]
      path=\(home["mail"])
      [user]
      name=
      primary_email=me@x.test
      other_email=other@x.test

      """
    try home.write(settings, to: "config")
    var environment = Command.ownEnvironment
    environment["NOTMUCH_CONFIG"] = home["config"]
    environment["HOME"] = home.path
    try #require(Command("notmuch", ["new", "--quiet"], environment: environment).run().code == 0)
    let builder = ReplyBuilder(own: Self.own, Self.decoder)
    for (name, scope, word) in [
      ("reply", ReplyBuilder.Scope.author, "sender"), ("all", .all, "all"),
    ] where fixture.has(name) {
      let outcome = try Command(
        "notmuch",
        ["reply", "--format=headers-only", "--reply-to=\(word)", "*"],
        environment: environment
      ).run()
      try #require(outcome.code == 0, "\(outcome)")
      let theirs = Message(outcome.outputOctets + [10]).header
      let draft = try builder.reply(to: Message(octets + [10, 10]), scope)
      let addresses = { (field: StaticString) in
        theirs.mailboxes(field, Self.decoder).map { Self.text($0.address).lowercased() }
      }
      #expect(
        addresses("To") == draft.to.flatMap(\.mailboxes).map { Self.text($0.address).lowercased() },
        "\(name)"
      )
      #expect(
        addresses("Cc") == draft.cc.flatMap(\.mailboxes).map { Self.text($0.address).lowercased() },
        "\(name)"
      )
      if fixture.octetsHaveID { #expect(theirs.inReplyTo == draft.inReplyTo) }
    }
  }
}

extension Fixture {
  fileprivate var octetsHaveID: Bool { (self["message"] ?? "").contains("Message-ID") }
}

@Test(arguments: [
  ("me+list@x.test", "me@x.test"), ("me+a+b@x.test", "me@x.test"), ("me@x+y.test", "me@x+y.test"),
  ("+a@x.test", "+a@x.test"), ("me+a", "me+a"),
])
func tagsOfAddresses(_ address: String, _ expected: String) {
  #expect(Mailbox.withoutTag(Array(address.utf8)) == Array(expected.utf8))
}
