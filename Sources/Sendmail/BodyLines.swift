internal import Octets

/// The lines of a body, ended by LF.
enum BodyLines {
  /// The longest line, in octets without its end (RFC 5322 §2.1.1).
  static let limit = 998

  /// The longest line of text that is encoded (RFC 2045 §6).
  static let encodedLimit = 76

  /// The first line, counted from 1, that is too long or has CR or NUL in it; `nil` when all can be sent.
  static func firstUnfit(_ body: some Collection<UInt8>) -> Int? {
    var line = 1
    var length = 0
    for octet in body {
      switch octet {
      case ASCII.lineFeed: (line, length) = (line + 1, 0)
      case ASCII.carriageReturn, ASCII.null: return line
      default: length += 1
      }
      if length > limit { return line }
    }
    return nil
  }

  /// The same digits of base64 in lines of the usual length; what is no digit goes.
  static func rewrapped(base64 body: [UInt8]) -> [UInt8] {
    let digits = body.filter { octet in
      ASCII.isLetter(octet) || ASCII.isDigit(octet) || octet == ASCII.plus || octet == ASCII.slash
        || octet == ASCII.equals
    }
    var lines: [UInt8] = []
    var rest = digits[...]
    while !rest.isEmpty {
      lines += rest.prefix(encodedLimit) + [ASCII.lineFeed]
      rest = rest.dropFirst(encodedLimit)
    }
    // The line end before a boundary is the boundary's.
    return body.suffix(2).elementsEqual([ASCII.lineFeed, ASCII.lineFeed])
      ? lines + [ASCII.lineFeed] : lines
  }
}

/// What a body has to be like.
enum BodyNeed {
  /// No line too long, no CR and no NUL.
  case lines
  /// No octet above 127.
  case sevenBits

  func isUnmet(by octets: some Collection<UInt8>) -> Bool {
    switch self {
    case .lines: BodyLines.firstUnfit(octets) != nil
    case .sevenBits: octets.contains { $0 > 127 }
    }
  }
}

/// A body of several parts, cut at its boundary (RFC 2046 §5.1): put together again the pieces are the body.
struct MultipartPieces {
  /// A part, or what stands between, before or behind parts.
  struct Piece {
    let isPart: Bool
    let octets: ArraySlice<UInt8>
  }

  private(set) var pieces: [Piece] = []

  init(_ body: [UInt8], _ boundary: [UInt8]) {
    let delimiter = [ASCII.minus, ASCII.minus] + boundary
    var rest = body[...]
    var start = rest.startIndex
    var isPart = false
    while !rest.isEmpty {
      let line = rest.prefix { $0 != ASCII.lineFeed }
      let next = min(line.endIndex + 1, body.endIndex)
      if line.starts(with: delimiter) {
        let tail = line.dropFirst(delimiter.count)
        let isEnd = tail.starts(with: [ASCII.minus, ASCII.minus])
        if tail.dropFirst(isEnd ? 2 : 0).allSatisfy(ASCII.isBlank) {
          add(isPart, body[start..<line.startIndex])
          add(false, body[line.startIndex..<next])
          (start, isPart) = (next, !isEnd)
        }
      }
      rest = body[next...]
    }
    add(isPart, body[start...])
  }

  private mutating func add(_ isPart: Bool, _ octets: ArraySlice<UInt8>) {
    if !octets.isEmpty { pieces.append(Piece(isPart: isPart, octets: octets)) }
  }
}
