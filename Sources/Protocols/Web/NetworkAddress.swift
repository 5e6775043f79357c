internal import Octets

/// An address of the Internet protocol, version 4 or 6.
package struct NetworkAddress: Hashable, Sendable {
  /// Its 4 or 16 octets.
  package let octets: [UInt8]

  /// An address of 4 or 16 octets; nil for any other number.
  package init?(_ octets: some Collection<UInt8>) {
    guard octets.count == 4 || octets.count == 16 else { return nil }
    self.octets = [UInt8](octets)
  }

  /// What an address is for that leads nowhere on the public Internet, or to where strangers must not send a request.
  package enum Kind: String, Hashable, Sendable {
    case unspecified, loopback, shared, multicast, reserved, documentation
    case privateUse = "private"
    case linkLocal = "link-local"
    case uniqueLocal = "unique-local"
    case tunnel
  }

  /// What keeps it from being asked; nil for one of the public Internet.
  ///
  /// Of one in which another is mapped or translated (RFC 4291 §2.5.5, RFC 6052, RFC 3056), that one counts.
  package var refused: Kind? {
    octets.count == 4 ? Self.refused4(octets[...]) : Self.refused6(octets)
  }

  /// The address as curl(1) reads it.
  package var text: [UInt8] {
    guard octets.count == 16 else {
      return [UInt8](octets.map { [UInt8](decimal: $0) }.joined(separator: [ASCII.dot]))
    }
    let groups = stride(from: 0, to: 16, by: 2).map { place in
      Hex.encode(octets[place..<place + 2])
    }
    return [ASCII.openBracket] + groups.joined(separator: [ASCII.colon]) + [ASCII.closeBracket]
  }

  /// Blocks of version 4 (RFC 6890 and the registry that it began).
  private static let blocks: [(start: [UInt8], bits: Int, kind: Kind)] = [
    ([0, 0, 0, 0], 8, .unspecified), ([10, 0, 0, 0], 8, .privateUse),
    ([100, 64, 0, 0], 10, .shared), ([127, 0, 0, 0], 8, .loopback),
    ([169, 254, 0, 0], 16, .linkLocal), ([172, 16, 0, 0], 12, .privateUse),
    ([192, 0, 0, 0], 24, .reserved), ([192, 0, 2, 0], 24, .documentation),
    ([192, 88, 99, 0], 24, .tunnel), ([192, 168, 0, 0], 16, .privateUse),
    ([198, 18, 0, 0], 15, .reserved), ([198, 51, 100, 0], 24, .documentation),
    ([203, 0, 113, 0], 24, .documentation), ([224, 0, 0, 0], 4, .multicast),
    ([240, 0, 0, 0], 4, .reserved),
  ]

  private static func refused4(_ octets: ArraySlice<UInt8>) -> Kind? {
    blocks.first { isIn(octets, $0.start, $0.bits) }?.kind
  }

  private static func refused6(_ octets: [UInt8]) -> Kind? {
    let zeros = [UInt8](repeating: 0, count: 16)
    if octets == zeros { return .unspecified }
    if octets == zeros.dropLast() + [1] { return .loopback }
    // Mapped, and translated.
    if octets.starts(with: zeros.prefix(10) + [0xFF, 0xFF])
      || octets.starts(with: [0, 0x64, 0xFF, 0x9B] + zeros.prefix(8))
    {
      return refused4(octets.suffix(4))
    }
    switch (octets[0], octets[1]) {
    case (0xFC...0xFD, _): return .uniqueLocal
    case (0xFE, 0x80...0xBF): return .linkLocal
    // Once for sites (RFC 3879).
    case (0xFE, 0xC0...0xFF): return .privateUse
    case (0xFF, _): return .multicast
    case (0x20, 0x02): return refused4(octets[2..<6])
    // Teredo and others, which hide an address or are not for the public.
    case (0x20, 0x01) where octets[2] < 2: return .tunnel
    case (0x20, 0x01) where octets[2] == 0x0D && octets[3] == 0xB8: return .documentation
    case (0x3F, 0xFF) where octets[2] < 0x10: return .documentation
    case (0x20...0x3F, _): return nil
    default: return .reserved
    }
  }

  private static func isIn(_ octets: ArraySlice<UInt8>, _ start: [UInt8], _ bits: Int) -> Bool {
    zip(octets, start).enumerated().allSatisfy { place, pair in
      let rest = min(8, max(0, bits - place * 8))
      let mask = UInt8(truncatingIfNeeded: 0xFF00 >> rest)
      return pair.0 & mask == pair.1 & mask
    }
  }
}
