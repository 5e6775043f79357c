internal import Octets
internal import Platform
internal import SyncPlan

/// Takes the words of one line of a state file; each call takes one, nil means it is not as it should be.
struct LineReader {
  /// A value that may be absent on purpose.
  struct Optional<Value> {
    let value: Value?
  }

  private var rest: ArraySlice<UInt8>
  private var isExhausted = false

  init(_ line: ArraySlice<UInt8>) {
    rest = line
  }

  /// Whether every word was taken.
  var isAtEnd: Bool { isExhausted }

  mutating func word() -> ArraySlice<UInt8>? {
    guard !isExhausted else { return nil }
    let end = rest.firstIndex(of: ASCII.space) ?? rest.endIndex
    let word = rest[rest.startIndex..<end]
    isExhausted = end == rest.endIndex
    rest = isExhausted ? rest[end...] : rest[(end + 1)...]
    return word.isEmpty ? nil : word
  }

  private static func isNone(_ word: ArraySlice<UInt8>) -> Bool {
    word.count == 1 && word.first == FlagLetters.none
  }

  mutating func number<Number: FixedWidthInteger>(_: Number.Type) -> Number? {
    guard let word = word() else { return nil }
    return Self.decimal(word)
  }

  mutating func name() -> [UInt8]? {
    guard let word = word() else { return nil }
    if word.count == 1 && word.first == ASCII.percent { return [] }
    return PercentEscape.unescape(Array(word))
  }

  mutating func flags() -> SystemFlags? {
    guard let word = word() else { return nil }
    if Self.isNone(word) { return [] }
    var flags: SystemFlags = []
    for letter in word {
      guard let flag = FlagLetters.flag(letter) else { return nil }
      flags.insert(flag)
    }
    return flags
  }

  mutating func keywords() -> [[UInt8]]? {
    guard let word = word() else { return nil }
    if Self.isNone(word) { return [] }
    var keywords: [[UInt8]] = []
    for part in word.split(separator: FlagLetters.comma, omittingEmptySubsequences: false) {
      guard !part.isEmpty, let keyword = PercentEscape.unescape(Array(part)) else { return nil }
      keywords.append(keyword)
    }
    return keywords
  }

  mutating func identity() -> Optional<ContentIdentity>? {
    guard let word = word() else { return nil }
    if Self.isNone(word) { return Optional(value: nil) }
    guard word.count == 48 else { return nil }
    let start = word.startIndex
    guard let messageID = Hex.value(word[start..<(start + 16)]),
      let high = Hex.value(word[(start + 16)..<(start + 32)]),
      let low = Hex.value(word[(start + 32)...])
    else { return nil }
    return Optional(
      value: ContentIdentity(messageID: messageID, bodyHigh: high, bodyLow: low)
    )
  }

  mutating func stamp() -> Optional<FileStamp>? {
    guard let word = word() else { return nil }
    if Self.isNone(word) { return Optional(value: nil) }
    let parts = word.split(separator: ASCII.colon)
    guard parts.count == 4, let device: UInt64 = Self.decimal(parts[0]),
      let inode: UInt64 = Self.decimal(parts[1]), let modified: Int64 = Self.decimal(parts[2]),
      let changed: Int64 = Self.decimal(parts[3])
    else { return nil }
    return Optional(
      value: FileStamp(device: device, inode: inode, modified: modified, changed: changed)
    )
  }

  /// A decimal number in its one canonical form, with a minus sign where the type has one.
  private static func decimal<Number: FixedWidthInteger>(
    _ word: ArraySlice<UInt8>
  ) -> Number? {
    let isNegative = word.first == FlagLetters.none && Number.isSigned
    let digits = isNegative ? word.dropFirst() : word
    guard let first = digits.first, first != UInt8(ascii: "0") || digits.count == 1
    else { return nil }
    var value: Number = 0
    for digit in digits {
      guard ASCII.isDigit(digit) else { return nil }
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      let addend = Number(digit - UInt8(ascii: "0"))
      let (sum, carry) =
        isNegative
        ? product.subtractingReportingOverflow(addend) : product.addingReportingOverflow(addend)
      guard !overflow, !carry else { return nil }
      value = sum
    }
    return value
  }
}
