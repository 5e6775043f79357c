internal import Octets

/// Chinese in seven bits, HZ-GB-2312 (RFC 1843), which converters do not know.
enum HZText {
  /// The same text in GB2312 with eight bits.
  static func eightBit(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var isChinese = false
    var index = text.startIndex
    while index < text.endIndex {
      let octet = text[index]
      let next = index + 1 < text.endIndex ? text[index + 1] : 0
      switch (octet, next) {
      case (tilde, ASCII.openBrace) where !isChinese: isChinese = true
      case (tilde, ASCII.closeBrace) where isChinese: isChinese = false
      case (tilde, tilde) where !isChinese: result.append(tilde)
      // A line that goes on.
      case (tilde, ASCII.lineFeed): break
      case (ASCII.lineFeed, _):
        isChinese = false
        result.append(octet)
        index -= 1
      case (0x21...0x7E, 0x21...0x7E) where isChinese: result += [octet | 0x80, next | 0x80]
      default:
        result.append(octet)
        index -= 1
      }
      index += 2
    }
    return result
  }

  private static let tilde = UInt8(ascii: "~")
}
