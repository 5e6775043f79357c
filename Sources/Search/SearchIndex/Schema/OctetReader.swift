/// Reads what ``OctetWriter`` wrote; what is cut short reads as zeros and empty texts, and is told.
struct OctetReader {
  private let octets: [UInt8]
  private var index = 0

  /// Whether there was less than was asked for.
  private(set) var isCut = false

  init(_ octets: [UInt8]) {
    self.octets = octets
  }

  var isAtEnd: Bool { index >= octets.count }

  mutating func number() -> UInt64 {
    var result: UInt64 = 0
    var shift: UInt64 = 0
    while index < octets.count, shift < 64 {
      let octet = octets[index]
      index += 1
      result |= UInt64(octet & 0x7F) << shift
      if octet < 0x80 { return result }
      shift += 7
    }
    isCut = true
    return result
  }

  mutating func count() -> Int { Int(clamping: number()) }

  mutating func signed() -> Int64 {
    let number = number()
    return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
  }

  mutating func fixed() -> UInt64 {
    guard index + 8 <= octets.count else {
      isCut = true
      index = octets.count
      return 0
    }
    defer { index += 8 }
    return (0..<8).reduce(0) { $0 | UInt64(octets[index + $1]) << UInt64($1 * 8) }
  }

  mutating func skipText() {
    let count = count()
    isCut = isCut || count > octets.count - index
    index = min(octets.count, index + min(count, octets.count))
  }

  mutating func text() -> [UInt8] {
    let count = count()
    guard count <= octets.count - index else {
      isCut = true
      index = octets.count
      return []
    }
    defer { index += count }
    return Array(octets[index..<(index + count)])
  }
}

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
