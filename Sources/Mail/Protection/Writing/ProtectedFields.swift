internal import MIME
internal import Octets

/// The header of a message on both sides of its protection (RFC 9788).
struct ProtectedFields {
  /// The fields of the message itself, before those that say how it is written.
  let outer: [OutgoingField]
  /// Those of what is protected: all that are for people, but Bcc.
  let inner: [OutgoingField]
  /// What the Content-Type of what is protected says.
  let parameters: [[UInt8]]

  init(_ fields: [OutgoingField], _ plan: ProtectionPlan) {
    let isEncrypted = plan.encryption != nil
    let word: StaticString = isEncrypted ? "cipher" : "clear"
    parameters = [
      [UInt8](ascii: "hp=\"") + [UInt8](ascii: word) + [ASCII.quote],
      [UInt8](ascii: "protected-headers=\"v1\""),
    ]
    switch plan.purpose {
    case .sending:
      outer = isEncrypted ? fields.compactMap(Self.whenSent) : fields
      let people = fields.filter { !Self.isNamed($0, "Bcc") }
      inner = people + (isEncrypted ? Self.seen(outer) : [])
    case .keeping:
      outer = isEncrypted ? fields.compactMap(Self.whenKept) : fields
      inner = fields + (isEncrypted ? Self.seen(outer) : [])
    }
  }

  /// What anybody can see, so that a reader knows what was secret (RFC 9788 §2.2).
  private static func seen(_ outer: [OutgoingField]) -> [OutgoingField] {
    outer.filter { !isNamed($0, "Bcc") }
      .map { OutgoingField(value: $0, in: [UInt8](ascii: "HP-Outer")) }
  }

  /// A field outside the encryption of a message that is sent (RFC 9788 §3.2.1); nil where it is not there.
  private static func whenSent(_ field: OutgoingField) -> OutgoingField? {
    if isNamed(field, "Subject") { return hiddenSubject }
    return isNamed(field, "Keywords") || isNamed(field, "Comments") ? nil : field
  }

  /// The same of a message that is kept.
  private static func whenKept(_ field: OutgoingField) -> OutgoingField? {
    if isNamed(field, "Subject") { return hiddenSubject }
    let names: [StaticString] = ["From", "Date", "Message-ID", ProtectionPlan.draftField]
    return names.contains { isNamed(field, $0) } ? field : nil
  }

  private static let hiddenSubject = OutgoingField(
    [UInt8](ascii: "Subject"),
    words: [[UInt8](ascii: "[...]")]
  )

  private static func isNamed(_ field: OutgoingField, _ name: StaticString) -> Bool {
    field.name.equalsCaseless(name)
  }
}
