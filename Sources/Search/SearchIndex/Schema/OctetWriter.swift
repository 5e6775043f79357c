/// Writes numbers and texts one after another.
struct OctetWriter {
  private(set) var octets: [UInt8] = []

  /// A number in as few octets as it needs, seven bits each.
  mutating func add(_ number: UInt64) {
    var rest = number
    while rest > 0x7F {
      octets.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    octets.append(UInt8(rest))
  }

  mutating func add(_ number: Int) {
    add(UInt64(clamping: number))
  }

  /// A number that may be negative.
  mutating func add(signed number: Int64) {
    add(UInt64(bitPattern: number << 1 ^ number >> 63))
  }

  /// A number in eight octets.
  mutating func add(fixed number: UInt64) {
    for shift in stride(from: 0, to: 64, by: 8) {
      octets.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
    }
  }

  /// A text behind its length.
  mutating func add(_ text: [UInt8]) {
    add(text.count)
    octets += text
  }
}
