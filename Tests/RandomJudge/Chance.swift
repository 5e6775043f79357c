/// Choices that a seed decides: SplitMix64.
struct Chance {
  private var state: UInt64

  /// Choices that depend on a seed, and on what they are for.
  init(_ seed: Int, _ purpose: UInt64) {
    state = UInt64(bitPattern: Int64(seed)) &* 0x2545_f491_4f6c_dd1d &+ purpose
    _ = next()
  }

  private mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var word = state
    word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
    word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
    return word ^ (word >> 31)
  }

  /// A number from 0 up to, not including, 1.
  mutating func fraction() -> Double { Double(next() >> 11) / Double(1 << 53) }

  /// A number of a range.
  mutating func number(_ range: Range<Int>) -> Int {
    range.lowerBound + Int(next() % UInt64(range.count))
  }

  /// Whether something happens that has this probability.
  mutating func happens(_ probability: Double) -> Bool { fraction() < probability }

  /// One of several; there is at least one.
  mutating func one<Value>(_ values: [Value]) -> Value { values[number(0..<values.count)] }

  /// One of several, of which some are chosen more often.
  mutating func one<Value>(_ values: [(Value, Double)]) -> Value {
    var left = fraction() * values.reduce(0) { $0 + $1.1 }
    for (value, weight) in values {
      left -= weight
      if left < 0 { return value }
    }
    return values[values.count - 1].0
  }

  /// A power of two between two powers, each size as often as any other.
  mutating func power(_ from: Double, _ to: Double) -> Int {
    var result = 1.0
    let exponent = from + fraction() * (to - from)
    for _ in 0..<Int(exponent) { result *= 2 }
    return Int(result * (1 + (exponent - exponent.rounded(.down))))
  }
}
