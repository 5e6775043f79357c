internal import Octets

/// Reads the header of a message whose lines end with LF.
struct LetterReader {
  private let octets: [UInt8]
  private(set) var fields: [LetterField] = []

  /// Where the body begins, and how many lines are before it.
  private(set) var bodyStart = 0
  private(set) var lines = 0

  /// Whether the line above the header is that of a patch.
  private(set) var isOfPatches = false

  /// Whether a line was found that belongs to no header.
  private var hasEnd = false

  private init(_ octets: [UInt8]) {
    self.octets = octets
  }

  /// How much of a message is read first; more of it where its header does not end there.
  private static let usualSize = 1 << 16

  /// What was read of a message.
  static func header(of message: any OctetSource) throws(LetterError) -> LetterReader {
    var size = usualSize
    while true {
      let isWhole = size >= message.count
      let start = try LetterError.reading { () throws(SourceError) in
        try message.octets(in: 0..<min(size, message.count))
      }
      // A line that is cut off is ignored.
      let lines = start.lastIndex(of: ASCII.lineFeed).map { start[...$0] } ?? []
      var reader = LetterReader([UInt8](isWhole ? start : lines))
      try reader.read()
      if isWhole || reader.hasEnd { return reader }
      size *= 4
    }
  }

  private mutating func read() throws(LetterError) {
    skipFolderLines()
    while bodyStart < octets.count {
      let line = octets[bodyStart..<end]
      hasEnd = true
      guard !line.isEmpty else { return skipLine() }
      guard let length = Self.nameLength(line) else { return }
      hasEnd = false
      try takeField(nameLength: length)
    }
  }

  /// A text may begin with such words, too: it is kept where no field is behind them.
  private mutating func skipFolderLines() {
    let start = (bodyStart, lines)
    isOfPatches = PatchStream.isBeginning(octets[bodyStart..<end])
    while isAtFolderLine { skipLine() }
    if Self.nameLength(octets[bodyStart..<end]) == nil { (bodyStart, lines) = start }
  }

  /// Whether the next line is one that mail folders have on top of a message, or had once (`>From `).
  private var isAtFolderLine: Bool {
    octets[bodyStart...].drop { $0 == ASCII.greaterThan }.starts(with: "From ".utf8)
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
    var field: [UInt8] = []
    repeat {
      let line = octets[bodyStart..<end]
      try check(line)
      // A line of blanks is a fold that ends the header for some readers: what follows would be text for them.
      if line.contains(where: { !ASCII.isBlank($0) }) {
        field += line + [ASCII.lineFeed]
      }
      skipLine()
    } while bodyStart < octets.count && ASCII.isBlank(octets[bodyStart])
    fields.append(LetterField(field, nameLength: nameLength))
  }

  private func check(_ line: ArraySlice<UInt8>) throws(LetterError) {
    let forbidden = line.first { $0 == ASCII.null || $0 == ASCII.carriageReturn }
    if let forbidden { throw .forbiddenOctet(forbidden, line: lines + 1) }
  }

  /// The length of the name of the field that the line begins; `nil` when it begins none.
  static func nameLength(_ line: ArraySlice<UInt8>) -> Int? {
    let name = line.prefix { (0x21...0x7E).contains($0) && $0 != ASCII.colon }
    guard !name.isEmpty, line.dropFirst(name.count).drop(while: ASCII.isBlank).first == ASCII.colon
    else { return nil }
    return name.count
  }
}
