internal import Octets

/// The SHA-256 of a message's octets as they go over the wire, line ends as CRLF.
package struct WireDigest: Hashable, Sendable {
  private let parts: (UInt64, UInt64, UInt64, UInt64)

  /// A digest of its 32 octets; nil where there are more or fewer.
  package init?(_ octets: some Collection<UInt8>) {
    guard octets.count == 32 else { return nil }
    let all = Array(octets)
    parts = (
      UInt64(octets: all[0..<8]), UInt64(octets: all[8..<16]), UInt64(octets: all[16..<24]),
      UInt64(octets: all[24..<32])
    )
  }

  /// The digest that 64 hexadecimal digits stand for; nil where they are no such.
  package init?(hex: some Collection<UInt8>) {
    guard hex.count == 64, let octets = Hex.decode(hex) else { return nil }
    self.init(octets)
  }

  /// The digest as 64 hexadecimal digits.
  package var hex: [UInt8] {
    Hex.digits(parts.0) + Hex.digits(parts.1) + Hex.digits(parts.2) + Hex.digits(parts.3)
  }

  package static func == (left: WireDigest, right: WireDigest) -> Bool {
    left.parts == right.parts
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(parts.0)
    hasher.combine(parts.1)
  }
}
