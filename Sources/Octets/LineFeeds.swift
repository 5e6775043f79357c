/// Line ends as files of Unix have them.
package enum LineFeeds {
  /// The octets with LF for each CRLF; a CR that no LF follows stays.
  package static func only(_ octets: [UInt8]) -> [UInt8] {
    guard octets.contains(ASCII.carriageReturn) else { return octets }
    var result: [UInt8] = []
    result.reserveCapacity(octets.count)
    for octet in octets {
      if octet == ASCII.lineFeed, result.last == ASCII.carriageReturn { result.removeLast() }
      result.append(octet)
    }
    return result
  }

  /// The same for octets that are read piece by piece; they are read once for it.
  ///
  /// - Throws: `SourceError` where they cannot be read.
  package static func only(_ octets: any OctetSource) throws(SourceError) -> any OctetSource {
    if let octets = octets as? [UInt8] { return only(octets) }
    guard try octets.has(ASCII.carriageReturn) else { return octets }
    let converted = try LineFeedOctets(octets)
    return converted.count == octets.count ? octets : converted
  }
}

/// The octets of a source with LF for each CRLF.
private struct LineFeedOctets: OctetSource {
  /// Octets of the source that are converted together; no CRLF is cut.
  private struct Run {
    /// Where they are in the source.
    let source: Range<Int>
    /// Where they begin once converted.
    let start: Int
  }

  /// About how many octets are converted for a range, however short it is.
  private static let runSize = 1 << 12

  private let octets: any OctetSource
  private let runs: [Run]
  let count: Int

  init(_ octets: any OctetSource) throws(SourceError) {
    self.octets = octets
    var (runs, start, position): ([Run], Int, Int) = ([], 0, 0)
    while position < octets.count {
      let end = min(octets.count, position + Self.runSize)
      var run = try octets.octets(in: position..<end)
      if end < octets.count, run.last == ASCII.carriageReturn { run.removeLast() }
      runs.append(Run(source: position..<position + run.count, start: start))
      start += LineFeeds.only([UInt8](run)).count
      position += run.count
    }
    (self.runs, count) = (runs, start)
  }

  func octets(in range: Range<Int>) throws(SourceError) -> ArraySlice<UInt8> {
    guard !range.isEmpty else { return [] }
    let first = index(of: range.lowerBound)
    let last = index(of: range.upperBound - 1)
    let source = runs[first].source.lowerBound..<runs[last].source.upperBound
    let result = LineFeeds.only([UInt8](try octets.octets(in: source)))
    let offset = range.lowerBound - runs[first].start
    return result[offset..<offset + range.count]
  }

  /// The run in which an octet is.
  private func index(of position: Int) -> Int {
    var (low, high) = (0, runs.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if runs[middle].start <= position { low = middle } else { high = middle }
    }
    return low
  }
}
