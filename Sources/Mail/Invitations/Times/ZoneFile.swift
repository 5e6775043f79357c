internal import Octets

/// A zone as the system's files describe it (RFC 9636).
package struct ZoneFile: Hashable, Sendable {
  private let transitions: [Int]
  private let kinds: [Int]
  private let offsets: [Int]
  private let rule: ZoneRule?

  private static let transitionLimit = 10_000

  /// The zone of a file; nil for one of version 1, or that is damaged.
  package init?(_ file: [UInt8]) {
    guard let first = Self.counts(file[...]), first.version >= UInt8(ascii: "2") else { return nil }
    let rest = file.dropFirst(44 + first.size(4))
    guard let counts = Self.counts(rest), counts.times <= Self.transitionLimit, counts.types > 0,
      rest.count >= 44 + counts.size(8)
    else { return nil }
    var cursor = Cursor(rest.dropFirst(44))
    transitions = (0..<counts.times).map { _ in Self.number(&cursor, 8) }
    kinds = (0..<counts.times).map { _ in Self.number(&cursor, 1) & 0xFF }
    offsets = (0..<counts.types).map { _ in
      let offset = Self.number(&cursor, 4)
      _ = cursor.take(count: 2)
      return offset
    }
    guard kinds.allSatisfy({ $0 < counts.types }),
      zip(transitions, transitions.dropFirst()).allSatisfy(<)
    else { return nil }
    let footer = rest.dropFirst(44 + counts.size(8)).split(separator: ASCII.lineFeed).first ?? []
    rule = ZoneRule([UInt8](footer))
  }

  /// Seconds by which its clocks are ahead of UTC at a moment.
  package func offset(at moment: Int) -> Int {
    let count = Self.count(of: transitions, notAfter: moment)
    if count == transitions.count, let rule { return rule.offset(at: moment) }
    return count == 0 ? offsets[0] : offsets[kinds[count - 1]]
  }

  private static func count(of moments: [Int], notAfter moment: Int) -> Int {
    var (low, high) = (0, moments.count)
    while low < high {
      let middle = (low + high) / 2
      if moments[middle] <= moment { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private struct Counts {
    let version: UInt8
    /// Of UTC marks, standard marks, leap seconds, times, types and characters.
    let numbers: [Int]

    var times: Int { numbers[3] }
    var types: Int { numbers[4] }

    /// How many octets the block has behind its header, with times of that width.
    func size(_ width: Int) -> Int {
      times * (width + 1) + types * 6 + numbers[5] + numbers[2] * (width + 4) + numbers[1]
        + numbers[0]
    }
  }

  private static func counts(_ octets: ArraySlice<UInt8>) -> Counts? {
    var cursor = Cursor(octets)
    guard cursor.skip("TZif"), let version = cursor.next(), cursor.take(count: 15) != nil,
      octets.count >= 44
    else { return nil }
    let numbers = (0..<6).map { _ in number(&cursor, 4) }
    guard numbers.allSatisfy({ (0..<1_000_000).contains($0) }) else { return nil }
    return Counts(version: version, numbers: numbers)
  }

  /// A number of that many octets, the highest first, with a sign; what is missing is 0.
  private static func number(_ cursor: inout Cursor, _ width: Int) -> Int {
    let octets = cursor.take(count: width) ?? []
    let value = octets.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return width == 4 ? Int(Int32(truncatingIfNeeded: value)) : Int(truncatingIfNeeded: value)
  }
}
