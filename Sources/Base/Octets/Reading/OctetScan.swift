/// Searches of contiguous octets, eight at a time.
package enum OctetScan {
  /// The index of the first such octet at `start` or behind it, `end` when there is none before it.
  @inlinable
  @inline(__always)
  package static func index(
    of octet: UInt8,
    in octets: UnsafeRawBufferPointer,
    from start: Int,
    to end: Int
  ) -> Int {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let pattern = ones &* UInt64(octet)
    var index = start
    while index &+ 8 <= end {
      let word = octets.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      let zeroes = UInt64(littleEndian: word) ^ pattern
      let hits = (zeroes &- ones) & ~zeroes & (ones &* 0x80)
      if hits != 0 { return index &+ hits.trailingZeroBitCount / 8 }
      index &+= 8
    }
    while index < end, octets[index] != octet { index &+= 1 }
    return index
  }

  /// The index of the first such octet of the array, `end` when there is none before it.
  @inlinable
  @inline(__always)
  package static func index(of octet: UInt8, in octets: [UInt8], from start: Int, to end: Int)
    -> Int
  {
    octets.withUnsafeBytes { index(of: octet, in: $0, from: start, to: end) }
  }

  /// The index of the first such octet of the slice; nil where there is none.
  package static func firstIndex(of octet: UInt8, in octets: ArraySlice<UInt8>) -> Int? {
    let found = octets.withUnsafeBytes { index(of: octet, in: $0, from: 0, to: $0.count) }
    return found < octets.count ? octets.startIndex + found : nil
  }

  /// Whether both are the same octets.
  package static func isEqual(
    _ first: UnsafeRawBufferPointer,
    _ second: UnsafeRawBufferPointer
  ) -> Bool {
    guard first.count == second.count else { return false }
    var index = 0
    while index &+ 8 <= first.count {
      let word = first.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      guard word == second.loadUnaligned(fromByteOffset: index, as: UInt64.self) else {
        return false
      }
      index &+= 8
    }
    while index < first.count {
      guard first[index] == second[index] else { return false }
      index &+= 1
    }
    return true
  }

  /// Whether no octet has its highest bit set.
  package static func isASCII(_ octets: ArraySlice<UInt8>) -> Bool {
    octets.withUnsafeBytes { octets in
      var index = 0
      while index &+ 8 <= octets.count {
        let word = octets.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        if word & 0x8080_8080_8080_8080 != 0 { return false }
        index &+= 8
      }
      while index < octets.count {
        if octets[index] > 0x7F { return false }
        index &+= 1
      }
      return true
    }
  }
}
