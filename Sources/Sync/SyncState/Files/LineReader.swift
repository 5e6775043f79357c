internal import MailModel
internal import Octets
internal import Platform
internal import SyncPlan

/// Takes the words of one line of a state file; each call takes one, nil means it is not as it should be.
///
/// Words are places in the line, not slices of it: a map has a hundred thousand of them, and each slice would count
/// references.
struct LineReader {
  /// A value that may be absent on purpose.
  struct Optional<Value> {
    let value: Value?
  }

  private let line: ArraySlice<UInt8>
  /// Where the next word begins; behind the end of the line when every word was taken.
  private var position: Int

  init(_ line: ArraySlice<UInt8>) {
    self.line = line
    position = line.startIndex
  }

  /// Whether every word was taken.
  var isAtEnd: Bool { position > line.endIndex }

  /// The place of the next word; words are never empty.
  private mutating func place() -> Range<Int>? {
    guard !isAtEnd else { return nil }
    let start = position
    var end = start
    while end < line.endIndex, line[end] != ASCII.space { end += 1 }
    position = end + 1
    return start == end ? nil : start..<end
  }

  private func isNone(_ place: Range<Int>) -> Bool {
    place.count == 1 && line[place.lowerBound] == LineFormat.none
  }

  mutating func word() -> ArraySlice<UInt8>? {
    place().map { line[$0] }
  }

  /// A number in up to 16 hexadecimal digits.
  mutating func identifier() -> UInt64? {
    place().flatMap { Hex.value(line[$0]) }
  }

  /// A number in its one canonical decimal form, with a minus sign where the type has one.
  mutating func number<Number: FixedWidthInteger>(_: Number.Type) -> Number? {
    place().flatMap { decimal($0) }
  }

  /// A number of which 0 stands for one that is not known.
  mutating func known<Number: FixedWidthInteger>(_: Number.Type) -> Optional<Number>? {
    number(Number.self).map { Optional(value: $0 == 0 ? nil : $0) }
  }

  mutating func name() -> [UInt8]? {
    guard let place = place() else { return nil }
    let word = line[place]
    guard word.contains(ASCII.percent) else { return Array(word) }
    return word.count == 1 ? [] : PercentEscape.unescape(word)
  }

  mutating func flags() -> SystemFlags? {
    guard let place = place() else { return nil }
    if isNone(place) { return [] }
    var flags: SystemFlags = []
    for index in place {
      guard let flag = SystemFlags(character: line[index]) else { return nil }
      flags.insert(flag)
    }
    return flags
  }

  mutating func keywords() -> [[UInt8]]? {
    guard let place = place() else { return nil }
    if isNone(place) { return [] }
    var keywords: [[UInt8]] = []
    for part in line[place].split(separator: LineFormat.comma, omittingEmptySubsequences: false) {
      guard !part.isEmpty, let keyword = PercentEscape.unescape(part) else { return nil }
      keywords.append(keyword)
    }
    return keywords
  }

  mutating func identity() -> Optional<ContentIdentity>? {
    place().flatMap { identity($0) }
  }

  /// An identity, which 16 digits for the server's header may follow.
  mutating func identities() -> (ContentIdentity?, serverHeader: UInt64?)? {
    guard let place = place() else { return nil }
    guard place.count == 80 else { return identity(place).map { ($0.value, nil) } }
    let middle = place.lowerBound + 64
    guard let identity = identity(place.lowerBound..<middle), let header = hexadecimal(from: middle)
    else { return nil }
    return (identity.value, header)
  }

  private func identity(_ place: Range<Int>) -> Optional<ContentIdentity>? {
    if isNone(place) { return Optional(value: nil) }
    let start = place.lowerBound
    guard place.count == 64, let messageID = hexadecimal(from: start),
      let high = hexadecimal(from: start + 16), let low = hexadecimal(from: start + 32),
      let header = hexadecimal(from: start + 48)
    else { return nil }
    return Optional(
      value: ContentIdentity(messageID: messageID, bodyHigh: high, bodyLow: low, header: header)
    )
  }

  mutating func fingerprint() -> Optional<FileFingerprint>? {
    guard let place = place() else { return nil }
    if isNone(place) { return Optional(value: nil) }
    let parts = line[place].split(separator: ASCII.colon).map { $0.startIndex..<$0.endIndex }
    guard parts.count == 4, let device: UInt64 = decimal(parts[0]),
      let inode: UInt64 = decimal(parts[1]), let modified: Int64 = decimal(parts[2]),
      let changed: Int64 = decimal(parts[3])
    else { return nil }
    return Optional(
      value: FileFingerprint(device: device, inode: inode, modified: modified, changed: changed)
    )
  }

  /// The number that 16 digits stand for.
  private func hexadecimal(from start: Int) -> UInt64? {
    Hex.value(line[start..<(start + 16)])
  }

  private func decimal<Number: FixedWidthInteger>(_ place: Range<Int>) -> Number? {
    let isNegative = Number.isSigned && line[place.lowerBound] == LineFormat.none
    let digits = isNegative ? place.dropFirst() : place
    guard let first = digits.first, line[first] != ASCII.zero || digits.count == 1
    else { return nil }
    var value: Number = 0
    for index in digits {
      guard ASCII.isDigit(line[index]) else { return nil }
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      let addend = Number(truncatingIfNeeded: line[index] - ASCII.zero)
      let (sum, carry) =
        isNegative
        ? product.subtractingReportingOverflow(addend) : product.addingReportingOverflow(addend)
      guard !overflow, !carry else { return nil }
      value = sum
    }
    return value
  }
}
