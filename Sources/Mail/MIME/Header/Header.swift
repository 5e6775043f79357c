internal import Octets

/// The fields of a message or part in their order (RFC 5322 §3.6).
package struct Header: Sendable, Hashable {
  /// The fields as received, lines that are no fields among them.
  package let fields: [HeaderField]

  /// A header of these fields.
  package init(fields: [HeaderField]) {
    self.fields = fields
  }

  /// The octets of the header without the empty line that ends it.
  package var octets: [UInt8] {
    [UInt8](fields.map(\.raw).joined())
  }

  /// The first field of that name; `nil` when there is none.
  package func first(_ name: StaticString) -> HeaderField? {
    fields.first { $0.isNamed(name) }
  }

  /// All fields of that name in their order.
  package func all(_ name: StaticString) -> [HeaderField] {
    fields.filter { $0.isNamed(name) }
  }

  /// The value of the first field of that name for people, as UTF-8; `nil` when there is none.
  package func text(_ name: StaticString, _ decoder: CharsetDecoder) -> [UInt8]? {
    first(name)?.text(decoder)
  }

  /// The addresses of all fields of that name, in order; empty when there is none.
  package func addresses(_ name: StaticString, _ decoder: CharsetDecoder) -> [Address] {
    all(name).flatMap { Address.list($0.body[...], decoder) }
  }

  /// The mailboxes of all fields of that name, those of groups among them.
  package func mailboxes(_ name: StaticString, _ decoder: CharsetDecoder) -> [Mailbox] {
    addresses(name, decoder).flatMap(\.mailboxes)
  }

  /// The date of the Date field; `nil` when it is missing or no date can be made out.
  package var date: MessageDate? {
    first("Date").flatMap { MessageDate($0.body) }
  }

  /// The id of the Message-ID field; `nil` when it is missing or empty.
  package var messageID: MessageID? {
    first("Message-ID").flatMap { MessageID($0.body) }
  }

  /// The ids of the In-Reply-To fields in their order.
  package var inReplyTo: [MessageID] {
    all("In-Reply-To").flatMap { MessageID.list($0.body) }
  }

  /// Whether In-Reply-To is one id in angle brackets and nothing else, so that it can be trusted to name the parent.
  package var isInReplyToPlain: Bool {
    let fields = all("In-Reply-To")
    guard fields.count == 1 else { return false }
    let words = fields[0].body.split { $0 <= ASCII.space }
    guard words.count == 1, let word = words.first, word.first == ASCII.lessThan,
      word.last == ASCII.greaterThan
    else { return false }
    return !word.dropFirst().dropLast().contains { $0 == ASCII.lessThan || $0 == ASCII.greaterThan }
  }

  /// The ids of the References fields in their order, the direct parent last.
  package var references: [MessageID] {
    all("References").flatMap { MessageID.list($0.body) }
  }
}

/// One field of a header, kept as it was received (RFC 5322 §2.2).
package struct HeaderField: Sendable, Hashable {
  /// The field with its name, colon, folded lines and final line end.
  ///
  /// The fields of a header, joined, are its octets.
  package let raw: ArraySlice<UInt8>

  private let nameLength: Int32
  private let bodyOffset: Int32

  /// A field of those octets; `nameLength` is 0 for a line that is no field.
  init(raw: ArraySlice<UInt8>, nameLength: Int, bodyOffset: Int) {
    self.raw = raw
    self.nameLength = Int32(clamping: nameLength)
    self.bodyOffset = Int32(clamping: bodyOffset)
  }

  /// The name as it was written.
  ///
  /// Empty for a line that is no field: an mbox `From ` line, or rubbish between fields.
  package var name: ArraySlice<UInt8> {
    raw.prefix(Int(nameLength))
  }

  /// What follows the colon, without the final line end, folds kept.
  package var rawBody: ArraySlice<UInt8> {
    var body = raw.dropFirst(Int(bodyOffset))
    if body.last == ASCII.lineFeed { body.removeLast() }
    if body.last == ASCII.carriageReturn { body.removeLast() }
    return body
  }

  /// The value in one line: folds undone, white space around it cut, line ends, NUL and other
  /// controls within it turned into spaces (RFC 5322 §2.2.3).
  package var body: [UInt8] {
    HeaderField.unfold(rawBody)
  }

  /// The value for people, as UTF-8: encoded words decoded, octets above 127 understood as UTF-8,
  /// else as windows-1252 (RFC 2047, RFC 6532).
  package func text(_ decoder: CharsetDecoder) -> [UInt8] {
    EncodedWord.decode(body[...], decoder)
  }

  /// Whether the field has that name; letters in either case are equal.
  package func isNamed(_ name: StaticString) -> Bool {
    Int(nameLength) == name.utf8CodeUnitCount && self.name.equalsCaseless(name)
  }

  static func unfold(_ raw: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(raw.count)
    for octet in raw {
      switch octet {
      case ASCII.carriageReturn, ASCII.lineFeed: continue
      case _ where ASCII.isControl(octet): result.append(ASCII.space)
      default: result.append(octet)
      }
    }
    let start = result.firstIndex { $0 != ASCII.space } ?? result.endIndex
    let end = result.lastIndex { $0 != ASCII.space }.map { $0 + 1 } ?? start
    return start == 0 && end == result.count ? result : [UInt8](result[start..<end])
  }
}

/// Finds a field in a message's header (RFC 5322 §2.2).
package enum HeaderSearch {
  /// The value, unfolded, white space around it cut; nil when there is none or it is empty.
  ///
  /// `header` has LF line ends, `name` its colon. Of several fields the first counts.
  package static func value(_ name: StaticString, in header: ArraySlice<UInt8>) -> [UInt8]? {
    var rest = header
    while !rest.isEmpty {
      let end = rest.firstIndex(of: ASCII.lineFeed) ?? rest.endIndex
      if rest[..<end].startsCaseless(with: name) {
        return trimmed(unfolded(rest.dropFirst(name.utf8CodeUnitCount)))
      }
      rest = end == rest.endIndex ? [] : rest[(end + 1)...]
    }
    return nil
  }

  private static func unfolded(_ octets: ArraySlice<UInt8>) -> [UInt8] {
    var value: [UInt8] = []
    var previous: UInt8 = 0
    for octet in octets {
      if previous == ASCII.lineFeed, octet != ASCII.space, octet != ASCII.tab { break }
      if octet != ASCII.lineFeed { value.append(octet) }
      previous = octet
    }
    return value
  }

  private static func trimmed(_ value: [UInt8]) -> [UInt8]? {
    let isBlank = { (octet: UInt8) in octet == ASCII.space || octet == ASCII.tab }
    let trimmed = value.drop(while: isBlank).reversed().drop(while: isBlank).reversed()
    return trimmed.isEmpty ? nil : Array(trimmed)
  }
}
