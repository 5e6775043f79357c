/// Octets that can be read repeatedly, a range at a time.
///
/// They are those of an array, of a file, or of several sources one after the other.
package protocol OctetSource: Sendable {
  /// How many there are.
  var count: Int { get }

  /// Those of a range within `0..<count`, all of them; the indices of the slice mean nothing.
  ///
  /// - Throws: `SourceError` where they can no longer be read.
  func octets(in range: Range<Int>) throws(SourceError) -> ArraySlice<UInt8>
}

/// Octets that can no longer be read.
package struct SourceError: Error, Hashable, Sendable {
  /// What is in the way.
  package enum Problem: Hashable, Sendable {
    /// The system refuses, with this number (errno).
    case system(code: Int32)
    /// There are others than there were before, or fewer.
    case changed
  }

  /// What is in the way.
  package let problem: Problem

  /// The path of their file; nil where it has no name.
  package let path: [UInt8]?

  package init(_ problem: Problem, path: [UInt8]?) {
    self.problem = problem
    self.path = path
  }
}

extension OctetSource {
  /// How many octets are read at once where all are.
  package static var pieceSize: Int { 1 << 16 }

  /// All of them, piece by piece.
  package var pieces: OctetPieces { OctetPieces(self) }

  /// All of them at once; for what is known to be short.
  ///
  /// - Throws: `SourceError` where they can no longer be read.
  package func whole() throws(SourceError) -> [UInt8] {
    [UInt8](try octets(in: 0..<count))
  }

  /// Those of a range as octets of their own.
  package func part(_ range: Range<Int>) -> any OctetSource {
    range == 0..<count ? self : PartOfOctets(self, range)
  }

  /// Whether that octet is one of them.
  ///
  /// - Throws: `SourceError` where they can no longer be read.
  package func has(_ octet: UInt8) throws(SourceError) -> Bool {
    var pieces = pieces
    while let piece = try pieces.next() {
      if OctetScan.firstIndex(of: octet, in: piece) != nil { return true }
    }
    return false
  }

  /// Whether a line begins with these octets; lines end with LF.
  ///
  /// - Throws: `SourceError` where they can no longer be read.
  package func hasLine(startingWith text: [UInt8]) throws(SourceError) -> Bool {
    // What the line that is being read begins with.
    var start: [UInt8] = []
    var pieces = pieces
    while var piece = try pieces.next() {
      while let end = OctetScan.firstIndex(of: ASCII.lineFeed, in: piece) {
        start += piece[..<end].prefix(text.count - start.count)
        if start == text { return true }
        start = []
        piece = piece[(end + 1)...]
      }
      start += piece.prefix(text.count - start.count)
    }
    return start == text
  }

  /// Whether none of them is above 127.
  ///
  /// - Throws: `SourceError` where they can no longer be read.
  package var isASCII: Bool {
    get throws(SourceError) {
      var pieces = pieces
      while let piece = try pieces.next() {
        if !OctetScan.isASCII(piece) { return false }
      }
      return true
    }
  }
}

extension OctetSource {
  /// Whether they are well-formed UTF-8.
  ///
  /// - Throws: `SourceError` where they can no longer be read.
  package var isUTF8: Bool {
    get throws(SourceError) {
      var check = UTF8Check()
      var pieces = pieces
      while let piece = try pieces.next() { check.readOctets(piece) }
      return check.isValid
    }
  }
}

extension Array: OctetSource where Element == UInt8 {
  /// Those of a range; nothing is copied.
  package func octets(in range: Range<Int>) throws(SourceError) -> ArraySlice<UInt8> {
    self[range]
  }
}

/// Octets of an array that is kept for other reasons.
package struct OctetSlice: OctetSource {
  private let octets: ArraySlice<UInt8>

  package init(_ octets: ArraySlice<UInt8>) {
    self.octets = octets
  }

  /// How many there are.
  package var count: Int { octets.count }

  /// Those of a range; nothing is copied.
  package func octets(in range: Range<Int>) throws(SourceError) -> ArraySlice<UInt8> {
    octets.dropFirst(range.lowerBound).prefix(range.count)
  }
}

/// The octets of a source from its beginning to its end, a piece at a time.
package struct OctetPieces: Sendable {
  private let source: any OctetSource
  private var position = 0

  package init(_ source: any OctetSource) {
    self.source = source
  }

  /// Whether nothing is left.
  package var isAtEnd: Bool { position >= source.count }

  /// The next ones, not more than `OctetSource.pieceSize`; nil at the end.
  ///
  /// - Throws: `SourceError` where they can no longer be read.
  package mutating func next() throws(SourceError) -> ArraySlice<UInt8>? {
    guard position < source.count else { return nil }
    let end = min(source.count, position + [UInt8].pieceSize)
    defer { position = end }
    return try source.octets(in: position..<end)
  }
}

/// The lines of a source, without the LF that ends each of them.
package struct OctetLines: Sendable {
  private var pieces: OctetPieces
  private var rest: ArraySlice<UInt8> = []

  package init(_ source: any OctetSource) {
    pieces = source.pieces
  }

  /// The next one, the last also without its end; nil behind that.
  ///
  /// - Throws: `SourceError` where they can no longer be read.
  package mutating func next() throws(SourceError) -> ArraySlice<UInt8>? {
    while true {
      if let end = OctetScan.firstIndex(of: ASCII.lineFeed, in: rest) {
        defer { rest = rest[(end + 1)...] }
        return rest[..<end]
      }
      guard let piece = try pieces.next() else { break }
      rest = rest.isEmpty ? piece : rest + piece
    }
    defer { rest = [] }
    return rest.isEmpty ? nil : rest
  }
}

/// Some of the octets of a source.
private struct PartOfOctets: OctetSource {
  private let source: any OctetSource
  private let range: Range<Int>

  init(_ source: any OctetSource, _ range: Range<Int>) {
    self.source = source
    self.range = range
  }

  var count: Int { range.count }

  func octets(in part: Range<Int>) throws(SourceError) -> ArraySlice<UInt8> {
    let start = range.lowerBound
    return try source.octets(in: start + part.lowerBound..<start + part.upperBound)
  }
}
