internal import Octets

// The lines of a message, and what stands between two messages.
extension MboxReader {
  /// What the line at an index is.
  enum Candidate {
    case text
    /// It has the form of a separator, and is text.
    case lookalike
    /// It is a separator; the index is that behind its line end.
    case separator(MboxSeparator, end: Int)
    /// More octets are needed.
    case unknown
  }

  /// What the beginning of a line asks for.
  private enum Action {
    case pass
    /// It is an empty line of that length.
    case empty(Int)
    /// So many octets of it are left out.
    case drop(Int)
    case separator(MboxSeparator, end: Int)
    case wait
  }

  /// Reads lines up to the end of the header, of the message, or of what is there; false where more octets are needed.
  mutating func readLines(inHeader: Bool) -> Bool {
    if isInLine, !finishLine(inHeader) { return false }
    var run = position
    var line = position
    var empty: Int?
    while line < buffer.count {
      let isTop = inHeader && header.isEmpty && line == run
      switch action(at: line, behindEmpty: empty != nil, isTop) {
      case .wait:
        give(run..<(empty ?? line), inHeader)
        position = empty ?? line
        return false
      case .empty where inHeader:
        give(run..<line, true)
        position = line
        endHeader()
        return true
      case .empty(let length):
        empty = line
        line += length
        continue
      case .separator(let separator, let end):
        give(run..<(empty ?? line), inHeader)
        if inHeader {
          position = line
          beginBody()
        }
        events.append(.end)
        begin(separator, at: line)
        position = end
        return true
      case .drop(let count):
        give(run..<line, inHeader)
        line += count
        run = line
        // What is left of a quoted line is text.
        if isTop { continue }
      case .pass: break
      }
      empty = nil
      let end = OctetScan.index(of: ASCII.lineFeed, in: buffer, from: line, to: buffer.count)
      guard end < buffer.count else {
        give(run..<buffer.count, inHeader)
        position = buffer.count
        isInLine = true
        return false
      }
      line = end + 1
    }
    // The empty line before the end of the source belongs to the mbox.
    let isLast = isEnded && !isSingle
    give(run..<(isEnded && !isLast ? line : empty ?? line), inHeader)
    position = isEnded ? buffer.count : empty ?? line
    return false
  }

  /// Gives out the rest of a line; false where it goes on behind the buffer.
  private mutating func finishLine(_ inHeader: Bool) -> Bool {
    let end = OctetScan.index(of: ASCII.lineFeed, in: buffer, from: position, to: buffer.count)
    isInLine = end == buffer.count
    let next = min(end + 1, buffer.count)
    give(position..<next, inHeader)
    position = next
    return !isInLine
  }

  private mutating func give(_ range: Range<Int>, _ inHeader: Bool) {
    guard !range.isEmpty else { return }
    if !inHeader { return events.append(.body(buffer[range])) }
    // What is too long is not held; that it was is seen by its length.
    let room = Self.headerLimit + 1 - header.count
    header += buffer[range].prefix(max(0, room))
  }

  private mutating func action(
    at line: Int,
    behindEmpty: Bool,
    _ isTop: Bool
  ) -> Action {
    switch buffer[line] {
    case ASCII.lineFeed: return .empty(1)
    case ASCII.carriageReturn:
      guard line + 1 < buffer.count else { return isEnded ? .pass : .wait }
      return buffer[line + 1] == ASCII.lineFeed ? .empty(2) : .pass
    case UInt8(ascii: "F"):
      if isSingle { return isTop ? topLine(at: line, line) : .pass }
      return separatorAction(at: line, behindEmpty)
    case ASCII.greaterThan: return quotedAction(at: line, isTop)
    default: return .pass
    }
  }

