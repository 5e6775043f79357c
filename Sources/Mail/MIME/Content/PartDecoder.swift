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

/// Decodes quoted-printable that comes piece by piece, as `QuotedPrintable.decode` does all of it.
struct QuotedPrintableConverter: OctetConverter {
  /// What is to be decoded together with what follows.
  private var rest: [UInt8] = []
  /// Whether what was decoded ends in white space that is content whatever follows.
  private var endsInContent = false

  var heldBack: Int { rest.count }

  mutating func convert(_ octets: ArraySlice<UInt8>, isEnd: Bool) -> [UInt8] {
    let text = rest.isEmpty ? octets : rest + octets
    let progress = QuotedPrintable.decode(text, isEnd: isEnd, endsInContent: endsInContent)
    endsInContent = progress.endsInContent
    // An array of its own: a place to convert on from is remembered with it.
    rest = [UInt8](text.dropFirst(progress.taken))
    return progress.octets
  }
}
