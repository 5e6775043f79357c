internal import Octets

/// Reads the header of a message whose lines end with LF.
struct LetterReader {
  /// The longest line, in octets without its end (RFC 5322 §2.1.1).
  static let lineLimit = 998

  private let octets: [UInt8]
  private(set) var fields: [LetterField] = []

  /// Where the body begins, and how many lines are before it.
  private(set) var bodyStart = 0
  private(set) var lines = 0

  init(_ octets: [UInt8]) {
    self.octets = octets
  }

  mutating func read() throws(LetterError) {
    if octets.starts(with: "From ".utf8) { skipLine() }
    while bodyStart < octets.count {
      let line = octets[bodyStart..<end]
      guard !line.isEmpty else { return skipLine() }
      guard let length = nameLength(line) else { return }
      try takeField(nameLength: length)
    }
  }

  /// The end of the line that begins at `bodyStart`, without its LF.
  private var end: Int {
    octets[bodyStart...].firstIndex(of: ASCII.lineFeed) ?? octets.count
  }

  private mutating func skipLine() {
    bodyStart = min(end + 1, octets.count)
    lines += 1
  }

  private mutating func takeField(nameLength: Int) throws(LetterError) {
    let start = bodyStart
    repeat {
      try check(octets[bodyStart..<end])
      skipLine()
    } while bodyStart < octets.count && ASCII.isBlank(octets[bodyStart]) && isText
    var field = [UInt8](octets[start..<bodyStart])
    if field.last != ASCII.lineFeed { field.append(ASCII.lineFeed) }
    fields.append(LetterField(field, nameLength: nameLength))
  }

  /// Whether the line has something but blanks: one without ends the header for some readers.
  private var isText: Bool {
    octets[bodyStart..<end].contains { !ASCII.isBlank($0) }
  }

  private func check(_ line: ArraySlice<UInt8>) throws(LetterError) {
    let forbidden = line.first { $0 == ASCII.null || $0 == ASCII.carriageReturn }
    if let forbidden { throw .forbiddenOctet(forbidden, line: lines + 1) }
    guard line.count <= Self.lineLimit else { throw .longHeaderLine(lines + 1) }
  }

  /// The length of the name of the field that the line begins; `nil` when it begins none.
  private func nameLength(_ line: ArraySlice<UInt8>) -> Int? {
    let name = line.prefix { (0x21...0x7E).contains($0) && $0 != ASCII.colon }
    guard !name.isEmpty, line.dropFirst(name.count).drop(while: ASCII.isBlank).first == ASCII.colon
    else { return nil }
    return name.count
  }
}
