/// Octets as a key: hashed and compared as a whole, many times as fast as an array, which takes one octet at a time.
///
/// Public, as are the table and the set: what is `package` is not specialised in other modules, which costs half of the
/// time of a run over a large mailbox.
public struct OctetKey: Hashable, Sendable {
  /// What is hashed and compared.
  public let octets: [UInt8]

  /// A key of these octets.
  @inlinable
  public init(octets: [UInt8]) {
    self.octets = octets
  }

  /// Whether the octets are the same, eight at a time.
  @inlinable
  public static func == (first: OctetKey, second: OctetKey) -> Bool {
    first.octets.withUnsafeBytes { one in
      second.octets.withUnsafeBytes { other in
        guard one.count == other.count else { return false }
        var index = 0
        while index + 8 <= one.count {
          let words = (
            one.loadUnaligned(fromByteOffset: index, as: UInt64.self),
            other.loadUnaligned(fromByteOffset: index, as: UInt64.self)
          )
          guard words.0 == words.1 else { return false }
          index += 8
        }
        while index < one.count {
          guard one[index] == other[index] else { return false }
          index += 1
        }
        return true
      }
    }
  }

  /// Hashes all octets in one piece.
  @inlinable
  public func hash(into hasher: inout Hasher) {
    octets.withUnsafeBytes { hasher.combine(bytes: $0) }
  }
}
