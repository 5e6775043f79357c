internal import Octets

/// Takes a message apart in one pass, line by line.
///
/// Rules:
/// 1. The place only moves forward, so the time is linear. What looks ahead is bounded.
/// 2. A line is a delimiter if it names any open boundary, the innermost first: the end of an outer
///    multipart also ends inner ones that were never closed (RFC 2046 §5.1.2).
/// 3. Lines end with LF, a CR before it belongs to the line end. Only where a message has no LF at
///    all do they end with CR.
/// 4. What is beyond the limits stays in the body of what it lies in.
struct PartParser {
  let octets: [UInt8]
  let lineEnd: UInt8
  let limits: MessageLimits
  private var boundaries: [[UInt8]] = []
  var count: Int
  /// How many copies lie around the octets, each made of a part of the one before.
  let decodings: Int

  /// Whether something was left whole because of the limits.
  var exceedsLimits = false

  init(_ octets: [UInt8], limits: MessageLimits, count: Int = 0, decodings: Int = 0) {
    self.octets = octets
    self.limits = limits
    self.count = count
    self.decodings = decodings
    let end = octets.count
    let hasLineFeed = OctetScan.index(of: ASCII.lineFeed, in: octets, from: 0, to: end) < end
    lineEnd = hasLineFeed ? ASCII.lineFeed : ASCII.carriageReturn
  }

  mutating func parse(at place: PartPlace = .root) -> Part {
    entity(from: 0, at: place).part
  }

  /// Reads the part that begins there, up to the delimiter that ends it; `nil` at the end of all.
  private mutating func entity(
    from start: Int,
    at place: PartPlace
  ) -> (part: Part, end: Delimiter?) {
    count += 1
    let (header, bodyStart, delimiter) = header(from: start)
    let draft = PartDraft(header: header, start: start, bodyStart: bodyStart, place: place)
    if let delimiter { return (leaf(draft, to: delimiter), delimiter) }
    if draft.type.isType("multipart") { return multipart(draft) }
    if draft.holdsMessage { return message(draft) }
    return leaf(draft)
  }

  mutating func leaf(_ draft: PartDraft) -> (part: Part, end: Delimiter?) {
    let delimiter = nextDelimiter(from: draft.bodyStart)
    return (leaf(draft, to: delimiter), delimiter)
  }

  private mutating func leaf(_ draft: PartDraft, to delimiter: Delimiter?) -> Part {
    let end = end(draft, delimiter)
    return opened(draft, to: end) ?? draft.part(octets, end: end, kind: .leaf, children: [])
  }

  func end(_ draft: PartDraft, _ delimiter: Delimiter?) -> Int {
    max(draft.bodyStart, delimiter?.contentEnd ?? octets.count)
  }

  private mutating func multipart(_ draft: PartDraft) -> (part: Part, end: Delimiter?) {
    guard mayNest(draft.place) else { return leaf(draft) }
    let told = draft.type.boundary
    if let told, let found = multipart(draft, boundary: told) { return found }
    // What the field does not tell, or tells wrongly, another one may, or the body itself.
    let others = [draft.misplacedBoundary, guessedBoundary(from: draft.bodyStart)]
    for case let other? in others where !boundaries.contains(other) && count < limits.parts {
      if let found = multipart(draft, boundary: other) { return found }
    }
    return leaf(draft)
  }

  /// Reads a multipart with that boundary; nil where no line of it is there.
  private mutating func multipart(
    _ draft: PartDraft,
    boundary: [UInt8]
  ) -> (part: Part, end: Delimiter?)? {
    boundaries.append(boundary)
    let first = nextDelimiter(from: draft.bodyStart)
    guard let first, first.level == boundaries.count - 1 else {
      boundaries.removeLast()
      return nil
    }
    let (children, delimiter) = children(of: draft, from: first)
    let end = end(draft, delimiter)
    guard children.isEmpty else {
      return (draft.part(octets, end: end, kind: .multipart, children: children), delimiter)
    }
    let text = first.isClose ? emptyBody(draft, around: first, to: end) : draft.bodyStart..<end
    return (draft.part(octets, end: end, body: text, kind: .leaf, children: []), delimiter)
  }

  /// What is to be read of a multipart without parts: what stands before the delimiter that ends it, or behind it.
  private func emptyBody(_ draft: PartDraft, around close: Delimiter, to end: Int) -> Range<Int> {
    let before = draft.bodyStart..<max(draft.bodyStart, close.contentEnd)
    let behind = min(close.next, end)..<end
    if octets[behind].allSatisfy({ $0 <= ASCII.space }) { return before }
    return octets[before].allSatisfy({ $0 <= ASCII.space }) ? behind : draft.bodyStart..<end
  }

