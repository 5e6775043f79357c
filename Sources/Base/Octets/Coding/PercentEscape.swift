/// Octets that may not stand somewhere written as `%XX`, in a way that can be undone.
package enum PercentEscape {
  private static let digits = [UInt8](ascii: "0123456789ABCDEF")

  /// The octets with each one that must be escaped, and `%` itself always, as `%XX`.
  ///
  /// Hexadecimal letters are large. `unescape` gives the same octets back.
  package static func escape(
    _ octets: some Collection<UInt8>,
    _ mustEscape: (UInt8) -> Bool
  ) -> [UInt8] {
    let octets = [UInt8](octets)
    guard octets.contains(where: { $0 == ASCII.percent || mustEscape($0) }) else { return octets }
    var result: [UInt8] = []
    result.reserveCapacity(octets.count)
    for octet in octets {
      if octet == ASCII.percent || mustEscape(octet) {
        result += [ASCII.percent, digits[Int(octet >> 4)], digits[Int(octet & 15)]]
      } else {
        result.append(octet)
      }
    }
    return result
  }

  /// The octets with each `%XX` undone, hexadecimal letters of either case.
  ///
  /// `nil` when a `%` is not followed by two hexadecimal digits.
  package static func unescape(_ octets: some Collection<UInt8>) -> [UInt8]? {
    let octets = [UInt8](octets)
    guard octets.contains(ASCII.percent) else { return octets }
    var cursor = Cursor(octets)
    var result: [UInt8] = []
    while let octet = cursor.next() {
      guard octet == ASCII.percent else {
        result.append(octet)
        continue
      }
      guard let high = cursor.next().flatMap(Hex.nibble),
        let low = cursor.next().flatMap(Hex.nibble)
      else { return nil }
      result.append(high << 4 | low)
    }
    return result
  }
}
