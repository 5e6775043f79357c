import Octets
import TestSupport
import Testing

@testable import MIME

/// Messages of which attachments are not in memory.
@Suite struct StreamedMessageTests {
  private static let octets: [UInt8] = (0..<300_000).map {
    UInt8(truncatingIfNeeded: $0 &* $0 >> 3)
  }

  private static func base64(_ end: String, count: Int) -> String {
    let digits = String(decoding: Base64.encode(octets.prefix(count)), as: UTF8.self)
    var lines: [Substring] = []
    var rest = digits[...]
    while !rest.isEmpty {
      lines.append(rest.prefix(76))
      rest = rest.dropFirst(76)
    }
    return lines.joined(separator: end)
  }

  private static func message(
    _ end: String,
    type: String = "application/pdf",
    encoding: String = "base64",
    count: Int = octets.count
  ) -> [UInt8] {
    let text = [
      "Subject: a", "Content-Type: multipart/mixed; boundary=b", "", "--b", "", "text", "--b",
      "Content-Type: \(type)", "Content-Disposition: attachment; filename=a.b",
      "Content-Transfer-Encoding: \(encoding)", "", base64(end, count: count), "--b",
      "Content-Type: x/y", "",
      "end", "--b--", "",
    ]
    return Array(text.joined(separator: end).utf8)
  }

  @Test(arguments: ["\n", "\r\n"])
  func whatIsAttachedIsNotInMemory(_ end: String) throws {
    let octets = Self.message(end)
    let streamed = try StreamedMessage(reading: octets)
    let whole = Message(octets)
    #expect(streamed.message.octets.count < 10_000)
    #expect(streamed.message.parts.count == whole.parts.count)
    for (part, other) in zip(streamed.message.parts, whole.parts) {
      #expect(part.contentType.octets == other.contentType.octets)
      #expect(try streamed.octets(of: part.octets).whole() == [UInt8](other.octets))
      #expect(try streamed.octets(of: part.body).whole() == [UInt8](other.body))
    }
  }

  /// Wherever the last line ends.
  @Test func anySizeIsLeftOut() throws {
    for count in 20_000..<20_057 {
      let octets = Self.message("\n", count: count)
      let streamed = try StreamedMessage(reading: octets)
      #expect(streamed.message.octets.count < 10_000, "\(count) octets")
      let attached = try #require(streamed.message.attachments.first)
      #expect(try streamed.decoded(attached).whole() == [UInt8](Self.octets.prefix(count)))
    }
  }

  /// What is kept of it is the same as of the message in memory.
  @Test(arguments: ["\n", "\r\n"], ["application/pdf", "text/plain", "message/rfc822"])
  func keptPartsAreTheSame(_ end: String, _ type: String) throws {
    let octets = Self.message(end, type: type)
    let streamed = try StreamedMessage(reading: octets)
    #expect(try Self.kept(streamed) == Self.kept(StreamedMessage(Message(octets))))
  }

  private static func kept(_ message: StreamedMessage) throws -> [UInt8] {
    let parts = try message.message.attachments.flatMap {
      try OutgoingPart.kept($0, of: message, MIMEText.decoder)
    }
    return try OutgoingMessage(fields: [], parts: [.text([])] + parts)
      .octets(token: [UInt8](ascii: "x")).whole()
  }

  /// What is decoded as it is read is what all of it is at once, also where it is damaged.
  @Test(
    arguments: ["\n", "\r\n"],
    [
      ("base64", "QUJD!!RE\u{7}VG\nQUI=\n\n> QUJD\n"), ("base64", "QUJDQUJDQUJDQUJD\n"),
      ("base64", "QUI=\nQUJD\n"), ("quoted-printable", "caf=C3=A9 =\n soft \t\nline=20\n"),
      ("quoted-printable", "a \r=\r\n= =4\n\n"),
      ("quoted-printable", " "), ("x-uuencode", "#0V%T\n"),
    ]
  )
  func anyEncodingIsUndone(_ end: String, _ content: (encoding: String, text: String)) throws {
    var body = String(repeating: content.text, count: 40_000 / content.text.utf8.count)
    if content.text == " " {
      body =
        String(repeating: String(repeating: " ", count: 100_000) + "!", count: 3)
        + String(repeating: " ", count: 5 << 20) + "!"
    }
    let text =
      "Content-Type: multipart/mixed; boundary=b\n\n--b\n\ntext\n--b\n"
      + "Content-Type: application/x\nContent-Transfer-Encoding: \(content.encoding)\n\n"
      + (content.encoding == "x-uuencode" ? "begin 644 u\n\(body)`\nend" : body) + "\n--b--\n"
    let octets = Array(text.replacing("\n", with: end).utf8)
    let streamed = try StreamedMessage(reading: octets)
    #expect(streamed.message.octets.count < octets.count)
    let (part, whole) = (streamed.message.root.children[1], Message(octets).root.children[1])
    #expect(try streamed.decoded(part).whole() == whole.decoded)
    #expect(!whole.decoded.isEmpty)
  }

