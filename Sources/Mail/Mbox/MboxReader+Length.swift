internal import Octets

// What Content-Length tells of the end of a message.
extension MboxReader {
  /// The greatest body, in octets, of which it is known whether its Content-Length fits before any of it is given out.
  static let lengthLimit = 1 << 20

  var contentLength: Int? {
    guard !isSingle, kind != .rd, kind != .o, kind != .none else { return nil }
    let value = HeaderLines(header).value("Content-Length") ?? []
    let digits = value.filter { $0 > ASCII.space }
    guard (1...12).contains(digits.count), digits.allSatisfy(ASCII.isDigit) else { return nil }
    return digits.reduce(0) { $0 * 10 + Int($1 - ASCII.zero) }
  }

  /// Looks whether the body ends where its Content-Length says.
  mutating func measure(_ length: Int) -> Bool {
    let start = position + emptyLine(at: position)
    let end = start + length
    guard isEnded || buffer.count >= end + Self.window else { return false }
    let isRight = isEnd(at: end)
    if isRight {
      lengthEnd = base + end
      trustsLength = kind == .auto ? haveLengths && hasLength(behind: end) : true
      if kind == .auto, hasUnquotedLine(in: start..<end) { unquotes = false }
    }
    haveLengths = haveLengths && isRight
    beginBody()
    return true
  }

  /// Whether the message that begins behind the end of one has a Content-Length too, as all have in an mboxcl2; so does the end.
  private func hasLength(behind end: Int) -> Bool {
    var index = end
    while emptyLine(at: index) > 0 { index += emptyLine(at: index) }
    guard index < buffer.count else { return true }
    guard let separator = wholeLine(at: index) else { return false }
    index = separator.end
    while let line = wholeLine(at: index), let text = line.text, !text.isEmpty {
      if case .at(let nameEnd) = HeaderLines.nameEnd(text),
        text[..<nameEnd].equalsCaseless("Content-Length")
      {
        return true
      }
      index = line.end
    }
    return false
  }

  /// Whether a message may end there: the source does, or a separator follows.
  private func isEnd(at end: Int) -> Bool {
    guard end <= buffer.count else { return false }
    var index = end
    while index < buffer.count, emptyLine(at: index) > 0, index - end < 4 {
      index += emptyLine(at: index)
    }
    if index == buffer.count { return isEnded }
    guard end == 0 || index > end || buffer[end - 1] == ASCII.lineFeed else { return false }
    if case .separator = candidate(at: index, isMarked: true) { return true }
    return false
  }

  /// Whether a line `From ` stands behind an empty one, as in an mbox in which none is quoted.
  private func hasUnquotedLine(in range: Range<Int>) -> Bool {
    var index = range.lowerBound
    var isBehindEmpty = true
    while index < range.upperBound {
      if isBehindEmpty, Self.start.count <= range.upperBound - index,
        buffer[index..<(index + Self.start.count)].elementsEqual(Self.start)
      {
        return true
      }
      isBehindEmpty = emptyLine(at: index) > 0
      index =
        OctetScan.index(of: ASCII.lineFeed, in: buffer, from: index, to: range.upperBound) + 1
    }
    return false
  }
}
