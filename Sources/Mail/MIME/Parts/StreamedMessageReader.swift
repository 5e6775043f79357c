internal import Octets

/// Reads a message and leaves out what can be no boundary, once a header should have ended.
struct StreamedMessageReader {
  /// Octets that are left out.
  struct Gap {
    /// Where they would be among those that are kept.
    var position: Int
    var source: Range<Int>
  }

  /// How many octets stay at the beginning of the message, and behind each line that may be a boundary.
  private static let (headerSize, partSize) = (1 << 16, 1 << 12)

  /// How many octets stay behind what is left out, so that it lies within a body.
  private static let tailSize = 128

  /// How many octets are kept back before some of them are left out.
  private static let tailLimit = 1 << 12

  /// What is in memory.
  private(set) var kept: [UInt8] = []

  /// What is not, in its order.
  private(set) var gaps: [Gap] = []

  private let source: any OctetSource

  /// How many octets of the source were taken.
  private var position = 0

  /// How many more octets stay.
  private var room = headerSize

  /// The first two octets of the line that is being read; they tell whether it may be a boundary.
  private var start: [UInt8] = []

  /// The gap that is being made, and what was read last behind it.
  private var open: (gap: Gap, tail: [UInt8])?

  /// Reads a message.
  ///
  /// - Throws: `SourceError` where it cannot be read.
  init(_ source: any OctetSource) throws(SourceError) {
    self.source = source
    var pieces = source.pieces
    while var piece = try pieces.next() {
      while let end = OctetScan.firstIndex(of: ASCII.lineFeed, in: piece) {
        readOctets(piece[...end])
        start = []
        piece = piece[(end + 1)...]
      }
      readOctets(piece)
    }
    closeGap()
  }

  /// Reads octets of one line.
  private mutating func readOctets(_ octets: ArraySlice<UInt8>) {
    let known = start.count
    if known < 2 { start += octets.prefix(2 - known) }
    if start == [ASCII.minus, ASCII.minus] {
      closeGap()
      room = Self.partSize
    }
    if open != nil {
      leaveOut(octets)
    } else if room > 0 || !canOpen(octets, known) {
      kept += octets
      room -= octets.count
    } else {
      // The line that the gap is in begins as it did: it is no boundary, whatever it goes on with.
      let first = octets.prefix(2 - known)
      kept += first
      let begin = position + first.count
      open = (Gap(position: kept.count, source: begin..<begin), [])
      leaveOut(octets.dropFirst(first.count))
    }
    position += octets.count
  }

  /// Whether a gap can begin in the line: two of its octets stay, and the line goes on behind them.
  private func canOpen(_ octets: ArraySlice<UInt8>, _ known: Int) -> Bool {
    // Lines end with LF only where there is one.
    start.count == 2 && start != [ASCII.minus, ASCII.minus] && !start.contains(ASCII.lineFeed)
      && octets.count > 2 - known && OctetScan.firstIndex(of: ASCII.lineFeed, in: kept[...]) != nil
  }

  private mutating func leaveOut(_ octets: ArraySlice<UInt8>) {
    open?.tail += octets
    guard var (gap, tail) = open, tail.count > Self.tailLimit else { return }
    open = nil
    let count = tail.count - Self.tailSize
    tail.removeFirst(count)
    gap.source = gap.source.lowerBound..<gap.source.upperBound + count
    open = (gap, tail)
  }

  private mutating func closeGap() {
    guard let (gap, tail) = open else { return }
    if !gap.source.isEmpty { gaps.append(gap) }
    kept += tail
    open = nil
  }

  /// Puts back what was left out elsewhere than in these ranges, which ascend.
  ///
  /// - Returns: whether something was.
  /// - Throws: `SourceError` where it can no longer be read.
  mutating func closeGaps(outside ranges: [Range<Int>]) throws(SourceError) -> Bool {
    var (octets, others, last): ([UInt8], [Gap], Int) = ([], [], 0)
    for gap in gaps {
      octets += kept[last..<gap.position]
      last = gap.position
      let next = ranges[..<ranges.firstPosition { $0.lowerBound > gap.position }].last
      if next?.contains(gap.position) == true {
        others.append(Gap(position: octets.count, source: gap.source))
      } else {
        octets += try source.octets(in: gap.source)
      }
    }
    guard others.count < gaps.count else { return false }
    octets += kept[last...]
    (kept, gaps) = (octets, others)
    return true
  }
}
