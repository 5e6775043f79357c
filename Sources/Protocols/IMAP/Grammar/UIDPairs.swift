/// Which UID each message got in its new place, as COPYUID tells (RFC 4315 §3).
///
/// Ranges are never expanded: whatever a server claims costs no more than it sent. Ask for the UIDs
/// that were copied instead of going through all pairs.
package struct UIDPairs: Hashable, Sendable {
  /// Messages whose UIDs ascend without gaps on both sides.
  private struct Run: Hashable {
    let source: ClosedRange<UInt32>
    let destination: ClosedRange<UInt32>
  }

  /// Ascending by source, without overlap.
  private let runs: [Run]

  /// The pairs of two sets in the order of the wire: the first UID of one with the first of the
  /// other, and so on.
  ///
  /// `nil` when they cannot be paired: unequal counts, a UID twice on one side, or 0. Two ways to
  /// write a range, `2:4` and `4:2`, are one (RFC 4315 §4).
  package init?(source: [ClosedRange<UInt32>], destination: [ClosedRange<UInt32>]) {
    guard let runs = Self.zip(source[...], destination[...]),
      Self.areDisjoint(runs.map(\.source)), Self.areDisjoint(runs.map(\.destination))
    else { return nil }
    self.runs = runs.sorted { $0.source.lowerBound < $1.source.lowerBound }
  }

  /// The number of pairs; linear in the number of ranges.
  package var count: Int { runs.reduce(0) { $0 + $1.source.count } }

  /// The UIDs in the place the messages came from.
  package var source: UIDSet { UIDSet(runs.map(\.source)) }

  /// The UIDs in the place the messages went to.
  package var destination: UIDSet { UIDSet(runs.map(\.destination)) }

  /// The new UID of the message with this old one; `nil` when it is not among them; logarithmic.
  package subscript(source: UInt32) -> UInt32? {
    var low = 0
    var high = runs.count
    while low < high {
      let middle = (low + high) / 2
      if runs[middle].source.upperBound < source { low = middle + 1 } else { high = middle }
    }
    guard low < runs.count, runs[low].source.contains(source) else { return nil }
    return runs[low].destination.lowerBound + (source - runs[low].source.lowerBound)
  }

  private static func zip(
    _ source: ArraySlice<ClosedRange<UInt32>>,
    _ destination: ArraySlice<ClosedRange<UInt32>>
  ) -> [Run]? {
    var (source, destination) = (source, destination)
    var runs: [Run] = []
    while let from = source.first, let to = destination.first {
      let length = min(from.count, to.count)
      runs.append(
        Run(
          source: takePrefix(length, of: &source),
          destination: takePrefix(length, of: &destination)
        )
      )
    }
    return source.isEmpty && destination.isEmpty ? runs : nil
  }

  /// Takes the first `length` UIDs, which the first range has.
  private static func takePrefix(
    _ length: Int,
    of ranges: inout ArraySlice<ClosedRange<UInt32>>
  ) -> ClosedRange<UInt32> {
    let range = ranges[ranges.startIndex]
    let last = range.lowerBound + UInt32(length - 1)
    if last < range.upperBound {
      ranges[ranges.startIndex] = last + 1...range.upperBound
    } else {
      ranges.removeFirst()
    }
    return range.lowerBound...last
  }

  /// Whether no UID is in two ranges, and 0 in none.
  private static func areDisjoint(_ ranges: [ClosedRange<UInt32>]) -> Bool {
    let sorted = ranges.sorted { $0.lowerBound < $1.lowerBound }
    return sorted.first?.lowerBound != 0
      && Swift.zip(sorted, sorted.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound }
  }
}
