/// Octets as a key: hashed as a whole, many times as fast as an array, which hashes one octet at a time.
package struct OctetKey: Hashable, Sendable {
  /// What is hashed and compared.
  package let octets: [UInt8]

  /// A key of these octets.
  @inlinable
  package init(octets: [UInt8]) {
    self.octets = octets
  }

  @inlinable
  package func hash(into hasher: inout Hasher) {
    octets.withUnsafeBytes { hasher.combine(bytes: $0) }
  }
}
