internal import Octets

/// Finds the Message-ID in a message's header (RFC 5322 §3.6.4).
enum MessageIDField {
  /// The identifier with its angle brackets, white space around it cut; nil when there is none.
  ///
  /// `header` has LF line ends. Of several fields the first counts; a folded one is unfolded.
  static func value(in header: ArraySlice<UInt8>) -> [UInt8]? {
    var rest = header
    while !rest.isEmpty {
      let end = rest.firstIndex(of: ASCII.lineFeed) ?? rest.endIndex
      if rest[..<end].startsCaseless(with: "Message-ID:") {
        return identifier(unfolded(rest.dropFirst("Message-ID:".utf8.count)))
      }
      rest = end == rest.endIndex ? [] : rest[(end + 1)...]
    }
    return nil
  }

  private static func unfolded(_ octets: ArraySlice<UInt8>) -> [UInt8] {
    var value: [UInt8] = []
    var previous: UInt8 = 0
    for octet in octets {
      if previous == ASCII.lineFeed, octet != ASCII.space, octet != ASCII.tab { break }
      if octet != ASCII.lineFeed { value.append(octet) }
      previous = octet
    }
    return value
  }

  private static func identifier(_ value: [UInt8]) -> [UInt8]? {
    let isBlank = { (octet: UInt8) in octet == ASCII.space || octet == ASCII.tab }
    let trimmed = value.drop(while: isBlank).reversed().drop(while: isBlank).reversed()
    return trimmed.isEmpty ? nil : Array(trimmed)
  }
}
