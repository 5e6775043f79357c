import MIME
import Octets
import SMTP
import Sendmail
import TestSupport
import Testing

@Test(arguments: try Fixtures.load("Fixtures/letters.txt"))
func letters(_ fixture: Fixture) throws {
  let given = try octets(of: fixture, "given")
  let request = try SendmailCommandLine.parse(name: [], try words(fixture.text("arguments")))
  do throws(LetterError) {
    let letter = try Letter(given).prepared(for: request, identity, book)
    #expect(fixture["error"] == nil)
    // Fixtures have no empty lines at their ends.
    var message = [UInt8](try whole(letter))[...]
    while message.last == 10 { message.removeLast() }
    #expect(String(decoding: message, as: UTF8.self) == fixture["message"])
    #expect(text(letter.envelope) == fixture["envelope"])
    if fixture.has("hidden") {
      #expect(letter.blindCopies.map { String(decoding: $0, as: UTF8.self) } == fixture["hidden"])
    }
    #expect(letter.messageID != nil)
    #expect(throws: Never.self) { try MessageScanner.scan(letter.message) }
  } catch {
    #expect("\(error)" == fixture["error"])
  }
}

/// Whatever a caller gives: what goes into the spool can be sent, its header has nothing but fields,
/// and no hidden recipient is seen.
@Test func nothingHiddenIsEverShown() throws {
  var generator = SeededGenerator(seed: 5)
  let pieces = [
    "Bcc: hidden@x.test\n", "BCC\t:\r\n hidden@x.test\r\n", "To: a@x.test\n", "Subject: x\n",
    "resent-bcc: hidden@x.test\n", "Resent-To: b@x.test\n", " folded\n", "\n", "rubbish\n", "\t\n",
    "From x\n", "a\rb\n", "\0\n", ".\n", "Content-Type: text/html\n", "ä\n", "=\n", "no end",
    String(repeating: "x", count: 999) + "\n",
  ]
  var accepted = 0
  for _ in 0..<5000 {
    let given = (0..<Int.random(in: 1...7, using: &generator)).map { _ in
      pieces.randomElement(using: &generator) ?? ""
    }
    var request = SendmailRequest()
    request.recipients = [Array("r@x.test".utf8)]
    guard let letter = try? Letter(Array(given.joined().utf8)) else { continue }
    guard let prepared = try? letter.prepared(for: request, identity, AddressBook([]))
    else { continue }
    accepted += 1
    let facts = try MessageScanner.scan(prepared.message)
    #expect(facts.overlongLines == 0)
    let header = MIME.Message(try whole(prepared)).header
    #expect(!header.fields.contains { $0.isNamed("Bcc") || $0.isNamed("Resent-Bcc") }, "\(given)")
    #expect(header.fields.allSatisfy { !$0.name.isEmpty }, "\(given)")
    #expect(header.first("From") != nil && header.first("Message-ID") != nil, "\(given)")
  }
  #expect(accepted > 1000)
}

@Test func encodedBodiesAreDecodedAlike() throws {
  var generator = SeededGenerator(seed: 9)
  let interesting = Array(" \t=.a\r\n\0\u{e4}".utf8)
  for _ in 0..<5000 {
    let body = (0..<Int.random(in: 1...200, using: &generator)).map { _ in
      interesting.randomElement(using: &generator) ?? 0
    }
    var request = SendmailRequest()
    request.recipients = [Array("r@x.test".utf8)]
    let given = Array("From: a@x.test\n\n".utf8) + body
    let prepared = try Letter(given).prepared(for: request, identity, AddressBook([]))
    let message = MIME.Message(try whole(prepared))
    let part = try #require(message.parts.first)
    let text = withoutCRLF(body)
    #expect(part.decoded == text)
    for line in try whole(prepared).split(separator: 10) where body.contains(0) {
      #expect(line.count <= 76)
    }
  }
}

/// What is legal except for its long lines is taken: readers see the same, and no line is too long.
@Test func longLinesOfHeadersAreFolded() throws {
  let addresses = (1...200).map { "Person Number \($0) <p\($0)@x.test>" }.joined(separator: ", ")
  let word = String(repeating: "w", count: 2500)
  for value in [addresses, word, "a " + word, word + String(repeating: " ", count: 1500) + "end"] {
    var request = SendmailRequest()
    request.readsRecipients = true
    request.recipients = [Array("r@x.test".utf8)]
    let given = "From: me@x.test\nX-Long: \(value)\nCc: \(addresses)\n\ntext\n"
    let letter = try Letter(Array(given.utf8)).prepared(for: request, identity, book)
    #expect(letter.envelope.recipients.count == 201)
    #expect(try MessageScanner.scan(letter.message).overlongLines == 0)
    let found = MIME.Message(try whole(letter)).header.first("X-Long")?.body ?? []
    let blanks: Set<UInt8> = [9, 10, 13, 32]
    #expect(found.filter { !blanks.contains($0) } == value.utf8.filter { $0 != 32 })
    let lines = try whole(letter).split(separator: 10)
    #expect(!lines.contains { $0.allSatisfy { $0 == 32 } })
  }
}

