internal import Octets

/// A body of several parts, cut at its boundary (RFC 2046 §5.1): put together again the pieces are the body.
struct MultipartPieces {
  /// A part, or what stands between, before or behind parts.
  struct Piece {
    let isPart: Bool
    let octets: any OctetSource
  }

  private(set) var pieces: [Piece] = []

  private let body: any OctetSource
  private let delimiter: [UInt8]

  /// Where the piece begins that is being read, and the line.
  private var (start, lineStart) = (0, 0)
  private var isPart = false

  /// The line as far as it was read; nil once it cannot be a delimiter.
  private var line: [UInt8]? = []

  /// Reads the body once.
  init(_ body: any OctetSource, _ boundary: [UInt8]) throws(SourceError) {
    self.body = body
    delimiter = [ASCII.minus, ASCII.minus] + boundary
    var position = 0
    var pieces = body.pieces
    while var piece = try pieces.next() {
      while let end = OctetScan.firstIndex(of: ASCII.lineFeed, in: piece) {
        readOctets(piece[..<end])
        position += end + 1 - piece.startIndex
        endLine(at: position)
        piece = piece[(end + 1)...]
      }
      readOctets(piece)
      position += piece.count
    }
    endLine(at: body.count)
    add(start..<body.count)
  }

  private mutating func readOctets(_ octets: ArraySlice<UInt8>) {
    guard let begun = line else { return }
    let start = begun + octets.prefix(max(0, delimiter.count - begun.count))
    line = delimiter.starts(with: start.prefix(delimiter.count)) ? begun + octets : nil
  }

  private mutating func endLine(at end: Int) {
    if let line, line.starts(with: delimiter) {
      let tail = line.dropFirst(delimiter.count)
      let isEnd = tail.starts(with: [ASCII.minus, ASCII.minus])
      if tail.dropFirst(isEnd ? 2 : 0).allSatisfy(ASCII.isBlank) {
        add(start..<lineStart)
        isPart = false
        add(lineStart..<end)
        (start, isPart) = (end, !isEnd)
      }
    }
    (line, lineStart) = ([], end)
  }

  private mutating func add(_ range: Range<Int>) {
    if !range.isEmpty { pieces.append(Piece(isPart: isPart, octets: body.part(range))) }
  }
}
