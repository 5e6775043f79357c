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
    guard text.contains(where: { $0 > 127 }) else { return }
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
