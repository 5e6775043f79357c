package import Octets

/// Finds out whether a message is a partial file, or holds one at any depth, as its octets pass by.
///
/// The one predicate that keeps a partial file from being taken for its message: whatever uploads, sends or passes on asks
/// it. It knows nothing of who wrote the file; other programs may have changed it, put it into another one, or taken the
/// field off.
package struct PartialDetector {
  /// What was found.
  package enum Finding: Hashable, Sendable {
    case none
    /// The field in the header of the message itself, with its value.
    case field([UInt8])
    /// Only a part that stands for one on the server, maybe in a message inside.
    case part
  }

  /// Octets of a line and of a header that are looked at.
  private static let lineLimit = 16 << 10
  private static let headerLimit = 256 << 10
  /// Octets of a boundary, of which RFC 2046 allows 70.
  static let boundaryLimit = 200

  private enum Place {
    /// In the header of the message itself, of a part, or of a message inside.
    case header(isTop: Bool)
    case body
    /// Nothing that follows matters.
    case end
  }

  private var place = Place.header(isTop: true)
  /// The boundaries of the open multiparts, and whether each is a digest.
  private var open: [(boundary: [UInt8], isDigest: Bool)] = []
  private var header: [UInt8] = []
  private var line: [UInt8] = []
  private var finding = Finding.none

  /// A detector that took nothing yet.
  package init() {}

  /// Takes the next octets, with LF or CRLF line ends.
  package mutating func take(_ octets: UnsafeRawBufferPointer) {
    var start = 0
    while start < octets.count {
      if case .end = place { return }
      let end = OctetScan.index(of: ASCII.lineFeed, in: octets, from: start, to: octets.count)
      let room = Swift.min(end, start + Self.lineLimit - Swift.min(line.count, Self.lineLimit))
      if room > start { line.append(contentsOf: octets[start..<room]) }
      guard end < octets.count else { return }
      takeLine()
      start = end + 1
    }
  }

  /// What was found, once all was taken.
  package mutating func finish() -> Finding {
    if !line.isEmpty { takeLine() }
    if case .header(let isTop) = place { endHeader(isTop: isTop) }
    return finding
  }

  private mutating func takeLine() {
    if line.last == ASCII.carriageReturn { line.removeLast() }
    defer { line.removeAll(keepingCapacity: true) }
    if let (level, isClose) = delimiter() { return takeDelimiter(level, isClose: isClose) }
    guard case .header(let isTop) = place else { return }
    guard !line.isEmpty, header.count + line.count < Self.headerLimit else {
      return endHeader(isTop: isTop)
    }
    header += line
    header.append(ASCII.lineFeed)
  }

  // MARK: Boundaries

  /// The open multipart whose delimiter the line is, the innermost first; nil where it is none.
  private func delimiter() -> (level: Int, isClose: Bool)? {
    guard !open.isEmpty, line.count > 2, line[0] == ASCII.minus, line[1] == ASCII.minus else {
      return nil
    }
    for level in open.indices.reversed() {
      let boundary = open[level].boundary
      guard line.dropFirst(2).starts(with: boundary) else { continue }
      let rest = line.dropFirst(2 + boundary.count)
      if rest.allSatisfy(ASCII.isBlank) { return (level, false) }
      if rest.starts(with: [ASCII.minus, ASCII.minus]) { return (level, true) }
    }
    return nil
  }

  private mutating func takeDelimiter(_ level: Int, isClose: Bool) {
    // A header that nothing ends but the next part says what it says all the same.
    if case .header(let isTop) = place { endHeader(isTop: isTop) }
    if case .end = place { return }
    guard level < open.count else { return }
    open.removeLast(open.count - level - (isClose ? 0 : 1))
    if isClose {
      place = open.isEmpty ? .end : .body
    } else {
      place = .header(isTop: false)
    }
  }

  // MARK: Headers

  private mutating func endHeader(isTop: Bool) {
    let fields = PartParser(header, limits: .standard).header(from: 0).header
    header = []
    if isTop, let field = fields.first(PartialMark.field) { return find(.field(field.body)) }
    let isInDigest = !isTop && open.last?.isDigest == true
    let type =
      fields.first("Content-Type").flatMap { ContentType($0.body) }
      ?? (isInDigest ? ContentType.message : .plainText)
    if type.isPartialPlaceholder { return find(.part) }
    if type.isType("multipart"), let boundary = type.boundary,
      boundary.count <= Self.boundaryLimit, open.count < MessageLimits.standard.nesting
    {
      open.append((boundary, type.isType("multipart", "digest")))
      place = .body
    } else if type.holdsMessage {
      place = .header(isTop: false)
    } else {
      place = open.isEmpty ? .end : .body
    }
  }

  private mutating func find(_ found: Finding) {
    finding = found
    place = .end
    open = []
  }
}

extension PartialDetector {
  /// What is found in octets that are in memory.
  package static func finding(in octets: [UInt8]) -> Finding {
    var detector = PartialDetector()
    octets.withUnsafeBytes { detector.take($0) }
    return detector.finish()
  }
}

extension PartialDetector {
  /// Whether a message is a partial file, or holds one.
  ///
  /// - Throws: what keeps it from being read.
  package static func isPartial(_ message: any OctetSource) throws(SourceError) -> Bool {
    var detector = PartialDetector()
    var pieces = message.pieces
    while !detector.isDone, let piece = try pieces.next() {
      piece.withUnsafeBytes { detector.take($0) }
    }
    return detector.finish() != .none
  }

  /// Whether nothing that follows matters.
  private var isDone: Bool { if case .end = place { true } else { false } }
}