  private mutating func separatorAction(at line: Int, _ behindEmpty: Bool) -> Action {
    if let lengthEnd, trustsLength, base + line < lengthEnd {
      guard kind == .auto else { return .pass }
      // It is counted: the length may be one that the sender wrote.
      switch candidate(at: line, isMarked: behindEmpty) {
      case .unknown: return .wait
      case .separator, .lookalike: lookalikes += 1
      case .text: break
      }
      return .pass
    }
    switch candidate(at: line, isMarked: behindEmpty || isLengthEnd(at: line)) {
    case .unknown: return .wait
    case .separator(let separator, let end): return .separator(separator, end: end)
    case .lookalike:
      lookalikes += 1
      return .pass
    case .text: return .pass
    }
  }

  private func isLengthEnd(at line: Int) -> Bool {
    guard let lengthEnd else { return false }
    return base + line == lengthEnd
  }

  /// More `>` than that are text.
  private static let quoteLimit = 64 << 10

  /// What is done with a line that begins with `>`.
  private func quotedAction(at line: Int, _ isTop: Bool) -> Action {
    if isSingle, !isTop { return .pass }
    var index = line
    while index < buffer.count, buffer[index] == ASCII.greaterThan, index - line < Self.quoteLimit {
      index += 1
    }
    let rest = buffer[index...].prefix(Self.start.count)
    guard rest.elementsEqual(Self.start) else {
      let mayBe = index == buffer.count || Self.start.starts(with: rest)
      return mayBe && rest.count < Self.start.count && !isEnded ? .wait : .pass
    }
    if isTop { return topLine(at: line, index) }
    guard unquotes, kind != .o || index - line == 1 else { return .pass }
    return .drop(1)
  }

  /// A line before the first field, which is left out whole.
  private func topLine(at line: Int, _ text: Int) -> Action {
    let rest = buffer[text...].prefix(Self.start.count)
    guard rest.elementsEqual(Self.start) else {
      return rest.count < Self.start.count && !isEnded ? .wait : .pass
    }
    guard let end = wholeLine(at: line)?.end else { return .wait }
    return .drop(end - line)
  }

  // MARK: Separators

  /// Judges a line that begins with `F`; it is `isMarked` where what is before it says that a message ends.
  func candidate(at line: Int, isMarked: Bool) -> Candidate {
    let rest = buffer[line...].prefix(Self.start.count)
    guard rest.elementsEqual(Self.start) else {
      let mayBe = rest.count < Self.start.count && Self.start.starts(with: rest)
      return mayBe && !isEnded ? .unknown : .text
    }
    guard let (text, end) = wholeLine(at: line) else { return .unknown }
    guard let text, let separator = MboxSeparator(text), !separator.isBare || isFirstBare else {
      // A line of another form may be meant as one all the same.
      guard isMarked else { return .text }
      return hasKnownFields(at: end).map { $0 ? .lookalike : .text } ?? .unknown
    }
    switch beginsHeader(at: end) {
    case nil: return .unknown
    case false?: return .lookalike
    case true?: break
    }
    if isMarked { return .separator(separator, end: end) }
    switch hasKnownFields(at: end) {
    case nil: return .unknown
    case false?: return .lookalike
    case true?: return .separator(separator, end: end)
    }
  }

  /// The line at an index without its line end, and where the next one begins; nil where more octets are needed.
  ///
  /// The text is nil for a line that is too long to be a separator or a field.
  func wholeLine(at line: Int) -> (text: ArraySlice<UInt8>?, end: Int)? {
    let limit = min(buffer.count, line + MboxSeparator.lengthLimit)
    let end = OctetScan.index(of: ASCII.lineFeed, in: buffer, from: line, to: limit)
    if end == limit {
      if limit < buffer.count {
        let end = OctetScan.index(of: ASCII.lineFeed, in: buffer, from: line, to: buffer.count)
        return (nil, min(end + 1, buffer.count))
      }
      return isEnded ? (buffer[line..<end], end) : nil
    }
    let hasReturn = end > line && buffer[end - 1] == ASCII.carriageReturn
    return (buffer[line..<(hasReturn ? end - 1 : end)], end + 1)
  }

