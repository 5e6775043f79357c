/// The quoted-printable encoding of bodies (RFC 2045 §6.7), read with tolerance for damage.
package enum QuotedPrintable {
  /// The octets that the text stands for.
  ///
  /// Nothing is refused: an `=` that no two hexadecimal digits follow stands for itself, digits may
  /// be small letters, white space before a line end goes (transports add it), an `=` at the end of
  /// a line or of the text joins lines, and octets above 127 stand for themselves.
  package static func decode(_ text: ArraySlice<UInt8>) -> [UInt8] {
    text.withUnsafeBufferPointer { text in
      [UInt8](unsafeUninitializedCapacity: text.count) { result, count in
        count = decode(text, into: result)
      }
    }
  }

  private static func decode(
    _ text: UnsafeBufferPointer<UInt8>,
    into result: UnsafeMutableBufferPointer<UInt8>
  ) -> Int {
    var count = 0
    var kept = 0  // what precedes is no white space that may still turn out to end a line
    var index = 0
    while index < text.count {
      let octet = text[index]
      index += 1
      switch octet {
      case ASCII.equals:
        if let value = value(text, index) {
          result[count] = value
          index += 2
        } else if let next = softBreak(text, index) {
          index = next
          kept = count
          continue
        } else {
          result[count] = octet
        }
      case ASCII.space, ASCII.tab:
        result[count] = octet
        count += 1
        continue
      case ASCII.lineFeed:
        count = kept
        result[count] = octet
      case ASCII.carriageReturn where index < text.count && text[index] == ASCII.lineFeed:
        count = kept
        result[count] = octet
      default:
        result[count] = octet
      }
      count += 1
      kept = count
    }
    return count
  }

  /// The octet whose two digits stand at the index; `nil` when they do not.
  @inline(__always)
  private static func value(_ text: UnsafeBufferPointer<UInt8>, _ index: Int) -> UInt8? {
    guard index + 1 < text.count else { return nil }
    guard let high = digit(text[index]), let low = digit(text[index + 1]) else { return nil }
    return high << 4 | low
  }

  @inline(__always)
  private static func digit(_ octet: UInt8) -> UInt8? {
    switch octet {
    case 0x30...0x39: octet - 0x30
    case 0x41...0x46: octet - 0x37
    case 0x61...0x66: octet - 0x57
    default: nil
    }
  }

  /// Where the next line begins if nothing but white space is left of this one.
  private static func softBreak(_ text: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int? {
    // Longer runs of padding are not seen, and a bound keeps `=   =   =` from being read anew.
    let limit = min(text.count, start + 80)
    var index = start
    while index < limit, ASCII.isBlank(text[index]) { index += 1 }
    if index == text.count { return index }
    if index < limit, text[index] == ASCII.carriageReturn {
      index += 1
      if index == text.count { return index }
      return text[index] == ASCII.lineFeed ? index + 1 : index
    }
    return index < limit && text[index] == ASCII.lineFeed ? index + 1 : nil
  }
}