/// Lines are broken on their way out: what was given names the recipients, and readers see the same ones.
@Test(arguments: [",", ", ", ",  "])
func recipientsInLongLinesAreThoseGiven(_ comma: String) throws {
  let all = (10..<100).map { "user\($0)@some.example.org" }
  var request = SendmailRequest()
  request.readsRecipients = true
  let given = "From: me@x.test\nTo: \(all.joined(separator: comma))\n\ntext\n"
  let letter = try Letter(Array(given.utf8)).prepared(for: request, identity, book)
  #expect(letter.envelope.recipients.map { $0.address.octets } == all.map { Array($0.utf8) })
  let message = try whole(letter)
  #expect(try MessageScanner.scan(message).overlongLines == 0)
  let field = MIME.Message(message).header.first("To")?.body ?? []
  let shown = Address.list(field[...], .native).flatMap(\.mailboxes).map(\.address)
  #expect(shown == all.map { Array($0.utf8) })
}

@Test(arguments: ["7bit", "8bit", "quoted-printable", "base64"])
func longLinesOfPartsAreEncoded(_ encoding: String) throws {
  let text = String(repeating: "word \u{e4} ", count: 300)
  let digits = String(decoding: Base64.encode(Array(text.utf8)), as: UTF8.self)
  let quoted = String(repeating: "word =C3=A4 ", count: 300)
  let content = encoding == "base64" ? digits : encoding.hasPrefix("q") ? quoted : text
  let inner =
    "--i\nContent-Type: text/html; charset=utf-8\n"
    + "Content-Transfer-Encoding: \(encoding)\n\n\(content)\n--i\n\nshort\n--i--\n"
  let given =
    "From: me@x.test\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=\"o o\"\n\n"
    + "preamble\n--o o\nContent-Type: multipart/alternative; boundary=i\n\n\(inner)\n"
    + "--o o\nContent-Type: message/rfc822\n\nSubject: \(content)\n\n\(content)\n--o o--\nepilogue\n"
  var request = SendmailRequest()
  request.recipients = [Array("r@x.test".utf8)]
  let letter = try Letter(Array(given.utf8)).prepared(for: request, identity, book)
  #expect(try MessageScanner.scan(letter.message).overlongLines == 0)
  let parts = MIME.Message(try whole(letter)).parts
  let found = parts.first { $0.contentType.isType("text", "html") }
  #expect(found.map { String(decoding: $0.decoded, as: UTF8.self) } == text)
  let all = String(decoding: try whole(letter), as: UTF8.self)
  #expect(all.contains("\n--i\n\nshort\n--i--\n") && all.hasSuffix("--o o--\nepilogue\n"))
}

/// Text in a header, and what goes out to recipients that need no SMTPUTF8; `same` for nothing else.
@Test(arguments: [
  ("Subject: Grüße an alle", "Subject: =?UTF-8?B?R3LDvMOfZQ==?= an alle"),
  ("To: Jürgen <j@x.test>, b@x.test", "To: =?UTF-8?Q?J=C3=BCrgen?= <j@x.test>, b@x.test"),
  ("To: Büro: a@x.test, b@x.test;", "To: =?UTF-8?B?QsO8cm8=?=: a@x.test, b@x.test;"),
  ("From: me@bücher.test", "From: me@xn--bcher-kva.test"), ("Cc: ü@x.test", "same"),
  ("Cc: Ü <ü@bücher.test>", "Cc: =?UTF-8?B?w5w=?= <ü@bücher.test>"),
  ("Message-ID: <ü@x.test>", "same"), ("Subject: plain", "same"),
  ("X-Note: ü", "X-Note: =?UTF-8?B?w7w=?="),
  ("Content-Type: text/plain; name=ü", "Content-Type: text/plain; name*=utf-8''%C3%BC"),
  ("Content-Type: text/plain; boundary=ü", "same"), ("Content-Type: ü/x; name=ü", "same"),
  ("DKIM-Signature: v=1\nSubject: ü", "same"),
])
func textInHeadersIsEncoded(_ given: String, _ expected: String) throws {
  let text = "\(given)\n\nbody ü\n"
  let made = try Letter(Array(text.utf8)).withASCIIHeader(ascii)
  let octets = try made.map { try $0.octets(in: 0..<$0.count) }
  let found = octets.map { String(decoding: $0, as: UTF8.self) } ?? "same"
  #expect(found == (expected == "same" ? "same" : "\(expected)\n\nbody ü\n"))
}

