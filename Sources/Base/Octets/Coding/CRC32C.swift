/// The CRC-32C checksum (Castagnoli polynomial, RFC 9260 appendix A), eight octets a step.
package struct CRC32C: Sendable {
  private var register: UInt32 = .max

  /// The checksum of no octets yet.
  package init() {}

  /// The checksum of everything given so far; more may follow.
  package var value: UInt32 { ~register }

  /// The checksum of the octets.
  package static func of(_ octets: some Collection<UInt8>) -> UInt32 {
    var checksum = CRC32C()
    checksum.update(octets)
    return checksum.value
  }

  /// Adds the octets to the checksum.
  package mutating func update(_ octets: some Collection<UInt8>) {
    let wasContiguous: Void? = octets.withContiguousStorageIfAvailable {
      update(UnsafeRawBufferPointer($0))
    }
    guard wasContiguous == nil else { return }
    [UInt8](octets).withUnsafeBytes { update($0) }
  }

  /// Adds the octets to the checksum.
  package mutating func update(_ octets: UnsafeRawBufferPointer) {
    let start = register
    register = Self.tables.withUnsafeBufferPointer { tables in
      Self.advance(start, over: octets, tables)
    }
  }

  private static func advance(
    _ register: UInt32,
    over octets: UnsafeRawBufferPointer,
    _ tables: UnsafeBufferPointer<UInt32>
  ) -> UInt32 {
    var crc = register
    var offset = 0
    while offset + 8 <= octets.count {
      let word = octets.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian
      crc = step(word ^ UInt64(crc), tables)
      offset += 8
    }
    while offset < octets.count {
      crc = crc >> 8 ^ tables[Int((crc ^ UInt32(octets[offset])) & 0xFF)]
      offset += 1
    }
    return crc
  }

  @inline(__always)
  private static func step(_ word: UInt64, _ tables: UnsafeBufferPointer<UInt32>) -> UInt32 {
    var crc: UInt32 = 0
    for lane in 0..<8 {
      crc ^= tables[(7 - lane) << 8 | Int(truncatingIfNeeded: word >> (8 * lane) & 0xFF)]
    }
    return crc
  }

  /// Eight tables of 256 in a row; table k advances an octet over k further octets of zero.
  private static let tables: [UInt32] = {
    var tables = (0..<256).map { octet in
      (0..<8).reduce(UInt32(octet)) { crc, _ in crc >> 1 ^ (crc & 1 == 0 ? 0 : 0x82F6_3B78) }
    }
    for index in 256..<2048 {
      let before = tables[index - 256]
      tables.append(before >> 8 ^ tables[Int(before & 0xFF)])
    }
    return tables
  }()
}
