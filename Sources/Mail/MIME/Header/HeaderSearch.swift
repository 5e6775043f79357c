internal import Octets

/// Finds a field in a message's header (RFC 5322 §2.2).
package enum HeaderSearch {
  /// The value, unfolded, white space around it cut; nil when there is none or it is empty.
  ///
  /// `header` has LF line ends, `name` its colon. Of several fields the first counts.
  package static func value(_ name: StaticString, in header: ArraySlice<UInt8>) -> [UInt8]? {
    var rest = header
    while !rest.isEmpty {
      let end = rest.firstIndex(of: ASCII.lineFeed) ?? rest.endIndex
      if rest[..<end].startsCaseless(with: name) {
        return trimmed(unfolded(rest.dropFirst(name.utf8CodeUnitCount)))
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

  private static func trimmed(_ value: [UInt8]) -> [UInt8]? {
    let isBlank = { (octet: UInt8) in octet == ASCII.space || octet == ASCII.tab }
    let trimmed = value.drop(while: isBlank).reversed().drop(while: isBlank).reversed()
    return trimmed.isEmpty ? nil : Array(trimmed)
  }
}