/// Names of files in the headers of parts go out as such to a server without 8BITMIME, too.
@Test func namesOfPartsAreEncoded() throws {
  let given = """
    MIME-Version: 1.0
    Content-Type: multipart/mixed; boundary=b

    --b
    Content-Type: application/pdf; name="grün.pdf"
    Content-Disposition: attachment; filename="grün.pdf"

    --b
    Content-Type: message/rfc822

    Subject: grün

    text
    --b--

    """
  let made = try #require(try Letter(Array(given.utf8)).inSevenBits())
  let text = String(decoding: try made.octets(in: 0..<made.count), as: UTF8.self)
  #expect(text.utf8.allSatisfy { $0 < 0x80 }, "\(text)")
  #expect(
    text.contains("\nContent-Disposition: attachment; filename*=utf-8''gr%C3%BCn.pdf\n"),
    "\(text)"
  )
  #expect(text.contains("\nSubject: =?UTF-8?B?Z3LDvG4=?=\n"), "\(text)")
}

private func ascii(_ domain: [UInt8]) -> [UInt8]? {
  domain == Array("bücher.test".utf8) ? Array("xn--bcher-kva.test".utf8) : nil
}

/// Octets that are no UTF-8 are read as most programs do.
@Test func latinHeadersAreEncodedToo() throws {
  let given = Array("Subject: ".utf8) + [0xFC] + Array("\n\n".utf8)
  let raw = try MessageScanner.scan(given)
  #expect(raw.hasEightBitHeader && !raw.needsSMTPUTF8)
  let made = try #require(try Letter(given).withASCIIHeader(ascii))
  #expect(try made.octets(in: 0..<made.count) == Array("Subject: =?UTF-8?B?w7w=?=\n\n".utf8)[...])
}

/// Names without a domain in To and Cc, and what strict servers take.
@Test(arguments: [
  ("To: self", "To: self <me@x.test>"),
  ("To: Admin <self>, b@x.test", "To: Admin <me@x.test>, b@x.test"),
  ("Cc: root", "Cc: root:;"), ("To: a@x.test", "To: a@x.test"),
  ("To: nobody-here, a@x.test", "same"),
])
func namesInFieldsBecomeAddresses(_ field: String, _ expected: String) throws {
  var request = SendmailRequest()
  request.recipients = [Array("r@x.test".utf8)]
  var identity = identity
  identity.namesRecipients = true
  let given = Array("From: me@x.test\n\(field)\n\n".utf8)
  let letter = try Letter(given).prepared(for: request, identity, book)
  let text = String(decoding: try whole(letter), as: UTF8.self)
  #expect(text.contains("\n\(expected == "same" ? field : expected)\n"), "\(text)")
}

@Test func anOwnAddressStays() throws {
  for (given, expected) in [
    ("own@vm.example.net", "own@vm.example.net"), ("a@vm.example.net", "me@x.test"),
  ] {
    var request = SendmailRequest()
    request.recipients = [Array("r@x.test".utf8)]
    let letter = try Letter(Array("From: \(given)\n\n".utf8)).prepared(for: request, identity, book)
    #expect(letter.envelope.reversePath?.octets == Array(expected.utf8))
  }
}

/// A stream of patches is no message; a message that quotes one is.
@Test(arguments: [40, 64])
func aStreamOfPatchesIsRefused(_ length: Int) throws {
  let line = "From \(String(repeating: "a0", count: length / 2)) Mon Sep 17 00:00:00 2001\n"
  let patch = "From: a@x.test\nSubject: [PATCH]\n\ntext\n"
  var request = SendmailRequest()
  request.recipients = [Array("r@x.test".utf8)]
  for text in [line + patch, patch + line + patch, line + patch + line + "\ntext\n"] {
    #expect(throws: Never.self) {
      try Letter(Array(text.utf8)).prepared(for: request, identity, book)
    }
  }
  #expect(throws: LetterError.severalMessages(line: 6)) {
    try Letter(Array((line + patch + line + patch).utf8)).prepared(for: request, identity, book)
  }
}

/// A field that is indented is a part of the one above it.
@Test func aSenderThatSwallowedTheNextFieldIsRefused() throws {
  var request = SendmailRequest()
  request.recipients = [Array("r@x.test".utf8)]
  #expect(throws: LetterError.badAddress(Array("To: a@x.test".utf8))) {
    try Letter(Array("From:\n To: a@x.test\n\n".utf8)).prepared(for: request, identity, book)
  }
  let empty = try Letter(Array("From:\n \nTo: a@x.test\n\n".utf8)).prepared(
    for: request,
    identity,
    book
  )
  #expect(
    String(decoding: try whole(empty), as: UTF8.self).contains("From: Me Myself <me@x.test>\n")
  )
}

