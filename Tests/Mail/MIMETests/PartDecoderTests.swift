import Octets
import TestSupport
import Testing

@testable import MIME

/// Bodies that come over the wire piece by piece are decoded as those of files are, all at once.
@Suite("Bodies decoded piece by piece")
struct PartDecoderTests {
  private static let lines = String(repeating: "QUJDREVG\r\n", count: 4)

  @Test(
    "the same content in pieces of any size",
    arguments: [
      (TransferEncoding.base64, lines + "QQ=="),
      (.base64, lines + "QUI=\r\n\r\n" + lines + "Q"),
      (.base64, "QQ==" + lines), (.base64, "QUI=\r\n-- \r\nlist footer\r\n"),
      (.base64, "QUI= \r\n\r\n===  =\r\n  \r\nQUJD\r\nQUJ"), (.base64, "QUI=\r\nQUJDx!\r\nQUJD"),
      (.base64, "Q!U*J\u{7}D\r\n>QUJD\r\n\r\n =QUJD"), (.base64, "====QUJD=QUJD\rQUJD"),
      (.base64, ""), (.base64, "="), (.base64, "Q"),
      (.base64, "QU\r\n!\r\nJD==\r\nnot base64 at all"),
      (.quotedPrintable, "a =3D b=\r\nc =E4 \t \r\n=\r\n  =  \r\n=4\r\nx=zz=3"),
      (.quotedPrintable, "no line end at all=20and=2"),
      (.quotedPrintable, "a=\r\r\nb\rc \r\r\n=0D=0A"),
      (.quotedPrintable, "="), (.quotedPrintable, "a   "), (.quotedPrintable, "===\r\n= =\r\n"),
      (.identity, "a\r\nb\rc\nd\r"), (.identity, "\r\r\n\r"), (.identity, ""),
    ]
  )
  func pieces(_ encoding: TransferEncoding, _ text: String) throws {
    let octets = Array(text.utf8)
    let whole = encoding.decode(LineFeeds.only(octets)[...])
    for size in 1...max(1, octets.count) {
      #expect(try Self.decode(octets, encoding, size) == whole, "\(size)")
    }
  }

  private static func decode(
    _ octets: [UInt8],
    _ encoding: TransferEncoding,
    _ size: Int
  ) throws -> [UInt8] {
    var decoder = try #require(PartDecoder(encoding))
    var result: [UInt8] = []
    for start in stride(from: 0, to: octets.count, by: size) {
      result += decoder.convert(octets[start..<min(start + size, octets.count)], isEnd: false)
    }
    result += decoder.convert([], isEnd: true)
    return result
  }

  @Test("any octets", arguments: [TransferEncoding.base64, .quotedPrintable, .identity])
  func random(_ encoding: TransferEncoding) throws {
    var generator = SeededGenerator(seed: 7)
    let alphabet = Array("QUJDab=== \t\r\n\r\n!3D4z".utf8)
    for _ in 0..<3000 {
      let count = Int.random(in: 0...60, using: &generator)
      let octets = (0..<count).map { _ in alphabet.randomElement(using: &generator) ?? 0 }
      let whole = encoding.decode(LineFeeds.only(octets)[...])
      let size = Int.random(in: 1...9, using: &generator)
      let made = try Self.decode(octets, encoding, size)
      #expect(made == whole, "\(Printable.text(octets)) in pieces of \(size)")
    }
  }