  /// A text to be read is never left out, nor what a container that is encoded holds.
  @Test(arguments: [("text/plain", "7bit"), ("text/html", "base64"), ("message/rfc822", "base64")])
  func theRestIsInMemory(_ type: String, _ encoding: String) throws {
    var octets = Self.message("\n", type: type, encoding: encoding)
    let name = [UInt8](ascii: "Content-Disposition: attachment; filename=a.b\n")
    if type != "message/rfc822" { octets.removeSubrange(try #require(octets.firstRange(of: name))) }
    #expect(try StreamedMessage(reading: octets).message.octets == octets)
  }

  /// What a part holds of a message that a program may have written.
  enum Content: CaseIterable {
    case lines
    case shortLines
    case oneLine
    case dashes
    case binary
    case header
    case message

    /// Some of it, in the encoding that is told.
    func octets(_ count: Int, _ generator: inout SeededGenerator) -> (encoding: String, [UInt8]) {
      let pieces: [[UInt8]] =
        switch self {
        case .lines: [[UInt8]("Gr\u{FC}\u{DF}e, a line of a table;1;2;3\r\n".utf8)]
        case .shortLines: [[10], [97, 10], [13, 10], [45, 10]]
        case .oneLine: [[UInt8](ascii: "QUJD")]
        case .dashes: [[UInt8](ascii: "--- a\n"), [UInt8](ascii: "text text text text\n")]
        case .binary: (0...255).map { [$0] }
        case .header: [[UInt8](ascii: "Received: from a\n by b\n")]
        case .message: [[UInt8](ascii: "Subject: x\n\n"), [UInt8](ascii: "text\n")]
        }
      var result: [UInt8] = []
      while result.count < count { result += pieces.randomElement(using: &generator) ?? [] }
      return (self == .oneLine ? "base64" : self == .binary ? "binary" : "8bit", result)
    }
  }

  /// Whatever is attached, in whatever order: the parts are those of the message in memory, and hold the same.
  @Test(arguments: 0..<60)
  func anyPartsAreTheSame(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var octets = [UInt8](ascii: "Subject: s\nContent-Type: multipart/mixed; boundary=b\n\n")
    for _ in 0..<5 {
      let content = Content.allCases.randomElement(using: &generator) ?? .lines
      let count = [10, 3_000, 9_000, 70_000].randomElement(using: &generator) ?? 0
      let (encoding, body) = content.octets(count, &generator)
      let type =
        content == .message || content == .header
        ? "message/rfc822"
        : ["text/plain", "text/csv; name=a.csv", "application/x"].randomElement(using: &generator)
          ?? ""
      let header = "--b\nContent-Type: \(type)\nContent-Transfer-Encoding: \(encoding)\n\n"
      octets += [UInt8](header.utf8) + body + [10]
    }
    octets += [UInt8](ascii: "--b--\n")
    let streamed = try StreamedMessage(reading: octets)
    let whole = Message(octets)
    #expect(streamed.message.parts.count == whole.parts.count)
    for (part, other) in zip(streamed.message.parts, whole.parts) {
      #expect(part.header == other.header && part.role == other.role)
      #expect(try streamed.octets(of: part.octets).whole() == [UInt8](other.octets))
      #expect(try streamed.octets(of: part.body).whole() == [UInt8](other.body))
      if other.kind == .leaf { #expect(try streamed.decoded(part).whole() == other.decoded) }
      if other.role == .body { #expect(part.octets == other.octets) }
    }
    #expect(try Self.kept(streamed) == Self.kept(StreamedMessage(whole)))
  }

  /// A text or a binary file, and base64 in one line, are as little in memory as base64.
  @Test(arguments: [Content.lines, .oneLine, .binary, .dashes])
  func nothingThatIsAttachedIsInMemory(_ content: Content) throws {
    var generator = SeededGenerator(seed: 1)
    let (encoding, body) = content.octets(500_000, &generator)
    let text = [UInt8](String(repeating: "text of some length\n", count: 3_000).utf8)
    let octets =
      [UInt8](ascii: "Content-Type: multipart/mixed; boundary=b\n\n--b\n\n") + text
      + [UInt8](
        "--b\nContent-Type: text/csv; name=a\nContent-Transfer-Encoding: \(encoding)\n\n".utf8
      ) + body + [UInt8](ascii: "\n--b--\n")
    let streamed = try StreamedMessage(reading: octets)
    if content == .dashes {
      // Lines that may be boundaries stay, and what is near them.
      #expect(streamed.message.octets == octets)
    } else {
      #expect(streamed.message.octets.count < text.count + 50_000)
    }
    #expect(streamed.message.bodies().map { [UInt8]($0.body) + [10] } == [text])
  }

  /// Whatever the message: what is in it can be had, and is the same.
  @Test(arguments: try Mails.all())
  func otherMessagesStayAsTheyAre(_ fixture: Fixture) throws {
    let octets = try Mails.octets(fixture)
    let streamed = try StreamedMessage(reading: octets)
    #expect(try streamed.octets(of: streamed.message.root.octets).whole() == octets)
  }
}
