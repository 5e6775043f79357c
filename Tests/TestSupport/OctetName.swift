/// A file name or path as octets: unlike two strings, two names that only look alike are not equal.
package struct OctetName: Hashable, Comparable, Sendable, ExpressibleByStringLiteral,
  CustomStringConvertible
{
  /// The octets.
  package let octets: [UInt8]

  /// A name of any octets.
  package init(_ octets: [UInt8]) {
    self.octets = octets
  }

  /// A name in UTF-8.
  package init(_ text: String) {
    octets = Array(text.utf8)
  }

  /// A name in UTF-8.
  package init(stringLiteral text: String) {
    self.init(text)
  }

  /// The name for people.
  package var description: String { String(decoding: octets, as: UTF8.self) }

  /// Whether the name holds that text, octet by octet.
  package func contains(_ text: String) -> Bool {
    let part = Array(text.utf8)
    return octets.indices.contains { octets[$0...].starts(with: part) }
  }

  /// The order of the octets.
  package static func < (left: OctetName, right: OctetName) -> Bool {
    left.octets.lexicographicallyPrecedes(right.octets)
  }
}
