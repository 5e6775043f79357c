internal import Octets

/// The lines of a body, ended by LF.
enum BodyLines {
  /// The longest line, in octets without its end (RFC 5322 §2.1.1).
  static let limit = 998

  /// The first line, counted from 1, that is too long or has CR or NUL in it; `nil` when all can be sent.
  static func firstUnfit(_ body: any OctetSource) throws(SourceError) -> Int? {
    var check = LineCheck()
    var pieces = body.pieces
    while let piece = try pieces.next() {
      if !check.passes(piece) { return check.line }
    }
    return nil
  }
}

/// Looks for lines that cannot be sent, in text that comes piece by piece.
private struct LineCheck {
  /// The number of the line that is being read, from 1.
  private(set) var line = 1
  private var length = 0

  /// Takes the next octets; false where the line that is being read then cannot be sent.
  mutating func passes(_ octets: ArraySlice<UInt8>) -> Bool {
    var rest = octets
    while let end = OctetScan.firstIndex(of: ASCII.lineFeed, in: rest) {
      guard addText(rest[..<end]) else { return false }
      (line, length) = (line + 1, 0)
      rest = rest[(end + 1)...]
    }
    return addText(rest)
  }

  private mutating func addText(_ text: ArraySlice<UInt8>) -> Bool {
    length += text.count
    return length <= BodyLines.limit
      && OctetScan.firstIndex(of: ASCII.carriageReturn, in: text) == nil
      && OctetScan.firstIndex(of: ASCII.null, in: text) == nil
  }
}

/// What a body has to be like.
enum BodyNeed {
  /// No line too long, no CR and no NUL.
  case lines
  /// No octet above 127.
  case sevenBits

  func isUnmet(by octets: any OctetSource) throws(LetterError) -> Bool {
    try LetterError.reading { () throws(SourceError) in
      switch self {
      case .lines: try BodyLines.firstUnfit(octets) != nil
      case .sevenBits: try !octets.isASCII
      }
    }
  }
}
