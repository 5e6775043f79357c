internal import Octets

/// The fields of a message or part in their order (RFC 5322 §3.6).
package struct Header: Sendable, Hashable {
  /// The fields as received, lines that are no fields among them.
  package let fields: [HeaderField]

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
