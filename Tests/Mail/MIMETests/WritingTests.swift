import MIME
import Octets
import TestSupport
import Testing

/// Messages that are written, read again by the parser of this module.
struct WritingTests {
  private static let x = [UInt8](ascii: "X")

  private static func field(_ kind: String, _ value: [UInt8]) throws -> [UInt8] {
    switch kind {
    case "text": return OutgoingField(x, text: value).octets
    case "addresses":
      return OutgoingField(x, addresses: Address.list(value[...], MIMEText.decoder)).octets
    case "parameters":
      return OutgoingField(x, parametersOf: value, MIMEText.decoder)?.octets ?? Array("none\n".utf8)
    case "ids": return OutgoingField(x, ids: MessageID.list(value)).octets
    case "file":
      let message = OutgoingMessage(
        fields: [],
        parts: [try .file([UInt8](), type: .unknown, name: value), .text([])]
      )
      let part = try #require(Message(message.octets(token: x).whole()).root.children.first)
      let field = try #require(part.header.first("Content-Disposition"))
      return x + [ASCII.colon] + field.rawBody + [ASCII.lineFeed]
    default: throw HarnessError("no kind \(kind)")
    }
  }

  @Test(arguments: try Fixtures.load("Fixtures/outgoing-fields.txt"))
  func fields(_ fixture: Fixture) throws {
    let line = fixture.lines()[0]
    let bar = try #require(line.firstIndex(of: "|"))
    let value = try Fixtures.unescape(String(line[line.index(after: bar)...].drop { $0 == " " }))
    let octets = try Self.field(String(line[..<bar].prefix { $0 != " " }), value)
    let expected = MIMEText.text(try fixture.octets("lines")) + "\n"
    #expect(MIMEText.text(octets) == expected)
    let lines = octets.split(separator: ASCII.lineFeed)
    #expect(lines.allSatisfy { $0.count <= 76 || !$0.dropFirst(3).contains(ASCII.space) })
  }

  /// What people may type; each is read again as it was.
  private static let texts = [
    "", "a", " ", "\u{E9}", "e\u{301}", "日本語の件名です。とても長い件名なので折り返します。",
    "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}", "=?utf-8?q?x?=", "a  b", "\u{E9}  \u{E9}",
    "x\u{E9} y \u{E9}z", String(repeating: "w", count: 2000), String(repeating: "é ", count: 200),
    "a=?b", "\"quoted\" (comment) <x@y>", "“”‘’…—", "שלום עולם", "مرحبا",
  ]

  @Test(arguments: texts)
  func textIsReadAsItWas(_ text: String) {
    let octets = OutgoingField([UInt8](ascii: "Subject"), text: Array(text.utf8)).octets
    let read = Message(octets + [10]).header.text("Subject", MIMEText.decoder) ?? []
    let trimmed = String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    #expect(read == Array(trimmed.utf8))
    #expect(octets.split(separator: ASCII.lineFeed).allSatisfy { $0.count <= 998 })
    #expect(octets.allSatisfy { $0 < 0x80 })
  }

  @Test(arguments: texts)
  func namesAreReadAsTheyWere(_ text: String) {
    let mailbox = Mailbox(
      name: Array(text.utf8),
      localPart: [UInt8](ascii: "a.b"),
      domain: [UInt8](ascii: "x.test")
    )
    let octets = OutgoingField(
      [UInt8](ascii: "To"),
      addresses: [.mailbox(mailbox), .mailbox(mailbox)]
    ).octets
    let read = Message(octets + [10]).header.mailboxes("To", MIMEText.decoder)
    let trimmed = String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    #expect(read.map(\.name) == [Array(trimmed.utf8), Array(trimmed.utf8)])
    #expect(read.map(\.address) == [mailbox.address, mailbox.address])
  }

  @Test(
    arguments: texts + [
      "a\nb\n", "From here\n.\n..\n>From\n", "-- \nme\n", "\r\n\r\n", "a\rb", "\0",
    ]
  )
  func bodiesAreReadAsTheyWere(_ text: String) throws {
    let file = Array(text.utf8)
    let message = OutgoingMessage(
      fields: [],
      parts: [
        .text(file), try .file(file, type: .unknown, name: file),
        try .file(file, type: try #require(FileType(Array("text/x-diff".utf8))), name: nil),
      ]
    )
    let octets = try message.octets(token: Self.x).whole()
    let read = Message(octets)
    #expect(read.parts.count == 4)
    let ends = file.isEmpty || file.last == ASCII.lineFeed
    // A lone CR is a line end to a reader of text.
    let expected = Self.withLineFeeds(file + (ends ? [] : [10])).map { $0 == 13 ? 10 : $0 }
    #expect(read.parts[1].text(MIMEText.decoder) == expected)
    #expect(read.parts[2].decoded == file)
    #expect(read.parts[3].decoded == file)
    #expect(octets.split(separator: ASCII.lineFeed).allSatisfy { $0.count <= 998 })
    #expect(!octets.contains { $0 >= 0x80 || $0 == ASCII.carriageReturn || $0 == 0 })
    #expect(!octets.split(separator: ASCII.lineFeed).contains { $0.starts(with: "From ".utf8) })
  }

  /// A message in a message keeps every octet, also where it holds the boundary of what holds it.
  @Test(arguments: try Mails.all())
  func messagesInsideKeepEveryOctet(_ fixture: Fixture) throws {
    let inner = try Mails.octets(fixture)
    var token = Self.x
    var octets = try OutgoingMessage(
      fields: [],
      parts: [.text([]), .message(inner, name: nil)]
    ).octets(token: token).whole()
    // The same boundary once more, now inside.
    for _ in 0..<2 {
      octets = try OutgoingMessage(
        fields: [],
        parts: [.text([]), .message(octets, name: nil)]
      ).octets(token: token).whole()
      token = Self.x
    }
    var read = octets
    for _ in 0..<3 {
      let part = try #require(Message(read).attachments.first)
      read = part.messageInside.map { [UInt8]($0.octets) } ?? part.decoded
    }
    #expect(Self.withoutEnd(read) == Self.withoutEnd(inner))
  }

  /// Parts of any mail can be sent on, and are what they were.
  @Test(arguments: try Mails.all())
  func keptPartsAreWhatTheyWere(_ fixture: Fixture) throws {
    let whole = Message(try Mails.octets(fixture))
    for part in whole.attachments where part.kind == .leaf {
      let kept = try OutgoingPart.kept(part, of: StreamedMessage(whole), MIMEText.decoder)
      let message = OutgoingMessage(fields: [], parts: [.text([])] + kept)
      let read = try #require(Message(message.octets(token: Self.x).whole()).root.children.last)
      #expect(read.contentType.octets == part.contentType.octets)
      #expect(read.fileName(MIMEText.decoder) == part.fileName(MIMEText.decoder))
      #expect(Self.withoutEnd(read.decoded) == Self.withoutEnd(part.decoded))
    }
  }

  /// The line end before a boundary belongs to that, or to what is before it: not all readers agree.
  private static func withoutEnd(_ octets: [UInt8]) -> [UInt8] {
    var octets = withLineFeeds(octets)
    while octets.last == ASCII.lineFeed { octets.removeLast() }
    return octets
  }

  private static func withLineFeeds(_ octets: [UInt8]) -> [UInt8] {
    octets.replacing([13, 10], with: [10])
  }
}