/// What may not be changed keeps nothing beside it from being encoded.
@Test func oneOctetInAPreambleKeepsNothingRaw() throws {
  let head = "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n"
  let text = "--b\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\nü\n"
  let encoded = "Content-Transfer-Encoding: quoted-printable\n\n=C3=BC\n"
  let around = try #require(try Letter(Array("\(head)ü\n\(text)--b--\nü\n".utf8)).inSevenBits())
  let first = String(decoding: try around.octets(in: 0..<around.count), as: UTF8.self)
  #expect(first.contains(encoded) && first.utf8.allSatisfy { $0 < 0x80 }, "\(first)")
  let report = "--b\nContent-Type: message/delivery-status\n\nX: ü\n"
  let beside = try #require(try Letter(Array("\(head)\(report)\(text)--b--\n".utf8)).inSevenBits())
  let second = String(decoding: try beside.octets(in: 0..<beside.count), as: UTF8.self)
  #expect(second.contains(encoded) && second.contains("\nX: ü\n"), "\(second)")
}

/// The octets with each CR LF as LF; other CRs stay.
private func withoutCRLF(_ octets: [UInt8]) -> [UInt8] {
  octets.indices.filter { index in
    !(octets[index] == 13 && index + 1 < octets.count && octets[index + 1] == 10)
  }.map { octets[$0] }
}

private let identity = Identity(
  address: Array("me@x.test".utf8),
  fullName: Array("Me Myself".utf8),
  host: Array("host".utf8),
  date: MessageDate(seconds: 1_795_224_685, offset: 60),
  token: Array("T".utf8),
  rewriting: .local(hosts: [Array("vm.example.net".utf8)], own: [Array("own@vm.example.net".utf8)])
)

private let book = AddressBook(
  [
    """
    # names
    root: me@x.test,
     ops@x.test # both
    loop: circle
    circle: loop
    pipe: |/bin/sh
    noreply: /dev/null
    fred: \\fred, me@x.test
    self: self, me@x.test
    named: "Foo, Bar" <foo@x.test>, "carol"
    wrong: "Foo" <a@b
    admins: :include:/admins, late@x.test
    quoted: ":Include: /deep"
    circling: :include:/circle
    named-back: :include:/back
    nothing: :include:/nothing
    gone:
      :include:/gone
    relative: :include:admins
    team: one@x.test,
    # the second one
      two@x.test ,# and

    three@x.test,
    four@[IPv6:::1], carol
    "first#last": first#last@x.test, "a #b"@x.test
    twice: /dev/null
    twice: back@x.test
    never: gone@x.test
    never: /dev/null
    """, "carol: carol@y.test\nroot: never@x.test\n",
  ].map { Aliases(Array($0.utf8)) },
  LocalNames([Array("me".utf8)], mean: Array("me@x.test".utf8))
) { (path) throws(AliasFileProblem) in
  guard path.first == ASCII.slash else { throw .relative }
  guard let text = lists[String(decoding: path, as: UTF8.self)] else { throw .missing }
  return Array(text.utf8)
}

/// The lists that aliases include, by their paths.
private let lists = [
  "/admins": "# the admins\none@x.test, Two <two@x.test> # both\r\n\n carol\n|/bin/sh\n",
  "/deep": "deep@x.test\n:include:/admins\n", "/circle": "a@x.test\n:include:/circle\n",
  "/back": "b@x.test, named-back\n", "/nothing": "# no address\n|/bin/sh, /dev/null\n",
  "/wrong": "a@x.test\n\nb c@x.test\n",
]

/// The lines of a part, escapes undone, each ended by LF.
private func octets(of fixture: Fixture, _ part: String) throws -> [UInt8] {
  try fixture.lines(part).flatMap { try Fixtures.unescape($0) + [10] }
}

private func text(_ envelope: Envelope) -> String {
  let sender = envelope.reversePath.map { String(decoding: $0.octets, as: UTF8.self) } ?? "<>"
  let recipients = envelope.recipients.map { recipient in
    var text = String(decoding: recipient.address.octets, as: UTF8.self)
    if let original = recipient.original {
      text += " (\(String(decoding: original.octets, as: UTF8.self)))"
    }
    return recipient.notification == .never ? text + " [never]" : text
  }
  return "\(sender): \(recipients.joined(separator: ", "))"
}

/// All octets of the message.
private func whole(_ letter: PreparedLetter) throws(LetterError) -> [UInt8] {
  do throws(SourceError) {
    return try letter.message.whole()
  } catch {
    throw .unreadable(error)
  }
}
