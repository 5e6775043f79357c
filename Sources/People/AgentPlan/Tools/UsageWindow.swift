internal import Octets

/// What an agent used in the last hour, in buckets of a minute.
///
/// A clock that is set back frees nothing: the newest bucket is the earliest time that counts.
package struct UsageWindow: Hashable, Sendable {
  /// Minutes that count.
  package static let length: Int64 = 60
  /// The octets of the text, always: it is replaced in one write.
  package static let size = 8192

  /// What a number in the text may be.
  private static let range: ClosedRange<Int64> = 0...(1 << 50)

  private struct Bucket: Hashable {
    let minute: Int64
    var counts: [Int]
  }

  private var buckets: [Bucket] = []
  private let kinds: Int

  /// Nothing used, of so many kinds of things.
  package init(kinds: Int) {
    self.kinds = kinds
  }

  /// What a text says; nil for a text that is none.
  ///
  /// - Parameters:
  ///   - text: as ``text`` has it, or empty.
  ///   - kinds: how many kinds of things are counted.
  package init?(_ text: [UInt8], kinds: Int) {
    self.kinds = kinds
    for line in text.split(separator: ASCII.lineFeed) {
      let words = line.split(separator: ASCII.space)
      if words.isEmpty { continue }
      let numbers = words.compactMap { Int64(String(decoding: $0, as: UTF8.self)) }
      // Earlier versions counted fewer kinds of things.
      guard numbers.count == words.count, (2...(kinds + 1)).contains(numbers.count),
        numbers.allSatisfy({ Self.range.contains($0) }), numbers[0] > buckets.last?.minute ?? -1,
        buckets.count < Self.length
      else { return nil }
      let others = [Int](repeating: 0, count: kinds + 1 - numbers.count)
      let counts = numbers.dropFirst().map { Int($0) } + others
      buckets.append(Bucket(minute: numbers[0], counts: counts))
    }
  }

  /// A line for each minute in which something was used: the minute since 1970, and the count of each kind; blanks follow.
  package var text: [UInt8] {
    let lines = buckets.map { bucket in
      ([bucket.minute] + bucket.counts.map { Int64($0) }).map { "\($0)" }.joined(separator: " ")
    }
    let octets = [UInt8](lines.map { $0 + "\n" }.joined().utf8)
    let rest = max(1, Self.size - octets.count)
    return octets + [UInt8](repeating: ASCII.space, count: rest - 1) + [ASCII.lineFeed]
  }

  /// How much of a kind is used at a moment, in seconds since 1970.
  package func used(_ kind: Int, at now: Int64) -> Int {
    let start = minute(now) - Self.length
    return buckets.reduce(0) { sum, bucket in
      bucket.minute > start ? sum.addingReportingOverflow(bucket.counts[kind]).partialValue : sum
    }
  }

  /// When the oldest use of a kind no longer counts, in seconds since 1970; nil where nothing is used.
  package func nextFree(_ kind: Int, at now: Int64) -> Int64? {
    let start = minute(now) - Self.length
    let oldest = buckets.first { $0.minute > start && $0.counts[kind] > 0 }
    return oldest.map { ($0.minute + Self.length) * 60 }
  }

  /// Takes so much of each kind, or nothing where one of them would be over its limit.
  ///
  /// - Returns: whether it was taken.
  package mutating func charge(_ amounts: [Int], within limits: [Int], at now: Int64) -> Bool {
    for kind in 0..<kinds where amounts[kind] > 0 {
      guard amounts[kind] <= limits[kind] - used(kind, at: now) else { return false }
    }
    let minute = minute(now)
    buckets.removeAll { $0.minute <= minute - Self.length }
    if buckets.last?.minute != minute {
      buckets.append(Bucket(minute: minute, counts: [Int](repeating: 0, count: kinds)))
    }
    for kind in 0..<kinds { buckets[buckets.count - 1].counts[kind] += amounts[kind] }
    return true
  }

  private func minute(_ now: Int64) -> Int64 { max(max(0, now) / 60, buckets.last?.minute ?? 0) }
}
