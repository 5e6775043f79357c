internal import Octets

/// Makes a state of a map as it is read, piece by piece.
///
/// Nothing of it counts before `finish`: only then is it known whether the checksum is right.
struct MapReader {
  /// Nearly all lines are longer; room that is not used costs no memory.
  private static let leastLineLength = 128

  private let isHeaderOnly: Bool
  private let octetCount: Int
  private var checksum = CRC32C()
  /// What was not looked at so far: the beginning of a line, or what may be the seal.
  private var rest: [UInt8] = []
  /// Whole lines so far.
  private var lineCount = 0
  private var titleProblem: StateError.Problem?
  private var headerLines: [[UInt8]] = []
  private var state: MailboxState?
  private var keywords = KeywordTexts()
  /// The first thing that is wrong with a line, if the octets are as they were written.
  private var failure: StateError?

  /// A reader of a map of about so many octets; of one of which only the header is wanted it still sees all, since the
  /// checksum is that of the whole.
  init(octetCount: Int, isHeaderOnly: Bool = false) {
    self.octetCount = octetCount
    self.isHeaderOnly = isHeaderOnly
  }

  /// Reads the next octets.
  mutating func readOctets(_ octets: UnsafeRawBufferPointer) {
    var pending: [UInt8] = []
    swap(&pending, &rest)
    pending.append(contentsOf: octets)
    let done = pending.withUnsafeBytes { takeLines($0) }
    pending.removeFirst(done)
    swap(&pending, &rest)
  }

  /// The state that the octets are.
  ///
  /// - Throws: `StateError` when the file is not whole or not a map.
  mutating func finish() throws(StateError) -> MailboxState {
    if lineCount == 0 {
      titleProblem = MapFile.title.problem(of: rest.prefix { $0 != ASCII.lineFeed })
    }
    if let titleProblem, titleProblem != .newerVersion {
      throw StateError(line: 1, problem: titleProblem)
    }
    guard lineCount > 0, let body = TextFile.body(of: rest) else {
      throw StateError(problem: .truncated)
    }
    checksum.update(body)
    guard rest[body.endIndex...].elementsEqual(TextFile.seal(checksum)) else {
      throw StateError(problem: .checksum)
    }
    if let titleProblem { throw StateError(line: 1, problem: titleProblem) }
    if let failure { throw failure }
    guard body.isEmpty, let state else {
      throw StateError(line: lineCount + 1, problem: .badRecord)
    }
    return state
  }

  // MARK: Lines

  /// Takes all whole lines that cannot be the seal; gives where the last of them ends.
  private mutating func takeLines(_ octets: UnsafeRawBufferPointer) -> Int {
    let limit = octets.count - TextFile.sealLength
    var start = 0
    while start < limit {
      let end = OctetScan.index(of: ASCII.lineFeed, in: octets, from: start, to: limit)
      guard end < limit else { break }
      takeLine(octets, start..<end)
      lineCount += 1
      start = end + 1
    }
    if start > 0 { checksum.update(UnsafeRawBufferPointer(rebasing: octets[..<start])) }
    return start
  }

  private mutating func takeLine(_ octets: UnsafeRawBufferPointer, _ line: Range<Int>) {
    guard lineCount > 0 else {
      titleProblem = MapFile.title.problem(of: [UInt8](octets[line])[...])
      return
    }
    guard titleProblem == nil, failure == nil else { return }
    if lineCount <= MapFile.headerLineCount {
      headerLines.append([UInt8](octets[line]))
      if lineCount == MapFile.headerLineCount { takeHeader() }
    } else if !isHeaderOnly, !takeRecord(octets, line) {
      // It counts only where the checksum is right: then it is no damage, but the work of a newer version.
      failure = StateError(line: lineCount + 1, problem: .newerVersion)
    }
  }

  private mutating func takeHeader() {
    do {
      var state = MailboxState(try MapFile.header(headerLines))
      if !isHeaderOnly { state.reserve(more: octetCount / Self.leastLineLength) }
      self.state = state
    } catch {
      failure = error
    }
  }

  /// False where the line is no record.
  private mutating func takeRecord(_ octets: UnsafeRawBufferPointer, _ place: Range<Int>) -> Bool {
    if let line = MessageLine(octets, place), let list = keywords.list(octets, line.keywords),
      state?.append(line, keywords: list, in: octets) == true
    {
      return true
    }
    guard let record = RecordCodec.decode([UInt8](octets[place])[...]) else { return false }
    state?.applyInMap(record)
    return true
  }
}

/// The lists of keywords that lines of a map have, each made of its text once.
struct KeywordTexts {
  private var texts = OctetPool()
  /// By the numbers of their texts; nil where a text is no list.
  private var lists: [[[UInt8]]?] = []

  /// The list that stands there, empty for an empty place; nil where there is none.
  mutating func list(_ octets: UnsafeRawBufferPointer, _ place: Range<Int>) -> [[UInt8]]? {
    if place.isEmpty { return [] }
    let text = UnsafeRawBufferPointer(rebasing: octets[place])
    let (number, isNew) = texts.insert(text, keyCount: text.count)
    if isNew {
      var reader = LineReader([UInt8](text)[...])
      lists.append(reader.keywords())
    }
    return lists[number]
  }
}
