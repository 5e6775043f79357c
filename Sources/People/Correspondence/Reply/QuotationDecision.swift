package import MIME
internal import Octets
package import Protection

/// What is known of a decrypted message, and of those who would get its text with an answer.
package struct QuotationFacts: Hashable, Sendable {
  /// What the signature within is worth; nil where there is none.
  package var verdict: Verdict?
  /// Whether the author that From names has signed; nil where that is not known.
  package var sender: SenderMatch?
  /// The address of the author; nil where From is not one address that can be compared.
  package var author: [UInt8]?
  /// The addresses that the protected header names.
  package var protected: [[UInt8]] = []
  /// The addresses that would get the text.
  package var recipients: [[UInt8]] = []
  /// One's own addresses.
  package var own: OwnAddresses
  /// Whether the answer goes out as clear text.
  package var isClear = false
  /// Whether a person can be asked.
  package var canAsk = false
  /// Whether the text is to be quoted for any recipient.
  package var isAllowed = false

  /// Those of a message of which nothing is known.
  package init(own: OwnAddresses) {
    self.own = own
  }
}

/// Whether what was decrypted of a message stands in an answer to it: its text, its Subject, its ids, the addresses within.
package enum QuotationDecision: Hashable, Sendable {
  case quoted
  /// A person decides who sees the addresses that would get the text.
  case asked([[UInt8]])
  case left

  /// The decision.
  ///
  /// A stranger can have put a captured message under a From and To of his own: only a signature within says whose text it is.
  package static func decide(_ facts: QuotationFacts) -> QuotationDecision {
    if facts.isAllowed { return .quoted }
    if facts.isClear { return .left }
    let isSigned =
      facts.verdict?.isIntact == true && (facts.sender == .matches || facts.sender == .claims)
    let strangers = facts.recipients.filter { !isKnown($0, facts) }
    if isSigned, strangers.isEmpty { return .quoted }
    let others = facts.recipients.filter { !facts.own.contains($0) }
    return facts.canAsk ? .asked(others) : .left
  }

  private static func isKnown(_ address: [UInt8], _ facts: QuotationFacts) -> Bool {
    let known = (facts.author.map { [$0] } ?? []) + facts.protected
    return facts.own.contains(address) || known.contains { $0.equalsCaseless(address) }
  }
}

extension ProtectionReading {
  /// The header to answer to, and the fields that nothing protects and that would have led the answer elsewhere.
  ///
  /// Those of an encrypted message do not count, whether it was decrypted or not: its author need not have written them.
  package func answerable(isEncrypted: Bool) -> (header: Header, ignored: [HeaderField]) {
    guard isEncrypted else { return (header, []) }
    let protected = protectedHeader?.names ?? []
    let isUnsafe = { (field: HeaderField) in
      Self.leads(field) && !protected.contains { $0.equalsCaseless(field.name) }
    }
    let ignored = message.header.fields.filter(isUnsafe)
    return (Header(fields: header.fields.filter { !isUnsafe($0) }), ignored)
  }

  /// The header to answer to where nothing of what was decrypted may be in the answer.
  package var outerAnswerable: Header {
    Header(fields: message.header.fields.filter { !Self.leads($0) })
  }

  private static func leads(_ field: HeaderField) -> Bool {
    field.isNamed("Reply-To") || field.isNamed("Mail-Followup-To")
  }

  /// The addresses that the protected header of a decrypted message names.
  package func protectedAddresses(_ decoder: CharsetDecoder) -> [[UInt8]] {
    guard isDecrypted, let protected = protectedHeader else { return [] }
    let names: [StaticString] = ["To", "Cc", "Reply-To", "Mail-Followup-To"]
    return names.filter { name in protected.names.contains { $0.equalsCaseless("\(name)".utf8) } }
      .flatMap { protected.header.mailboxes($0, decoder) }.map(\.address)
  }
}