  /// Whether a field, a line `>From ` or the end is there; nil where more octets are needed.
  private func beginsHeader(at index: Int) -> Bool? {
    if index == buffer.count { return isEnded ? true : nil }
    if buffer[index] == ASCII.greaterThan {
      let quoted = [ASCII.greaterThan] + Self.start
      let rest = buffer[index...].prefix(quoted.count)
      if rest.elementsEqual(quoted) { return true }
      return rest.count < quoted.count && quoted.starts(with: rest) && !isEnded ? nil : false
    }
    switch HeaderLines.nameEnd(buffer[index...]) {
    case .at: return true
    case .none: return false
    case .unknown: return isEnded ? false : nil
    }
  }

  /// Whether the fields there are such that a message begins though no empty line came before it; nil where more octets are
  /// needed.
  private func hasKnownFields(at start: Int) -> Bool? {
    var index = start
    var count = 0
    while index - start < Self.window {
      if index == buffer.count { return isEnded ? false : nil }
      guard let (text, end) = wholeLine(at: index) else { return nil }
      defer { index = end }
      guard let text, let first = text.first else { return false }
      if ASCII.isBlank(first) { continue }
      if text.starts(with: [ASCII.greaterThan] + Self.start) { continue }
      guard case .at(let nameEnd) = HeaderLines.nameEnd(text) else { return false }
      let name = text[..<nameEnd]
      if name.equalsCaseless("X-Mozilla-Status") { return true }
      if Self.knownFields.contains(where: { name.equalsCaseless($0) }) { count += 1 }
      if count == 2 { return true }
    }
    return false
  }

  private static let knownFields: [StaticString] = [
    "Return-Path", "Received", "Delivered-To", "X-GM-THRID", "Message-ID", "Date", "From",
  ]
}

/// What kind of source some octets begin.
package enum SourceKind: Hashable, Sendable {
  case mbox
  /// One message.
  case message
  /// Nothing at all.
  case empty
  /// No mail.
  case other

  /// Octets that are enough to tell.
  package static let startLength = 8 << 10

  /// What the first octets of a file tell.
  package init(start: [UInt8]) {
    guard !start.isEmpty else {
      self = .empty
      return
    }
    var rest = start[...]
    if rest.starts(with: MboxReader.byteOrderMark) { rest = rest.dropFirst(3) }
    let lines = rest.drop { $0 == ASCII.lineFeed || $0 == ASCII.carriageReturn }
    let first = lines.prefix { $0 != ASCII.lineFeed && $0 != ASCII.carriageReturn }
    if MboxSeparator(first) != nil {
      self = .mbox
      return
    }
    // A separator of another form on top of a single message.
    let isSingle = first.starts(with: MboxReader.start) || first.starts(with: Self.quoted)
    if isSingle { rest = rest.dropFirst(first.count).drop { $0 <= ASCII.space } }
    self = Self.isHeader(rest) ? .message : .other
  }

  /// Whether lines are fields up to the empty one, and one of them is a field of mail: other files have lines with colons too.
  private static func isHeader(_ octets: ArraySlice<UInt8>) -> Bool {
    let text = [UInt8](octets)
    let isWhole = text.count < startLength
    var hasKnown = false
    for field in HeaderLines(text).fields {
      if field.raw.first == ASCII.lineFeed || field.raw.starts(with: [13, 10]) { break }
      if field.name.isEmpty { return !isWhole && field.raw.endIndex == text.count && hasKnown }
      if mailFields.contains(where: { field.name.equalsCaseless($0) }) { hasKnown = true }
    }
    return hasKnown
  }

  private static let mailFields: [StaticString] = [
    "From", "To", "Cc", "Bcc", "Date", "Subject", "Message-ID", "Received", "Return-Path",
    "Delivered-To", "MIME-Version", "Content-Type", "Reply-To", "Sender", "In-Reply-To",
    "References", "X-Mozilla-Status", "Status", "X-Gmail-Labels",
  ]

  private static let quoted = [UInt8](ascii: ">From ")
}
