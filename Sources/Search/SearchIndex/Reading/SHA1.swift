/// The SHA-1 of a text (RFC 3174): the id that notmuch gives to mail without one; it is no protection against forgery.
enum SHA1 {
  /// The 20 octets.
  static func of(_ octets: [UInt8]) -> [UInt8] {
    var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
    var message = octets
    message.append(0x80)
    while message.count % 64 != 56 { message.append(0) }
    let bits = UInt64(octets.count) * 8
    for shift in stride(from: 56, through: 0, by: -8) {
      message.append(UInt8(truncatingIfNeeded: bits >> UInt64(shift)))
    }
    for start in stride(from: 0, to: message.count, by: 64) {
      processBlock(message[start..<(start + 64)], &state)
    }
    return state.flatMap { word in
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
    }
  }

  private static func processBlock(_ block: ArraySlice<UInt8>, _ state: inout [UInt32]) {
    var words = [UInt32](repeating: 0, count: 80)
    for number in 0..<16 {
      let start = block.startIndex + number * 4
      words[number] = block[start..<(start + 4)].reduce(0) { $0 << 8 | UInt32($1) }
    }
    for number in 16..<80 {
      words[number] = rotated(
        words[number - 3] ^ words[number - 8] ^ words[number - 14] ^ words[number - 16],
        1
      )
    }
    var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
    for number in 0..<80 {
      let (mixed, constant) = mix(number, b, c, d)
      let next = rotated(a, 5) &+ mixed &+ e &+ constant &+ words[number]
      (a, b, c, d, e) = (next, a, rotated(b, 30), c, d)
    }
    for (number, value) in [a, b, c, d, e].enumerated() { state[number] &+= value }
  }

  private static func mix(
    _ round: Int,
    _ b: UInt32,
    _ c: UInt32,
    _ d: UInt32
  ) -> (UInt32, UInt32) {
    switch round {
    case ..<20: ((b & c) | (~b & d), 0x5A82_7999)
    case ..<40: (b ^ c ^ d, 0x6ED9_EBA1)
    case ..<60: ((b & c) | (b & d) | (c & d), 0x8F1B_BCDC)
    default: (b ^ c ^ d, 0xCA62_C1D6)
    }
  }

  private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word << count | word >> (32 - count)
  }
}
