/// The octets of several sources, one after the other.
package struct JoinedOctets: OctetSource {
  private var sources: [any OctetSource] = []

  /// Where each of them begins.
  private var starts: [Int] = []

  /// How many octets they have together.
  package private(set) var count = 0

  /// Those of these sources.
  package init(_ sources: [any OctetSource] = []) {
    for source in sources { append(source) }
  }

  /// Adds those of another one behind.
  package mutating func append(_ source: any OctetSource) {
    guard source.count > 0 else { return }
    sources.append(source)
    starts.append(count)
    count += source.count
  }

  /// Those of a range, all of them; see `OctetSource`.
  package func octets(in range: Range<Int>) throws(SourceError) -> ArraySlice<UInt8> {
    guard !range.isEmpty else { return [] }
    let first = index(of: range.lowerBound)
    if first == index(of: range.upperBound - 1) { return try octets(in: range, of: first) }
    var result: [UInt8] = []
    result.reserveCapacity(range.count)
    for index in first..<sources.count where starts[index] < range.upperBound {
      result += try octets(in: range, of: index)
    }
    return result[...]
  }

  /// Those of the range that one source has.
  private func octets(in range: Range<Int>, of index: Int) throws(SourceError) -> ArraySlice<UInt8>
  {
    let start = starts[index]
    let own = range.clamped(to: start..<start + sources[index].count)
    return try sources[index].octets(in: own.lowerBound - start..<own.upperBound - start)
  }

  /// The source that has the octet at a position.
  private func index(of position: Int) -> Int {
    var (low, high) = (0, starts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= position { low = middle } else { high = middle }
    }
    return low
  }
}
