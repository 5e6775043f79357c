package import Octets

/// A message without most of what its attachments hold, which is read from its source where it is needed.
///
/// What is left out are lines of base64, in the midst of many such: none of them can be a boundary or end a header, so that
/// the tree of parts is the same. Nothing is left out of a text.
package struct ThinMessage: Sendable {
  /// The message, with gaps in the bodies of attachments.
  package let message: Message

  private let source: any OctetSource
  private let gaps: [Gap]

  /// Octets that are left out.
  fileprivate struct Gap {
    /// Where they would be in the message that is in memory.
    let position: Int
    /// Where they are in the source.
    let source: Range<Int>
  }

  /// A message that is in memory as a whole.
  package init(_ message: Message) {
    self.message = message
    source = message.octets
    gaps = []
  }

  /// Reads a message; the source is needed for as long as its attachments are.
  ///
  /// - Throws: `SourceError` where it cannot be read.
  package init(reading source: any OctetSource) throws(SourceError) {
    let reader = try ThinReader(source)
    let thin = Message(reader.kept)
    let isSafe = Self.areGapsSafe(reader.gaps, in: thin)
    message = isSafe ? thin : Message(try source.whole())
    gaps = isSafe ? reader.gaps : []
    self.source = source
  }

  /// Whether all gaps are in attachments that are written in base64.
  private static func areGapsSafe(_ gaps: [Gap], in message: Message) -> Bool {
    guard !gaps.isEmpty else { return true }
    let parts = message.parts
    // The parts of a message that is encoded are not where the message has them.
    guard !parts.contains(where: { $0.kind == .message && $0.encoding != .identity }) else {
      return false
    }
    let bodies = parts.filter {
      $0.kind == .leaf && $0.encoding == .base64 && !$0.contentType.isText && $0.role != .body
    }.map { $0.body.indices }
    return gaps.allSatisfy { gap in bodies.contains { $0.contains(gap.position) } }
  }

  /// All octets of the message.
  package var whole: any OctetSource { source }

  /// All octets of a part of the message, of which it may have only some.
  ///
  /// - Parameter part: a slice of the octets of the message, as its parts have them.
  /// - Returns: the octets, which are read as they are asked for.
  package func octets(of part: ArraySlice<UInt8>) -> any OctetSource {
    var result = JoinedOctets()
    var rest = part
    for gap in gaps where part.indices.contains(gap.position) {
      result.append(OctetSlice(rest[..<gap.position]))
      result.append(source.part(gap.source))
      rest = rest[gap.position...]
    }
    result.append(OctetSlice(rest))
    return result
  }

  /// What is in a part, its encoding undone.
  ///
  /// - Throws: `SourceError` where it cannot be read.
  func decoded(_ part: Part) throws(SourceError) -> [UInt8] {
    guard gaps.contains(where: { part.body.indices.contains($0.position) }) else {
      return part.decoded
    }
    return part.encoding.decode(try octets(of: part.body).whole()[...])
  }
}

/// Octets of an array that is kept for other reasons.
private struct OctetSlice: OctetSource {
  private let octets: ArraySlice<UInt8>

  init(_ octets: ArraySlice<UInt8>) {
    self.octets = octets
  }

  var count: Int { octets.count }

  func octets(in range: Range<Int>) throws(SourceError) -> ArraySlice<UInt8> {
    octets.dropFirst(range.lowerBound).prefix(range.count)
  }
}

/// Reads a message and leaves out what is base64.
private struct ThinReader {
  /// How long lines of base64 are, their ends not counted; other lines stay.
  private static let lengths = 60...76

  /// How many lines of base64 stay before others are left out.
  private static let keptLines = 64

  private(set) var kept: [UInt8] = []
  private(set) var gaps: [ThinMessage.Gap] = []

  /// What was read of a line that is not complete; its beginning may have been kept already, where it is long.
  private var line: [UInt8] = []
  private var isLong = false

  /// How many lines of base64 came one after the other.
  private var run = 0

  /// The last of them, where those before it are left out: it stays, so that what is left out lies within a body.
  private var held: [UInt8] = []

  /// How many octets of the source were taken.
  private var position = 0

  init(_ source: any OctetSource) throws(SourceError) {
    var pieces = source.pieces
    while var piece = try pieces.next() {
      while let end = OctetScan.firstIndex(of: ASCII.lineFeed, in: piece) {
        take(piece[...end], isEnd: true)
        piece = piece[(end + 1)...]
      }
      take(piece, isEnd: false)
    }
    endRun()
    keep(line)
  }

  private mutating func take(_ octets: ArraySlice<UInt8>, isEnd: Bool) {
    line += octets
    if isEnd, !isLong, Self.isBase64(line) {
      run += 1
      if run > Self.keptLines { hold() } else { keep(line) }
      line.removeAll(keepingCapacity: true)
    } else if isEnd || line.count > Self.lengths.upperBound + 2 {
      endRun()
      isLong = !isEnd
      keep(line)
      line.removeAll(keepingCapacity: true)
    }
  }

  private mutating func keep(_ octets: [UInt8]) {
    kept += octets
    position += octets.count
  }

  private mutating func hold() {
    leaveOut(held.count)
    swap(&held, &line)
  }

  private mutating func endRun() {
    keep(held)
    held.removeAll(keepingCapacity: true)
    run = 0
  }

  private mutating func leaveOut(_ count: Int) {
    guard count > 0 else { return }
    let end = position + count
    if let last = gaps.last, last.position == kept.count {
      gaps[gaps.count - 1] = ThinMessage.Gap(
        position: last.position,
        source: last.source.lowerBound..<end
      )
    } else {
      gaps.append(ThinMessage.Gap(position: kept.count, source: position..<end))
    }
    position = end
  }

  private static func isBase64(_ line: [UInt8]) -> Bool {
    var text = line.dropLast()
    if text.last == ASCII.carriageReturn { text.removeLast() }
    return lengths.contains(text.count) && text.count % 4 == 0 && isDigits(text)
  }

  private static func isDigits(_ text: ArraySlice<UInt8>) -> Bool {
    text.withUnsafeBytes { text in
      digits.withUnsafeBufferPointer { digits in
        var index = 0
        while index < text.count, digits[Int(text[index])] { index += 1 }
        return index == text.count
      }
    }
  }

  /// Which octets are digits of base64.
  private static let digits = (UInt8.min...UInt8.max).map { octet in
    ASCII.isLetter(octet) || ASCII.isDigit(octet) || octet == ASCII.plus || octet == ASCII.slash
  }
}