  @Test("what has to be seen at once is bounded")
  func bounds() throws {
    // Nothing but white space, `=` or CR for as long as one likes: little of it is held back.
    for text in [" \t", "=", "= ", "\r", "a=\r"] {
      var converter = QuotedPrintableConverter()
      let piece = Array(String(repeating: text, count: 1 << 16).utf8)
      var made = 0
      for _ in 0..<8 {
        made += converter.convert(piece[...], isEnd: false).count
        #expect(converter.heldBack <= 1 << 16, "\(text.debugDescription)")
      }
      made += converter.convert([], isEnd: true).count
      let all = Array(repeating: piece, count: 8).joined()
      #expect(QuotedPrintable.decode([UInt8](all)[...]).count == made, "\(text.debugDescription)")
    }
    // So much white space before a line end is content, however it comes; a little less is none.
    for (count, isContent) in [(1 << 16, false), (1 << 16 + 1, true), (200_000, true)] {
      let blanks = String(repeating: " ", count: count)
      let text = Array("a\(blanks)\n  \nb".utf8)
      let whole = QuotedPrintable.decode(text[...])
      #expect(whole.count == (isContent ? count + 4 : 4))
      for size in [997, 16_384, 70_000] {
        #expect(try Self.decode(text, .quotedPrintable, size) == whole, "\(count) \(size)")
      }
    }
    // A line behind padding that never ends is base64, whether it comes as a whole or not.
    let text = Array("QQ==\n".utf8) + Array(repeating: Array("QUJD".utf8), count: 700_000).joined()
    #expect(try Self.decode(text + [0x21], .base64, 100_000) == DamagedBase64.decode(text[...]))
    #expect(DamagedBase64.decode((text + [0x21])[...]).count == 2_100_001)
    #expect(PartDecoder(.uuencode) == nil)
  }

  // MARK: Placeholders

  private static let header = """
    Content-Type: Application/PDF;
     name="a b.pdf"
    Content-Disposition: attachment; filename*=utf-8''%C3%A4.pdf
    Content-Transfer-Encoding: BASE64

    """

  private static func placeholder(_ header: String, _ parameters: String) -> PartPlaceholder? {
    let text =
      "Content-Type: message/external-body; access-type=x-magnum; \(parameters)\n\n\(header)"
    return PartPlaceholder(Message(Array(text.utf8), isPartialFile: true).root)
  }

  @Test(
    "a part of the server and the one that is wanted",
    arguments: [
      (header.replacing("\n", with: "\r\n"), nil),
      (header.replacing("Application/PDF", with: "application/pdf"), nil),
      (header.replacing("BASE64\n", with: "base64"), nil),
      (header.replacing("\n name", with: " name"), nil),
      (header.replacing("PDF", with: "ZIP"), PartFacts.Difference.type),
      (header.replacing("BASE64", with: "8bit"), .encoding),
      (header.replacing("a b.pdf", with: "a.pdf"), .name),
      (header.replacing("%C3%A4", with: "%C3%B6"), .name),
      ("", .type), ("\r\n", .type), ("not a header at all", .type),
    ]
  )
  func comparison(_ wire: String, _ difference: PartFacts.Difference?) throws {
    let placeholder = try #require(Self.placeholder(Self.header, "section=2.1; size=12"))
    #expect(placeholder.section.description == "2.1" && placeholder.size == 12)
    #expect(placeholder.facts.difference(from: PartFacts(wire: Array(wire.utf8))) == difference)
  }

  @Test(
    "what does not tell enough",
    arguments: [
      "section=2", "size=2", "section=\"2.\"; size=2", "section=HEADER; size=2",
      "section=0; size=1",
    ]
  )
  func incomplete(_ parameters: String) {
    #expect(Self.placeholder(Self.header, parameters) == nil)
    #expect(PartPlaceholder(Message(Array(Self.header.utf8), isPartialFile: true).root) == nil)
  }

  @Test(
    "what can be decoded piece by piece",
    arguments: [
      ("application/pdf", "base64", true), ("application/pdf", "x-uuencode", false),
      ("message/rfc822", "8bit", true), ("message/rfc822", "base64", false),
    ]
  )
  func decoders(_ type: String, _ encoding: String, _ isPossible: Bool) throws {
    let header = "Content-Type: \(type)\nContent-Transfer-Encoding: \(encoding)\n"
    let placeholder = try #require(Self.placeholder(header, "section=1; size=1"))
    #expect((placeholder.decoder != nil) == isPossible)
  }
}
