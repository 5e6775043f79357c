package import Octets

/// The body of a part as it goes over the wire, and the encoding that its header names.
struct OutgoingBody {
  /// How the octets are written.
  enum Encoding: String {
    case sevenBit = "7bit"
    case eightBit = "8bit"
    case quotedPrintable = "quoted-printable"
    case base64
  }

  let encoding: Encoding
  let octets: any OctetSource

  /// Text in UTF-8 with LF line ends, in the shortest encoding that nothing on the way changes.
  static func text(_ text: [UInt8]) -> OutgoingBody {
    if isPlain(text) { return OutgoingBody(encoding: .sevenBit, octets: text) }
    let quoted = QuotedPrintable.encode(text)
    let base64Count = (text.count + 2) / 3 * 4
    // A short text stays readable.
    guard quoted.count > base64Count + base64Count / 20 + 60 else {
      return OutgoingBody(encoding: .quotedPrintable, octets: quoted)
    }
    // The lines of text end with CRLF where it is encoded as octets (RFC 2046 §4.1.1).
    return base64(text.flatMap { $0 == ASCII.lineFeed ? [ASCII.carriageReturn, $0] : [$0] })
  }

  /// Any octets.
  static func base64(_ octets: any OctetSource) -> OutgoingBody {
    OutgoingBody(encoding: .base64, octets: Base64Lines(octets))
  }

  /// A file of text with LF line ends that can be read without a decoder, as it is; any other as octets.
  ///
  /// `facts` tells of the text; nil for a file that is none.
  static func file(_ octets: any OctetSource, _ facts: TextFacts?) -> OutgoingBody {
    guard let facts, facts.isPlain, !facts.hasBlankEnd else { return base64(octets) }
    return OutgoingBody(encoding: .sevenBit, octets: octets)
  }

  /// A message or another container, which may not be encoded; nil where it cannot go as it is.
  static func container(_ octets: any OctetSource) throws(SourceError) -> OutgoingBody? {
    let facts = try TextFacts(octets)
    guard facts.fits else { return nil }
    return OutgoingBody(encoding: facts.isASCII ? .sevenBit : .eightBit, octets: octets)
  }

  /// Whether it can go as it is: ASCII, no line too long, none that a mailbox file would take for a new message.
  private static func isPlain(_ octets: [UInt8]) -> Bool {
    (try? TextFacts(octets))?.isPlain ?? false
  }

  /// Whether a field can go as it is.
  static func isHeaderLine(_ field: ArraySlice<UInt8>) -> Bool {
    let lines = LineFeeds.only([UInt8](field))
    guard let facts = try? TextFacts(lines) else { return false }
    return facts.isASCII && facts.fits
      && lines.split(separator: ASCII.lineFeed).allSatisfy { line in
        line.contains { !ASCII.isBlank($0) }
      }
  }
}

/// The octets of a source in base64, in lines that end with LF (RFC 2045 §6.8); encoded as they are read.
package struct Base64Lines: OctetSource {
  /// How many octets a line holds, and how many it has with its end.
  private static let (held, length) = (57, 77)

  private let octets: any OctetSource

  package init(_ octets: any OctetSource) {
    self.octets = octets
  }

  /// How many there are, with line ends.
  package var count: Int {
    (octets.count + 2) / 3 * 4 + (octets.count + Self.held - 1) / Self.held
  }

  /// Those of a range, all of them; see `OctetSource`.
  package func octets(in range: Range<Int>) throws(SourceError) -> ArraySlice<UInt8> {
    guard !range.isEmpty else { return [] }
    let first = range.lowerBound / Self.length
    let end = (range.upperBound - 1) / Self.length + 1
    let source = first * Self.held..<min(octets.count, end * Self.held)
    let lines = Base64.encodeLines(try octets.octets(in: source))
    let offset = range.lowerBound - first * Self.length
    return lines[offset..<offset + range.count]
  }
}
