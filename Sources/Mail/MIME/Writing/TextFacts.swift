internal import Octets

/// What has to be known of a text before it is written into a message.
struct TextFacts {
  /// The longest line that any server takes, in octets without its end (RFC 5322 §2.1.1).
  private static let lineLimit = 998

  /// Whether no octet is above 127.
  private(set) var isASCII = true
  /// Whether it is well-formed UTF-8.
  var isUTF8: Bool { characters.isValid }
  /// Whether no line is too long, and no CR or NUL is in it.
  private(set) var fits = true
  /// Whether there is a line that a mailbox file would take for a new message.
  private(set) var hasFromLine = false
  /// Whether there is a line that ends with a blank.
  private(set) var hasBlankEnd = false

  /// What the line that is being read begins with, how long it is, and its last octet.
  private var start: [UInt8] = []
  private var length = 0
  private var last: UInt8 = 0

  private var characters = UTF8Check()

  /// Reads a text once; its lines end with LF.
  ///
  /// - Throws: `SourceError` where it cannot be read.
  init(_ text: any OctetSource) throws(SourceError) {
    var pieces = text.pieces
    while let piece = try pieces.next() {
      takeLines(piece)
      if !isASCII { characters.readOctets(piece) }
    }
    endLine()
  }

  /// Whether it can go as it is.
  var isPlain: Bool { isASCII && fits && !hasFromLine }

  private mutating func takeLines(_ piece: ArraySlice<UInt8>) {
    var line = piece
    while let end = OctetScan.firstIndex(of: ASCII.lineFeed, in: line) {
      readOctets(line[..<end])
      endLine()
      line = line[(end + 1)...]
    }
    readOctets(line)
  }

  private mutating func readOctets(_ octets: ArraySlice<UInt8>) {
    guard let end = octets.last else { return }
    if start.count < Self.mark.count { start += octets.prefix(Self.mark.count - start.count) }
    length += octets.count
    last = end
    isASCII = isASCII && OctetScan.isASCII(octets)
    fits =
      fits && OctetScan.firstIndex(of: ASCII.null, in: octets) == nil
      && OctetScan.firstIndex(of: ASCII.carriageReturn, in: octets) == nil
  }

  private static let mark = [UInt8](ascii: "From ")

  private mutating func endLine() {
    guard length > 0 else { return }
    fits = fits && length <= Self.lineLimit
    hasFromLine = hasFromLine || start == Self.mark
    hasBlankEnd = hasBlankEnd || ASCII.isBlank(last)
    (start, length) = ([], 0)
  }
}
