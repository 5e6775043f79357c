/// Text that should be UTF-8, made so.
package enum UTF8Repair {
  /// Whether all of it is well formed (Unicode §3.9, table 3-7).
  package static func isValid(_ octets: some Collection<UInt8>) -> Bool {
    octets.withContiguousStorageIfAvailable { survey($0).isValid } ?? survey(octets[...]).isValid
  }

  /// The octets as UTF-8.
  ///
  /// What is well formed stays. Of the rest, every maximal wrong sequence becomes U+FFFD; where not
  /// one sequence above U+007F is right, the text is windows-1252.
  package static func decode(_ octets: ArraySlice<UInt8>) -> [UInt8] {
    let (isValid, sequences) = octets.withUnsafeBufferPointer { survey($0) }
    if isValid { return [UInt8](octets) }
    return sequences == 0 ? Windows1252.decode(octets) : replace(octets)
  }

  /// The scalar value at the index and how many octets it takes; U+FFFD for a wrong sequence.
  package static func scalar(_ octets: ArraySlice<UInt8>, _ index: Int) -> (
    value: UInt32, length: Int
  ) {
    let (length, isValid) = sequence(octets, index)
    guard isValid else { return (0xFFFD, length) }
    guard length > 1 else { return (UInt32(octets[index]), 1) }
    var value = UInt32(octets[index]) & (0x7F >> UInt32(length))
    for offset in 1..<length { value = value << 6 | UInt32(octets[index + offset] & 0x3F) }
    return (value, length)
  }

  private static func replace(_ octets: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(octets.count)
    var index = octets.startIndex
    while index < octets.endIndex {
      let (length, isValid) = sequence(octets, index)
      if isValid {
        result.append(contentsOf: octets[index..<index + length])
      } else {
        result.append(utf8: 0xFFFD)
      }
      index += length
    }
    return result
  }

  /// Whether the text is well formed, and how many sequences above U+007F are.
  private static func survey<C: RandomAccessCollection<UInt8>>(
    _ octets: C
  ) -> (isValid: Bool, sequences: Int) where C.Index == Int {
    var sequences = 0
    var isValid = true
    var index = octets.startIndex
    while index < octets.endIndex {
      if octets[index] < 0x80 {
        index += 1
        continue
      }
      let (length, isRight) = sequence(octets, index)
      if isRight { sequences += 1 } else { isValid = false }
      index += length
    }
    return (isValid, sequences)
  }

  private static func survey(_ octets: some Collection<UInt8>) -> (isValid: Bool, sequences: Int) {
    survey([UInt8](octets))
  }

  /// The length of the sequence at the index, 1…4, and whether it is well formed.
  @inline(__always)
  private static func sequence<C: RandomAccessCollection<UInt8>>(
    _ octets: C,
    _ index: Int
  ) -> (length: Int, isValid: Bool) where C.Index == Int {
    let (needed, second) = expectation(octets[index])
    if needed == 1 { return (1, true) }
    guard let second, index + 1 < octets.endIndex, second.contains(octets[index + 1]) else {
      return (1, false)
    }
    for offset in 2..<max(needed, 2) {
      guard index + offset < octets.endIndex, octets[index + offset] & 0xC0 == 0x80 else {
        return (offset, false)
      }
    }
    return (needed, true)
  }

  /// How long a sequence with that first octet is, and what may follow; no range for a wrong one.
  @inline(__always)
  private static func expectation(_ first: UInt8) -> (Int, ClosedRange<UInt8>?) {
    switch first {
    case 0x00...0x7F: (1, nil)
    case 0xC2...0xDF: (2, 0x80...0xBF)
    case 0xE0: (3, 0xA0...0xBF)
    case 0xED: (3, 0x80...0x9F)
    case 0xE1...0xEF: (3, 0x80...0xBF)
    case 0xF0: (4, 0x90...0xBF)
    case 0xF1...0xF3: (4, 0x80...0xBF)
    case 0xF4: (4, 0x80...0x8F)
    default: (0, nil)
    }
  }
}

/// Whether octets that come piece by piece are well-formed UTF-8.
package struct UTF8Check: Sendable {
  /// The octets of a character that is not complete yet.
  private var rest: [UInt8] = []
  private var isWellFormed = true

  /// A check of nothing yet.
  package init() {}

  /// Whether all that was taken is well formed, and its last character complete.
  package var isValid: Bool { isWellFormed && rest.isEmpty }

  /// Checks the next octets.
  package mutating func readOctets(_ piece: ArraySlice<UInt8>) {
    guard isWellFormed else { return }
    let octets = rest + piece
    // A character that began in the last three octets may go on in the next piece.
    let begun = octets.indices.suffix(3).last { octets[$0] >= 0xC0 }
    let kept = begun.map { octets.count - $0 < Self.size(octets[$0]) ? octets.count - $0 : 0 } ?? 0
    rest = [UInt8](octets.suffix(kept))
    isWellFormed = UTF8Repair.isValid(octets.dropLast(kept))
  }

  /// How many octets a character has by its first one.
  private static func size(_ first: UInt8) -> Int { first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2 }
}
