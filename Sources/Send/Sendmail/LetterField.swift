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