  /// Reads the parts between the lines of the innermost boundary, and what follows its end.
  private mutating func children(
    of draft: PartDraft,
    from first: Delimiter
  ) -> (children: [Part], end: Delimiter?) {
    let level = boundaries.count - 1
    var children: [Part] = []
    var delimiter: Delimiter? = first
    while let found = delimiter, found.level == level, !found.isClose {
      guard count < limits.parts else {
        exceedsLimits = true
        break
      }
      let place = PartPlace(
        above: draft.place.prefix,
        number: children.count + 1,
        depth: draft.place.depth + 1,
        container: draft.type,
        isOfPartialFile: draft.place.isOfPartialFile
      )
      let child = entity(from: found.next, at: place)
      children.append(child.part)
      delimiter = child.end
    }
    boundaries.removeLast()
    if let found = delimiter, found.level == level { delimiter = nextDelimiter(from: found.next) }
    return (children, delimiter)
  }

  private mutating func message(_ draft: PartDraft) -> (part: Part, end: Delimiter?) {
    guard mayNest(draft.place), count < limits.parts else {
      exceedsLimits = true
      return leaf(draft)
    }
    let place = PartPlace(
      above: draft.place.section(isMultipart: false)?.numbers ?? [],
      number: nil,
      depth: draft.place.depth + 1,
      container: nil
    )
    if draft.encoding != .identity, !isField(at: draft.bodyStart) {
      return encodedMessage(draft, root: place)
    }
    let (root, delimiter) = entity(from: draft.bodyStart, at: place)
    let end = end(draft, delimiter)
    return (draft.part(octets, end: end, kind: .message, children: [root]), delimiter)
  }

  private mutating func mayNest(_ place: PartPlace) -> Bool {
    if place.depth < limits.nesting { return true }
    exceedsLimits = true
    return false
  }
}

// MARK: Lines

extension PartParser {
  /// Where the line that begins there ends, its line end not counted, and where the next begins.
  @inline(__always)
  func line(from start: Int) -> (end: Int, next: Int) {
    let index = OctetScan.index(of: lineEnd, in: octets, from: start, to: octets.count)
    guard index < octets.count else { return (index, index) }
    let hasReturn = index > start && octets[index - 1] == ASCII.carriageReturn
    return (hasReturn ? index - 1 : index, index + 1)
  }

  /// The first delimiter in the lines that begin there; `nil` when there is none.
  func nextDelimiter(from start: Int) -> Delimiter? {
    guard !boundaries.isEmpty else { return nil }
    var index = start
    while index < octets.count {
      if let delimiter = delimiter(at: index, contentStart: start) { return delimiter }
      index = OctetScan.index(of: lineEnd, in: octets, from: index, to: octets.count) + 1
    }
    return nil
  }

  /// The delimiter that the line is; `nil` when it is none.
  @inline(__always)
  func delimiter(at start: Int, contentStart: Int) -> Delimiter? {
    guard start + 1 < octets.count, octets[start] == ASCII.minus, octets[start + 1] == ASCII.minus
    else { return nil }
    return match(start, contentStart)
  }

  private func match(_ start: Int, _ contentStart: Int) -> Delimiter? {
    let (end, next) = line(from: start)
    let text = octets[start + 2..<end]
    for level in boundaries.indices.reversed() where text.starts(with: boundaries[level]) {
      var rest = text.dropFirst(boundaries[level].count)
      let isClose = rest.starts(with: [ASCII.minus, ASCII.minus])
      if isClose { rest = rest.dropFirst(2) }
      guard rest.allSatisfy({ ASCII.isBlank($0) || $0 == ASCII.carriageReturn }) else { continue }
      let contentEnd = endOfContent(before: start, contentStart)
      return Delimiter(level: level, isClose: isClose, contentEnd: contentEnd, next: next)
    }
    return nil
  }

  private func endOfContent(before start: Int, _ contentStart: Int) -> Int {
    guard start > contentStart else { return contentStart }
    let end = start - 1
    let hasReturn =
      end > contentStart && octets[end] == ASCII.lineFeed
      && octets[end - 1] == ASCII.carriageReturn
    return hasReturn ? end - 1 : end
  }

  /// How far a boundary is looked for that no field tells.
  private static let guessLimit = 4096

  /// The boundary of a multipart that does not tell it: the first `--` line with a field behind it.
  private func guessedBoundary(from start: Int) -> [UInt8]? {
    var index = start
    while index < octets.count, index - start < PartParser.guessLimit {
      if delimiter(at: index, contentStart: start) != nil { return nil }
      let (end, next) = line(from: index)
      let isDashed = octets[index..<end].starts(with: [ASCII.minus, ASCII.minus])
      if isDashed, end - index > 3, end - index < 80, isContentField(at: next) {
        return [UInt8](octets[index + 2..<end])
      }
      index = next
    }
    return nil
  }

  private func isContentField(at start: Int) -> Bool {
    octets[start...].startsCaseless(with: "content-") && isField(at: start)
  }
}

/// A line that ends a part: `--` and a boundary (RFC 2046 §5.1.1).
struct Delimiter {
  /// Which of the open multiparts it belongs to, 0 for the outermost.
  let level: Int

  /// Whether it ends the multipart and not only a part of it.
  let isClose: Bool

  /// Where the content before it ends: before the line end that belongs to the delimiter.
  let contentEnd: Int

  /// Where the line behind it begins.
  let next: Int
}
