internal import Octets

/// Makes the content of a part of its body as it comes over the wire, piece by piece, in as little memory for a large one as for
/// a small one.
///
/// The content is what is made of a file of the same message, whose lines end with LF: octet by octet.
package struct PartDecoder: OctetConverter {
  private enum Decoding {
    case none
    case quotedPrintable(QuotedPrintableConverter)
    case base64(Base64Converter)
  }

  private var lineEnds = LineFeedConverter()
  private var decoding: Decoding

  /// A decoder of an encoding; nil for those that only a body as a whole can be decoded from.
  package init?(_ encoding: TransferEncoding) {
    switch encoding {
    case .identity: decoding = .none
    case .quotedPrintable: decoding = .quotedPrintable(QuotedPrintableConverter())
    case .base64: decoding = .base64(Base64Converter())
    case .uuencode: return nil
    }
  }

  /// Whether so much has to be seen at once that decoding was given up; what was made so far is of no use.
  package var isStuck: Bool {
    if case .quotedPrintable(let converter) = decoding { converter.isStuck } else { false }
  }

  /// What becomes of the next octets; see `OctetConverter`.
  package mutating func convert(_ octets: ArraySlice<UInt8>, isEnd: Bool) -> [UInt8] {
    let text = lineEnds.convert(octets, isEnd: isEnd)
    switch decoding {
    case .none: return text
    case .quotedPrintable(var converter):
      decoding = .none
      let result = converter.convert(text[...], isEnd: isEnd)
      decoding = .quotedPrintable(converter)
      return result
    case .base64(var converter):
      decoding = .none
      let result = converter.convert(text[...], isEnd: isEnd)
      decoding = .base64(converter)
      return result
    }
  }
}

/// Decodes quoted-printable with LF line ends that comes piece by piece, as `QuotedPrintable.decode` does all of it.
struct QuotedPrintableConverter: OctetConverter {
  /// The longest text without a place to stop at that is kept, in octets.
  private static let limit = 4 << 20

  /// What is to be decoded together with what follows.
  private var rest: [UInt8] = []
  /// Whether there was no place to stop at for too long.
  private(set) var isStuck = false

  var heldBack: Int { rest.count }

  mutating func convert(_ octets: ArraySlice<UInt8>, isEnd: Bool) -> [UInt8] {
    guard !isStuck else { return [] }
    let known = rest.count
    rest += octets
    let end = isEnd ? rest.count : Self.stop(rest, behind: known)
    let result = QuotedPrintable.decode(rest[..<end])
    rest.removeFirst(end)
    if rest.count > Self.limit {
      isStuck = true
      rest = []
    }
    return result
  }

  /// The last place from which on the text is decoded as if it began there: behind a line end, or else behind a character that
  /// neither ends an escape nor is white space, which what follows may show to be no content; 0 where there is none behind the
  /// octets of which that is known.
  private static func stop(_ text: [UInt8], behind known: Int) -> Int {
    if let end = text[known...].lastIndex(of: ASCII.lineFeed) { return end + 1 }
    var end = text.count
    while end > max(2, known) {
      let last = text[end - 1]
      if !ASCII.isBlank(last), last != ASCII.carriageReturn, last != ASCII.equals,
        text[end - 2] != ASCII.equals
      {
        return end
      }
      end -= 1
    }
    return 0
  }
}
