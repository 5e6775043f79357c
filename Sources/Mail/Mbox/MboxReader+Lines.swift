internal import Octets

// The lines of a message, and what stands between two messages.
extension MboxReader {
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
}
