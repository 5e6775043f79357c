internal import Octets

// Which lines are separators.
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
