internal import MIME
internal import Octets

/// A field of a message, its octets as they were given.
struct LetterField: Hashable, Sendable {
  /// The field with its folded lines and the LF at its end; its lines may be too long to be sent.
  private let octets: [UInt8]

  private let nameLength: Int

  /// A field as it stands in a message.
  init(_ octets: [UInt8], nameLength: Int) {
    self.octets = octets
    self.nameLength = nameLength
  }

  /// A field made here; its value is in one line or folded rightly.
  init(_ name: StaticString, _ value: [UInt8]) {
    octets =
      [UInt8](ascii: name) + [ASCII.colon, ASCII.space] + value + [ASCII.lineFeed]
    nameLength = name.utf8CodeUnitCount
  }

  /// The field as it is sent.
  ///
  /// Only there are lines broken that are too long: what was given is read as it is, since a break may stand in an address.
  var sent: [UInt8] {
    octets.split(separator: ASCII.lineFeed).enumerated().flatMap { number, line in
      HeaderFold.folded(line, nameLength: number == 0 ? nameLength : 0) + [ASCII.lineFeed]
    }
  }

  /// Whether an octet above 127 is in it.
  var hasEightBits: Bool { octets.contains { $0 > 127 } }

  var name: ArraySlice<UInt8> { octets.prefix(nameLength) }

  func isNamed(_ other: StaticString) -> Bool { name.equalsCaseless(other) }

  func isNamed(like other: LetterField) -> Bool { name.equalsCaseless(other.name) }

  /// Whether it tells of the message being sent on (RFC 5322 §3.6.6).
  var isResent: Bool { name.startsCaseless(with: "resent-") }

  /// Whether a server wrote it on the way of the message (RFC 5321 §4.4).
  var isTrace: Bool {
    isNamed("Received") || isNamed("Return-Path") || isNamed("Delivered-To")
  }

  /// Whether it names recipients of a message that is sent on.
  var isResentRecipient: Bool {
    isNamed("Resent-To") || isNamed("Resent-Cc") || isNamed("Resent-Bcc")
  }

  /// What follows the colon, folds undone, without blanks around it.
  var value: [UInt8] {
    let colon = octets.firstIndex(of: ASCII.colon) ?? 0
    var value = octets[(colon + 1)...].filter { $0 != ASCII.lineFeed }[...]
    value = value.drop(while: ASCII.isBlank)
    while let last = value.last, ASCII.isBlank(last) { value.removeLast() }
    return [UInt8](value)
  }
}

/// Folds lines of a header that are longer than any may be (RFC 5322 §2.2.3).
enum HeaderFold {
  /// Where lines are broken if there is a blank before it.
  private static let usual = 78

  /// The line, without its end, in as many lines as it takes; one that is not too long stays as it is.
  ///
  /// It is broken before blanks, which changes nothing for a reader. A very long word is broken after a comma, since a blank
  /// there changes nothing in a list of addresses. Without a comma it is cut anywhere, as other programs do.
  static func folded(_ line: ArraySlice<UInt8>, nameLength: Int) -> [UInt8] {
    guard line.count > BodyLines.limit else { return [UInt8](line) }
    var result: [UInt8] = []
    var rest = line
    // The name keeps the first word with it.
    var first = nameLength + 2
    while rest.count > usual, let end = end(of: rest, from: first) {
      result += rest[..<end] + [ASCII.lineFeed, ASCII.space]
      rest = rest[end...].drop(while: ASCII.isBlank)
      first = 1
    }
    // Nothing but blanks was left: no line may have only these.
    return rest.isEmpty ? [UInt8](result.dropLast(2)) : result + rest
  }

  /// Where the next line ends; `nil` where the rest can be one.
  private static func end(of line: ArraySlice<UInt8>, from first: Int) -> Int? {
    let blanks = line.indices.dropFirst(first).filter { index in
      ASCII.isBlank(line[index]) && !ASCII.isBlank(line[index - 1])
    }
    if let last = blanks.last(where: { $0 - line.startIndex <= usual }) { return last }
    if let next = blanks.first, next - line.startIndex < BodyLines.limit { return next }
    guard line.count >= BodyLines.limit else { return nil }
    var end = line.startIndex + BodyLines.limit - 1
    let word = line[..<end].dropFirst(first)
    if let comma = word.lastIndex(of: ASCII.comma) { return comma + 1 }
    // Not within a character of UTF-8.
    while end > line.startIndex + 900, line[end] & 0xC0 == 0x80 { end -= 1 }
    return end
  }
}

/// The value of a field for people.
enum HeaderText {
  /// The value with its encoded words decoded, as UTF-8 without controls.
  static func decoded(_ value: [UInt8]) -> [UInt8] {
    EncodedWord.decode(value[...], .native).map { ASCII.isControl($0) ? ASCII.space : $0 }
  }
}
