package import Octets

/// Lines that others wrote, made fit for a terminal as they come piece by piece: control characters are shown, not sent.
struct ShownLines {
  /// The line that has no end yet.
  private var rest: [UInt8] = []

  /// Takes a piece, and gives the lines that are whole with it.
  mutating func add(_ piece: some Sequence<UInt8>) -> [UInt8] {
    let start = rest.count
    rest += piece
    guard let end = rest[start...].lastIndex(of: ASCII.lineFeed) else { return [] }
    defer { rest.removeSubrange(...end) }
    return Self.shown(rest[..<end])
  }

  /// The last line, where it has no end.
  mutating func finish() -> [UInt8] {
    defer { rest = [] }
    return rest.isEmpty ? [] : Self.shown(rest[...])
  }

  private static func shown(_ lines: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    for line in lines.split(separator: ASCII.lineFeed, omittingEmptySubsequences: false) {
      Printable.append(line.last == ASCII.carriageReturn ? line.dropLast() : line, to: &result)
      result.append(ASCII.lineFeed)
    }
    return result
  }
}

extension Console {
  /// Puts out octets that others wrote: as they are, but on a terminal without anything that it would obey.
  package func print(content octets: [UInt8]) {
    guard isOutputTerminal else { return print(octets: octets) }
    var lines = ShownLines()
    print(octets: lines.add(octets) + lines.finish())
  }

  /// The same of all octets of a source, piece by piece.
  ///
  /// - Throws: `SourceError` where they cannot be read; some were printed then.
  package func print(content octets: any OctetSource) throws(SourceError) {
    var pieces = octets.pieces
    var lines = ShownLines()
    while let piece = try pieces.next() {
      print(octets: isOutputTerminal ? lines.add(piece) : [UInt8](piece))
    }
    print(octets: lines.finish())
  }
}
