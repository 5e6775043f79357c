internal import MailModel
internal import Octets

/// A set of message UIDs, kept as ascending ranges that neither touch nor overlap.
///
/// RFC 9051 §9 `sequence-set` without `*`. Ranges are never expanded: `1:4294967295` costs the
/// same as `1`. Zero is no UID and is never contained.
package struct UIDSet: Hashable, Sendable {
  /// The ranges, ascending, with a gap of at least one UID between any two.
  package let ranges: [ClosedRange<UInt32>]

  /// The empty set.
  package init() {
    ranges = []
  }

  /// The UIDs of all these ranges, which may come in any order and overlap.
  package init(_ ranges: [ClosedRange<UInt32>]) {
    self.ranges = Self.normalised(ranges)
  }

  /// The UIDs of a sequence that never descends.
  ///
  /// Linear in time; where the sequence descends after all the set is right too, only slower.
  package init(sortedUIDs: some Sequence<UInt32>) {
    var ranges: [ClosedRange<UInt32>] = []
    for uid in sortedUIDs {
      if let last = ranges.last, last.upperBound != .max, uid == last.upperBound + 1 {
        ranges[ranges.count - 1] = last.lowerBound...uid
      } else {
        ranges.append(uid...uid)
      }
    }
    self.ranges = Self.normalised(ranges)
  }

  /// Whether the set has no UID.
  package var isEmpty: Bool { ranges.isEmpty }

  /// The number of UIDs, at most 4,294,967,295; linear in the number of ranges.
  package var count: Int { ranges.reduce(0) { $0 + $1.count } }

  /// Whether the UID is in the set; logarithmic in the number of ranges.
  package func contains(_ uid: UInt32) -> Bool {
    ranges.hold(uid)
  }

  /// The UIDs that are in either set.
  package func union(_ other: UIDSet) -> UIDSet {
    UIDSet(ranges + other.ranges)
  }

  /// The UIDs that are in this set only; linear in the number of ranges of both.
  package func subtracting(_ other: UIDSet) -> UIDSet {
    var result: [ClosedRange<UInt32>] = []
    var holes = other.ranges[...]
    for range in ranges {
      var rest: ClosedRange<UInt32>? = range
      while let left = rest, let hole = holes.first, hole.lowerBound <= left.upperBound {
        if left.lowerBound < hole.lowerBound {
          result.append(left.lowerBound...hole.lowerBound - 1)
        }
        rest = left.part(above: hole.upperBound)
        // A hole that reaches the end of this range may reach into the next.
        guard rest != nil else { break }
        holes.removeFirst()
      }
      if let rest { result.append(rest) }
    }
    return UIDSet(disjoint: result)
  }

  /// The set as the wire has it: `1:3,7`; empty for the empty set, which IMAP cannot write.
  package var wire: [UInt8] {
    var result: [UInt8] = []
    for range in ranges { Self.append(range, to: &result) }
    return result
  }

  /// The set cut into sets of at most `count` UIDs, each at most `octets` long on the wire.
  ///
  /// Ascending. Servers refuse command lines that are too long; RFC 7162 §4 tells clients to
  /// stay below 8192 octets, command and all.
  package func pieces(ofAtMost count: Int, octets: Int = 8000) -> [UIDSet] {
    var cutter = UIDSetCutter(count: count, octets: octets)
    for range in ranges { cutter.add(range) }
    return cutter.finish()
  }

  /// The set of ranges that are known to ascend without touching.
  init(disjoint ranges: [ClosedRange<UInt32>]) {
    self.ranges = ranges
  }

  static func append(_ range: ClosedRange<UInt32>, to result: inout [UInt8]) {
    if !result.isEmpty { result.append(ASCII.comma) }
    result.append(decimal: range.lowerBound)
    guard range.upperBound > range.lowerBound else { return }
    result.append(ASCII.colon)
    result.append(decimal: range.upperBound)
  }

  private static func normalised(_ ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
    guard !isNormal(ranges) else { return ranges }
    var result: [ClosedRange<UInt32>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) where range.upperBound > 0 {
      if let last = result.last, range.lowerBound <= last.upperBound.addingSaturated(1) {
        let upper = max(last.upperBound, range.upperBound)
        result[result.count - 1] = last.lowerBound...upper
      } else {
        result.append(max(range.lowerBound, 1)...range.upperBound)
      }
    }
    return result
  }

  private static func isNormal(_ ranges: [ClosedRange<UInt32>]) -> Bool {
    guard ranges.first?.lowerBound != 0 else { return false }
    return zip(ranges, ranges.dropFirst()).allSatisfy {
      $0.upperBound.addingSaturated(1) < $1.lowerBound
    }
  }
}

extension UIDSet: CustomStringConvertible {
  package var description: String { String(decoding: wire, as: UTF8.self) }
}

extension ClosedRange<UInt32> {
  /// The part whose numbers are greater; `nil` when there are none.
  fileprivate func part(above number: UInt32) -> ClosedRange<UInt32>? {
    number < upperBound ? Swift.max(lowerBound, number + 1)...upperBound : nil
  }
}

extension UInt32 {
  /// The sum, or the largest value where it would exceed that.
  fileprivate func addingSaturated(_ other: UInt32) -> UInt32 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}

/// A set of UIDs being cut into pieces that keep to two bounds.
struct UIDSetCutter {
  private let count: Int
  private let octets: Int

  private var pieces: [UIDSet] = []
  private var piece: [ClosedRange<UInt32>] = []

  /// How many UIDs the piece can still take.
  private var room: Int

  /// The octets of the piece on the wire, each range with a comma.
  private var length = 0

  /// Pieces of at most `count` UIDs and at most `octets` octets on the wire.
  init(count: Int, octets: Int) {
    // "4294967294:4294967295" has 21 octets, and the comma is counted with it.
    precondition(count > 0 && octets >= 22, "a piece holds at least one range")
    self.count = count
    self.octets = octets
    room = count
  }

  /// Takes a range that is above all ranges before.
  mutating func add(_ range: ClosedRange<UInt32>) {
    var lower = range.lowerBound
    while true {
      let upper = UInt32(clamping: min(Int(range.upperBound), Int(lower) + room - 1))
      append(lower...upper)
      guard upper < range.upperBound else { return }
      lower = upper + 1
    }
  }

  /// The pieces, in order.
  mutating func finish() -> [UIDSet] {
    cut()
    return pieces
  }

  private mutating func append(_ range: ClosedRange<UInt32>) {
    var wire: [UInt8] = []
    UIDSet.append(range, to: &wire)
    if length + wire.count + 1 > octets { cut() }
    piece.append(range)
    length += wire.count + 1
    room -= range.count
    if room == 0 { cut() }
  }

  private mutating func cut() {
    guard !piece.isEmpty else { return }
    pieces.append(UIDSet(disjoint: piece))
    (piece, room, length) = ([], count, 0)
  }
}

/// The messages a command is about, by UID.
package enum MessageSet: Hashable, Sendable {
  /// Exactly these; the set must not be empty.
  case uids(UIDSet)

  /// All from this UID on: `n:*`.
  ///
  /// RFC 9051 §9: `*` is the largest UID in use, so `n:*` names the last message of the mailbox
  /// even when its UID is below n. Results below n have to be dropped.
  case from(UInt32)
}
