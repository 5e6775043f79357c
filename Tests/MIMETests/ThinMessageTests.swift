import Octets
import TestSupport
import Testing

@testable import MIME

/// Messages of which attachments are not in memory.
@Suite struct ThinMessageTests {
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
    let thin = try ThinMessage(reading: octets)
    let whole = Message(octets)
    #expect(thin.message.octets.count < 10_000)
    #expect(thin.message.parts.count == whole.parts.count)
    for (part, other) in zip(thin.message.parts, whole.parts) {
      #expect(part.contentType.octets == other.contentType.octets)
      #expect(try thin.octets(of: part.octets).whole() == [UInt8](other.octets))
      #expect(try thin.octets(of: part.body).whole() == [UInt8](other.body))
    }
  }

  /// Wherever the last line ends.
  @Test func anySizeIsLeftOut() throws {
    for count in 20_000..<20_057 {
      let octets = Self.message("\n", count: count)
      let thin = try ThinMessage(reading: octets)
      #expect(thin.message.octets.count < 10_000, "\(count) octets")
      let attached = try #require(thin.message.attachments.first)
      #expect(try thin.decoded(attached) == [UInt8](Self.octets.prefix(count)))
    }
  }

  /// What is kept of it is the same as of the message in memory.
  @Test(arguments: ["\n", "\r\n"], ["application/pdf", "text/plain", "message/rfc822"])
  func keptPartsAreTheSame(_ end: String, _ type: String) throws {
    let octets = Self.message(end, type: type)
    let thin = try ThinMessage(reading: octets)
    #expect(try Self.kept(thin) == Self.kept(ThinMessage(Message(octets))))
  }

  private static func kept(_ message: ThinMessage) throws -> [UInt8] {
    let parts = try message.message.attachments.flatMap {
      try OutgoingPart.kept($0, of: message, MIMEText.decoder)
    }
    return try OutgoingMessage(fields: [], parts: [.text([])] + parts)
      .octets(token: [UInt8](ascii: "x")).whole()
  }

  /// Text is never left out, nor what a container that is encoded holds.
  @Test(arguments: [("text/plain", "7bit"), ("text/html", "base64"), ("message/rfc822", "base64")])
  func theRestIsInMemory(_ type: String, _ encoding: String) throws {
    let octets = Self.message("\n", type: type, encoding: encoding)
    #expect(try ThinMessage(reading: octets).message.octets == octets)
  }

  /// Whatever the message: what is in it can be had, and is the same.
  @Test(arguments: try Mails.all())
  func otherMessagesStayAsTheyAre(_ fixture: Fixture) throws {
    let octets = try Mails.octets(fixture)
    let thin = try ThinMessage(reading: octets)
    #expect(try thin.octets(of: thin.message.root.octets).whole() == octets)
  }
}
