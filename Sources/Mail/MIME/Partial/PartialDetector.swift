package import Octets

/// Finds the marks of a partial file in a message as its octets pass by: in its header, in parts, in messages inside.
///
/// It knows nothing of who wrote them; ``PartialMarks`` are judged elsewhere.
package struct PartialDetector {
  /// Octets of a line and of a header that are looked at.
  private static let lineLimit = 16 << 10
  private static let headerLimit = 256 << 10
  /// Octets of a boundary, of which RFC 2046 allows 70.
  static let boundaryLimit = 200

  /// Fields that are kept, and octets of a Message-ID: strangers may write many and long ones.
  private static let fieldLimit = 16
  private static let messageIDLimit = 4 << 10

  /// Whose header is read.
  private enum Owner {
    case message
    case part
    case messageInside
  }

  private enum Place {
    case header(of: Owner)
    case body
    /// Nothing that follows matters.
    case end
  }

  private var place = Place.header(of: .message)
  /// The boundaries of the open multiparts, and whether each is a digest.
  private var open: [(boundary: [UInt8], isDigest: Bool)] = []
  private var header: [UInt8] = []
  private var line: [UInt8] = []
  private var marks = PartialMarks()

  /// A detector that took nothing yet.
  package init() {}

  /// Reads the next octets, with LF or CRLF line ends.
  package mutating func readOctets(_ octets: UnsafeRawBufferPointer) {
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
  package mutating func finish() -> PartialMarks {
    if !line.isEmpty { takeLine() }
    if case .header(let owner) = place { endHeader(of: owner) }
    return marks
  }

  private mutating func takeLine() {
    if line.last == ASCII.carriageReturn { line.removeLast() }
    defer { line.removeAll(keepingCapacity: true) }
    if let (level, isClose) = delimiter() { return takeDelimiter(level, isClose: isClose) }
    guard case .header(let owner) = place else { return }
    guard !line.isEmpty, header.count + line.count < Self.headerLimit else {
      return endHeader(of: owner)
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
    if case .header(let owner) = place { endHeader(of: owner) }
    if case .end = place { return }
    guard level < open.count else { return }
    open.removeLast(open.count - level - (isClose ? 0 : 1))
    if isClose {
      place = open.isEmpty ? .end : .body
    } else {
      place = .header(of: .part)
    }
  }

  // MARK: Headers

  private mutating func endHeader(of owner: Owner) {
    let octets = header
    header = []
    let fields = PartParser(octets, limits: .standard).header(from: 0).header
    if owner != .part, let field = fields.first(PartialMark.field) {
      add(field.body, octets, isInside: owner == .messageInside)
    }
    let isInDigest = owner == .part && open.last?.isDigest == true
    let type =
      fields.first("Content-Type").flatMap { ContentType($0.body) }
      ?? (isInDigest ? ContentType.message : .plainText)
    if type.isPartialPlaceholder { marks.hasPlaceholder = true }
    if type.isType("multipart"), let boundary = type.boundary,
      boundary.count <= Self.boundaryLimit, open.count < MessageLimits.standard.nesting
    {
      open.append((boundary, type.isType("multipart", "digest")))
      place = .body
    } else if type.holdsMessage {
      place = .header(of: .messageInside)
    } else {
      place = open.isEmpty ? .end : .body
    }
  }

  private mutating func add(_ value: [UInt8], _ header: [UInt8], isInside: Bool) {
    guard marks.fields.count < Self.fieldLimit, let mark = PartialMark(value) else { return }
    let lines = header.filter { $0 != ASCII.carriageReturn }
    let id = HeaderSearch.value("Message-ID:", in: lines[...])
    guard (id?.count ?? 0) <= Self.messageIDLimit else { return }
    marks.fields.append(PartialMarks.Field(mark: mark, messageID: id, isInside: isInside))
  }
}

extension PartialDetector {
  /// The marks in octets that are in memory.
  package static func marks(in octets: [UInt8]) -> PartialMarks {
    var detector = PartialDetector()
    octets.withUnsafeBytes { detector.readOctets($0) }
    return detector.finish()
  }

  /// The marks in a message.
  ///
  /// - Throws: what keeps it from being read.
  package static func marks(in message: any OctetSource) throws(SourceError) -> PartialMarks {
    var detector = PartialDetector()
    var pieces = message.pieces
    while !detector.isDone, let piece = try pieces.next() {
      piece.withUnsafeBytes { detector.readOctets($0) }
    }
    return detector.finish()
  }

  /// Whether nothing that follows matters.
  private var isDone: Bool { if case .end = place { true } else { false } }
}
