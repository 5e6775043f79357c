internal import Octets

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
  let octets: [UInt8]

  /// The longest line that any server takes, in octets without its end.
  private static let lineLimit = 998

  /// Text in UTF-8 with LF line ends, in the shortest encoding that nothing on the way changes.
  static func text(_ text: [UInt8]) -> OutgoingBody {
    if isPlain(text) { return OutgoingBody(encoding: .sevenBit, octets: text) }
    let quoted = QuotedPrintable.encode(text)
    let base64Count = (text.count + 2) / 3 * 4
    // A short text is rather left readable.
    guard quoted.count > base64Count + base64Count / 20 + 60 else {
      return OutgoingBody(encoding: .quotedPrintable, octets: quoted)
    }
    // The lines of text end with CRLF where it is encoded as octets (RFC 2046 §4.1.1).
    return base64(text.flatMap { $0 == ASCII.lineFeed ? [ASCII.carriageReturn, $0] : [$0] })
  }

  /// Any octets; a piece of them at a time, so that memory holds them only once more.
  static func base64(_ octets: [UInt8]) -> OutgoingBody {
    var lines: [UInt8] = []
    lines.reserveCapacity(octets.count / 57 * 77 + 80)
    var rest = octets[...]
    while !rest.isEmpty {
      var digits = Base64.encode(rest.prefix(lineSize * 256))[...]
      while !digits.isEmpty {
        lines += digits.prefix(lineSize / 3 * 4)
        lines.append(ASCII.lineFeed)
        digits = digits.dropFirst(lineSize / 3 * 4)
      }
      rest = rest.dropFirst(lineSize * 256)
    }
    return OutgoingBody(encoding: .base64, octets: lines)
  }

  /// How many octets a line of base64 holds, in 76 digits (RFC 2045 §6.8).
  private static let lineSize = 57

  /// A file of text with LF line ends that can be read without a decoder; any other as octets.
  static func file(_ octets: [UInt8], isText: Bool) -> OutgoingBody {
    isText && isPlain(octets) && !hasBlankEnd(octets)
      ? OutgoingBody(encoding: .sevenBit, octets: octets) : base64(octets)
  }

  /// A message or another container, which may not be encoded; nil where it cannot go as it is.
  static func container(_ octets: [UInt8]) -> OutgoingBody? {
    guard fits(octets) else { return nil }
    let isEightBit = octets.contains { $0 >= 0x80 }
    return OutgoingBody(encoding: isEightBit ? .eightBit : .sevenBit, octets: octets)
  }

  /// Whether it can go as it is: ASCII, no line too long, none that a mailbox file would take for a new message.
  private static func isPlain(_ octets: [UInt8]) -> Bool {
    guard octets.allSatisfy({ $0 < 0x80 }), fits(octets) else { return false }
    return !lines(octets).contains { $0.starts(with: "From ".utf8) }
  }

  /// Whether a field can go as it is.
  static func isHeaderLine(_ field: ArraySlice<UInt8>) -> Bool {
    let lines = LineFeeds.only([UInt8](field))
    return lines.allSatisfy { $0 < 0x80 } && fits(lines)
      && lines.split(separator: ASCII.lineFeed).allSatisfy { line in
        line.contains { !ASCII.isBlank($0) }
      }
  }

  private static func fits(_ octets: [UInt8]) -> Bool {
    !octets.contains { $0 == ASCII.null || $0 == ASCII.carriageReturn }
      && lines(octets).allSatisfy { $0.count <= lineLimit }
  }

  private static func hasBlankEnd(_ octets: [UInt8]) -> Bool {
    lines(octets).contains { $0.last.map { ASCII.isBlank($0) } ?? false }
  }

  private static func lines(_ octets: [UInt8]) -> [ArraySlice<UInt8>] {
    octets.split(separator: ASCII.lineFeed)
  }
}
