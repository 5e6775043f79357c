package import MIME
internal import Octets

/// The fields within the protection of a message, where they count in the place of those outside (RFC 9788).
package struct ProtectedHeader: Sendable {
  /// The header as it is to be read: From is always that outside.
  package let header: Header
  /// The address that From within names, where it is another one; nil else.
  package let otherAuthor: HeaderField?
  /// The names of the fields that count from within.
  package let names: [[UInt8]]
  /// Whether Subject outside is another one; then what it says, or nil in it where there is none.
  package let maskedSubject: [UInt8]??

  /// The fields that are for people, as far as they are shown or answered to.
  private static let people: [StaticString] = [
    "Subject", "From", "To", "Cc", "Bcc", "Reply-To", "Date", "Message-ID", "In-Reply-To",
    "References", "List-Id", "List-Post", "Mail-Followup-To", "Sender",
  ]

  /// The header of a message that was read; nil where only that outside counts.
  init?(_ reading: ProtectionReading, _ decoder: CharsetDecoder) {
    guard reading.isDecrypted || reading.verdict?.isIntact == true,
      let payload = Self.payload(of: reading), !payload.isEmpty,
      let inner = reading.message.part(at: payload), let kind = Kind(inner.contentType)
    else { return nil }
    let outer = reading.message.header
    let wanted = kind == .subject ? ["Subject"] : Self.people
    let inside = wanted.flatMap { inner.header.all($0) }
    guard !inside.isEmpty else { return nil }
    let shown = outer.mailboxes("From", decoder).map(\.address)
    otherAuthor = inside.first { field in
      field.isNamed("From") && !Self.areEqual(Self.addresses(field), shown)
    }
    names = inside.map { [UInt8]($0.name) }.filter { !$0.equalsCaseless("From") }
    header = Header(
      fields: outer.fields.filter { field in
        field.isNamed("From") || !wanted.contains { field.isNamed($0) }
      } + inside.filter { !$0.isNamed("From") }
    )
    let subject = outer.text("Subject", decoder)
    maskedSubject = subject == header.text("Subject", decoder) ? nil : .some(subject)
  }

  private static func addresses(_ field: HeaderField) -> [[UInt8]] {
    Address.list(field.body[...], .native).flatMap(\.mailboxes).map(\.address)
  }

  /// Whether both are the same addresses, whatever names of people stand beside them.
  private static func areEqual(_ first: [[UInt8]], _ second: [[UInt8]]) -> Bool {
    first.count == second.count
      && zip(first, second).allSatisfy { PlainAddress.isEqual($0, $1) || $0 == $1 }
  }

  /// Which fields count.
  private enum Kind {
    /// All that are for people.
    case all
    case subject

    init?(_ type: ContentType) {
      let told = type.parameters.octets("hp")
      if told?.equalsCaseless("clear") == true || told?.equalsCaseless("cipher") == true {
        self = .all
      } else if type.parameters.octets("protected-headers")?.equalsCaseless("v1") == true {
        self = .subject
      } else {
        return nil
      }
    }
  }

  /// The part that all protection of the message lies around; empty where there is none.
  private static func payload(of reading: ProtectionReading) -> [Int]? {
    var path: [Int] = []
    var steps: [[Int]: [Int]] = [:]
    for signature in reading.signatures where signature.part.isInEnvelope {
      guard !signature.isWithinEncryption else { continue }
      steps[signature.part.path] = signature.part.payload
    }
    for encryption in reading.encryptions where encryption.isDecrypted {
      let part = encryption.part
      steps[part.path] = part.method == .sMIME ? part.path + [0] : part.payload
    }
    while let next = steps[path], next.count > path.count { path = next }
    return path
  }
}

/// The lines in which older programs repeat the protected header at the beginning of a text (RFC 9788 §5.2).
enum LegacyDisplay {
  /// The message without them.
  static func removed(from message: Message, _ decoder: CharsetDecoder) -> Message {
    message.replacingTexts { part in
      guard part.contentType.parameters.octets("hp-legacy-display") == [0x31] else { return nil }
      if part.contentType.isHTML { return part.text(decoder).map(withoutElement) }
      guard part.contentType.isType("text", "plain") else { return nil }
      return part.plainText(decoder).map(withoutFields)
    }
  }

  /// What follows the first empty line.
  private static func withoutFields(_ text: [UInt8]) -> [UInt8] {
    guard let end = text.firstPlace(of: [ASCII.lineFeed, ASCII.lineFeed]) else { return text }
    return [UInt8](text[end.upperBound...])
  }

  /// HTML without its first `div`, where that is of the class for such lines.
  private static func withoutElement(_ text: [UInt8]) -> [UInt8] {
    guard let start = text.firstPlace(of: [UInt8](ascii: "<div")),
      let tag = text[start.upperBound...].firstIndex(of: ASCII.greaterThan),
      text[start.upperBound..<tag].holds(className),
      let end = text[tag...].firstPlace(of: [UInt8](ascii: "</div>"))
    else { return text }
    return [UInt8](text[..<start.lowerBound] + text[end.upperBound...])
  }

  private static let className = [UInt8](ascii: "\"header-protection-legacy-display\"")
}
