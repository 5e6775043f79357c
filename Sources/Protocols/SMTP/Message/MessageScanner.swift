package import Octets

/// Reads a message, in any pieces, before anything of it is sent.
///
///     var scanner = MessageScanner()
///     while let piece = … { try scanner.add(piece) }
///     let facts = try scanner.finish()
package struct MessageScanner: Sendable {
  private var walker = LineWalker()
  private var facts = MessageFacts()
  private var lineLength: UInt64 = 0
  private var isInHeader = true
  private var check = UTF8Check()

  /// A scanner before the first octet.
  package init() {}

  /// Reads the next octets; their lines end with LF or CR LF.
  ///
  /// - Throws: `MessageError` when the message cannot be sent; the scanner is of no use then.
  package mutating func add(_ octets: ArraySlice<UInt8>) throws(MessageError) {
    var scanner = self
    try walker.walk(octets) { scanner.visit($0) }
    scanner.walker = walker
    self = scanner
  }

  /// What was found in the message, which is complete now.
  ///
  /// - Throws: `MessageError` when the last line ends with a CR alone.
  package mutating func finish() throws(MessageError) -> MessageFacts {
    var scanner = self
    try walker.finish { scanner.visit($0) }
    scanner.walker = walker
    self = scanner
    return facts
  }

  /// The facts of a message that can be read.
  ///
  /// - Throws: `MessageError` when it cannot be sent.
  package static func scan(_ message: any OctetSource) throws(MessageError) -> MessageFacts {
    var scanner = MessageScanner()
    var pieces = message.pieces
    while let piece = try MessageError.next(of: &pieces) { try scanner.add(piece) }
    return try scanner.finish()
  }

  private mutating func visit(_ piece: LineWalker.Piece) {
    switch piece {
    case .text(let text, _):
      lineLength += UInt64(text.count)
      if isInHeader || !facts.hasEightBits { look(at: text) }
    case .lineEnd: endLine()
    }
  }

  private mutating func look(at text: ArraySlice<UInt8>) {
    if isInHeader { check.readOctets(text) }
    guard !OctetScan.isASCII(text) else { return }
    facts.hasEightBits = true
    if isInHeader { facts.hasEightBitHeader = true }
  }

  private mutating func endLine() {
    facts.lines += 1
    facts.size += lineLength + 2
    facts.longestLine = max(facts.longestLine, lineLength)
    if lineLength > MessageFacts.lineLimit {
      facts.overlongLines += 1
      facts.firstOverlongLine = facts.firstOverlongLine ?? facts.lines
    }
    if isInHeader, !check.isValid { facts.isHeaderUTF8 = false }
    if lineLength == 0 { isInHeader = false }
    lineLength = 0
  }
}

/// Why a message is not sent as it is.
///
/// Lines count from 1.
package enum MessageError: Error, Hashable, Sendable {
  /// A CR that no LF follows; servers do not agree whether that ends a line.
  case bareCarriageReturn(line: UInt64)

  /// A NUL, which no message may contain (RFC 5322 §2.2).
  case null(line: UInt64)

  /// What was given to send is not what was scanned; both in octets.
  ///
  /// The message is not completed: a part of it must not pass for the whole.
  case sizeChanged(scanned: UInt64, given: UInt64)

  /// It can no longer be read.
  case unreadable(SourceError)
}

extension MessageError {
  /// The next octets of a message; nil at its end.
  package static func next(
    of pieces: inout OctetPieces
  ) throws(MessageError) -> ArraySlice<UInt8>? {
    do throws(SourceError) {
      return try pieces.next()
    } catch {
      throw .unreadable(error)
    }
  }
}

/// What must be known about a message before it is sent; only `MessageScanner` finds it out.
package struct MessageFacts: Hashable, Sendable {
  /// The longest line that a message may have, in octets without line end (RFC 5322 §2.1.1).
  package static let lineLimit: UInt64 = 998

  /// The size on the wire in octets, every line ended by CR LF, stuffed dots not counted
  /// (RFC 1870 §3).
  package internal(set) var size: UInt64 = 0

  /// The number of lines.
  package internal(set) var lines: UInt64 = 0

  /// Whether an octet above 127 is anywhere.
  package internal(set) var hasEightBits = false

  /// Whether an octet above 127 is before the first empty line.
  package internal(set) var hasEightBitHeader = false

  /// Whether what is before the first empty line is well-formed UTF-8.
  package internal(set) var isHeaderUTF8 = true

  /// Whether the header is one that only SMTPUTF8 may carry (RFC 6532 §3): other octets than UTF-8 it must not carry either.
  package var needsSMTPUTF8: Bool { hasEightBitHeader && isHeaderUTF8 }

  /// The number of lines that are longer than `lineLimit`.
  package internal(set) var overlongLines: UInt64 = 0

  /// The first of them, counted from 1; `nil` when there is none.
  package internal(set) var firstOverlongLine: UInt64?

  /// The length of the longest line, in octets without line end.
  package internal(set) var longestLine: UInt64 = 0
}
