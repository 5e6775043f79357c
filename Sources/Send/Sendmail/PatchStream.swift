internal import Octets

/// Messages one after the other in one stream, as `git format-patch --stdout` writes them.
///
/// Each has a line of git's own above its header, with a date that is always the same. Only where the stream begins with such a
/// line does one within it begin another message: a text may quote anything.
enum PatchStream {
  /// The line behind the name of the commit.
  private static let date = [UInt8](ascii: " Mon Sep 17 00:00:00 2001")
  private static let word = [UInt8](ascii: "From ")

  /// How long names of commits are: SHA-1 or SHA-256 in hexadecimal digits.
  private static let lengths = [40, 64]

  /// Whether a line, without its end, is one above a message.
  static func isBeginning(_ line: ArraySlice<UInt8>) -> Bool {
    guard line.starts(with: word), line.suffix(date.count).elementsEqual(date) else { return false }
    let name = line.dropFirst(word.count).dropLast(date.count)
    return lengths.contains(name.count) && name.allSatisfy { Hex.nibble($0) != nil }
  }

  /// The number of the first line, from 1, that begins another message; `nil` where there is none.
  static func secondMessage(in body: any OctetSource) throws(SourceError) -> Int? {
    var scan = Scan()
    var pieces = body.pieces
    while let piece = try pieces.next() {
      scan.readOctets(piece)
      if let found = scan.found { return found }
    }
    return nil
  }

  private struct Scan {
    private(set) var found: Int?
    private var number = 1
    /// As much of the line as is of interest.
    private var line: [UInt8] = []
    private var follows = false

    mutating func readOctets(_ piece: ArraySlice<UInt8>) {
      var rest = piece
      while found == nil, let end = OctetScan.firstIndex(of: ASCII.lineFeed, in: rest) {
        keep(rest[..<end])
        if follows, LetterReader.nameLength(line[...]) != nil { found = number - 1 }
        follows = PatchStream.isBeginning(line[...])
        (line, number) = ([], number + 1)
        rest = rest[(end + 1)...]
      }
      keep(rest)
    }

    private mutating func keep(_ octets: ArraySlice<UInt8>) {
      line += octets.prefix(max(0, 128 - line.count))
    }
  }
}
