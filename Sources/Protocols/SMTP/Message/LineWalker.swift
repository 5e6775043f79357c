internal import Octets

/// Cuts a message, given in any pieces, into the text and the ends of its lines.
///
/// A line ends with LF or CR LF. Text has none of CR, LF and NUL: put
/// between CR LFs it makes lines that every receiver sees alike.
struct LineWalker: Sendable {
  enum Piece {
    /// A part of a line, never empty; whether it is the first one.
    case text(ArraySlice<UInt8>, isStart: Bool)
    case lineEnd
  }

  /// The number of the line that is being read, from 1.
  private(set) var line: UInt64 = 1

  /// Whether the octet before the next one was a CR.
  private var hasCarriageReturn = false

  /// Whether the line that is being read has text.
  private var hasText = false

  mutating func walk(
    _ octets: ArraySlice<UInt8>,
    _ visit: (Piece) -> Void
  ) throws(MessageError) {
    var rest = octets
    while let octet = rest.first {
      if octet == ASCII.lineFeed {
        rest.removeFirst()
        endLine(visit)
      } else if hasCarriageReturn {
        throw .bareCarriageReturn(line: line)
      } else if octet == ASCII.carriageReturn {
        rest.removeFirst()
        hasCarriageReturn = true
      } else if octet == ASCII.null {
        throw .null(line: line)
      } else {
        visit(.text(takeText(&rest), isStart: !hasText))
        hasText = true
      }
    }
  }

  /// Ends the last line if the message did not.
  mutating func finish(_ visit: (Piece) -> Void) throws(MessageError) {
    guard !hasCarriageReturn else { throw .bareCarriageReturn(line: line) }
    if hasText { endLine(visit) }
  }

  private mutating func endLine(_ visit: (Piece) -> Void) {
    visit(.lineEnd)
    hasCarriageReturn = false
    hasText = false
    line += 1
  }

  private func takeText(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var text = rest
    for octet in [ASCII.lineFeed, ASCII.carriageReturn, ASCII.null] {
      if let end = OctetScan.firstIndex(of: octet, in: text) { text = text[..<end] }
    }
    rest = rest[text.endIndex...]
    return text
  }
}
