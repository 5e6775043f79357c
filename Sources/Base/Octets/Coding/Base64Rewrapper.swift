/// Puts what is base64 already into lines of 76 digits that end with LF; what is neither digit nor padding goes (RFC 2045 §6.8).
package struct Base64Rewrapper: OctetConverter {
  /// The longest line, in octets without its end.
  private static let lineLimit = 76

  private var length = 0
  private let keepsBlankEnd: Bool

  /// The last two octets that were taken.
  private var last: [UInt8] = []

  /// A converter at the beginning of a body.
  ///
  /// - Parameter keepsBlankEnd: whether an empty line at the end of the body stays one.
  package init(keepsBlankEnd: Bool) {
    self.keepsBlankEnd = keepsBlankEnd
  }

  /// The digits of the next octets in lines; see `OctetConverter`.
  package mutating func convert(_ octets: ArraySlice<UInt8>, isEnd: Bool) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(octets.count + octets.count / Self.lineLimit + 2)
    for octet in octets where Base64.isDigit(octet) || octet == ASCII.equals {
      result.append(octet)
      length += 1
      if length == Self.lineLimit { endLine(&result) }
    }
    last = [UInt8]((last + octets.suffix(2)).suffix(2))
    guard isEnd else { return result }
    if length > 0 { endLine(&result) }
    if keepsBlankEnd, last == [ASCII.lineFeed, ASCII.lineFeed] { result.append(ASCII.lineFeed) }
    return result
  }

  private mutating func endLine(_ result: inout [UInt8]) {
    result.append(ASCII.lineFeed)
    length = 0
  }
}
