/// Who a message is from and who gets it, apart from what its header says (RFC 5321 §2.3.1).
package struct Envelope: Hashable, Sendable {
  /// Where reports go; `nil` is the null path `<>`, which asks for none.
  package var reversePath: EnvelopeAddress?

  /// The recipients, in the order in which they are sent.
  package var recipients: [Recipient]

  /// How much of the message reports contain; `nil` leaves it to the server.
  package var returned: ReturnedContent?

  /// A name of this sending that reports repeat (RFC 3461 §4.4); `nil` for none.
  ///
  /// Left out when it has more than 100 octets once encoded.
  package var identifier: [UInt8]?

  package init(
    from reversePath: EnvelopeAddress?,
    to recipients: [Recipient],
    returned: ReturnedContent? = nil,
    identifier: [UInt8]? = nil
  ) {
    self.reversePath = reversePath
    self.recipients = recipients
    self.returned = returned
    self.identifier = identifier
  }

  /// The envelope as a server with these extensions is told it.
  ///
  /// Without SMTPUTF8, domains beyond ASCII go as A-labels (RFC 6531 §3.2), if that is all an address has beyond ASCII.
  /// - Parameters:
  ///   - extensions: what the server offers.
  ///   - asciiForm: gives the ASCII form of a domain in UTF-8; `nil` where there is none.
  /// - Returns: the envelope.
  package func fit(
    for extensions: Extensions,
    _ asciiForm: ([UInt8]) -> [UInt8]?
  ) -> Envelope {
    guard !extensions.hasSMTPUTF8 else { return self }
    var envelope = self
    envelope.reversePath = reversePath?.withASCIIDomain(asciiForm)
    envelope.recipients = recipients.map { $0.withASCIIDomain(asciiForm) }
    return envelope
  }

  /// The first of these recipients, and those who need SMTPUTF8 as that one does, or do not; by their numbers.
  ///
  /// A server that hands a message on to one without SMTPUTF8 refuses it for all recipients of a transaction in which
  /// something needs that.
  package func alike(
    _ numbers: [Int],
    _ message: MessageFacts,
    for extensions: Extensions
  ) -> [Int] {
    guard extensions.hasSMTPUTF8, !message.needsSMTPUTF8,
      reversePath?.isInternational != true, let first = numbers.first
    else { return numbers }
    let isInternational = recipients[first].address.isInternational
    return numbers.filter { recipients[$0].address.isInternational == isInternational }
  }

  /// Checks that a message can be sent in this envelope to a server with these extensions.
  ///
  /// Nothing on the wire is needed for that. `SMTPSession.begin(_:_:)` does it as well.
  /// - Returns: what is wanted and not offered; the message can be sent all the same.
  /// - Throws: `EnvelopeError` when it cannot be sent.
  @discardableResult
  package func check(
    _ message: MessageFacts,
    for extensions: Extensions
  ) throws(EnvelopeError) -> Set<Shortfall> {
    guard !recipients.isEmpty else { throw .noRecipients }
    if let limit = extensions.recipientLimit, recipients.count > limit {
      throw .tooManyRecipients(count: recipients.count, limit: limit)
    }
    if let limit = extensions.sizeLimit, message.size > limit {
      throw .tooLarge(size: message.size, limit: limit)
    }
    if let address = internationalAddress {
      guard extensions.hasSMTPUTF8 else { throw .needsSMTPUTF8(address) }
      guard message.isHeaderUTF8 else { throw .headerNotUTF8(address) }
    }
    return shortfalls(message, extensions)
  }

  /// Whether an address of it is beyond ASCII, so that only SMTPUTF8 can carry it.
  package var isInternational: Bool { internationalAddress != nil }

  private func shortfalls(_ message: MessageFacts, _ extensions: Extensions) -> Set<Shortfall> {
    var result: Set<Shortfall> = []
    if message.hasEightBits, !extensions.hasEightBitMIME { result.insert(.eightBitMIME) }
    if needsSMTPUTF8(message), !extensions.hasSMTPUTF8 { result.insert(.smtpUTF8) }
    if wantsDSN, !extensions.hasDSN { result.insert(.dsn) }
    return result
  }

  /// Whether it says anything about reports.
  private var wantsDSN: Bool {
    returned != nil || identifier != nil || recipients.contains(where: \.wantsDSN)
  }

  private var internationalAddress: EnvelopeAddress? {
    ([reversePath] + recipients.map(\.address)).compactMap(\.self).first(where: \.isInternational)
  }

  /// Whether an address is beyond ASCII, or the header is in UTF-8 (RFC 6531 §3.4).
  func needsSMTPUTF8(_ message: MessageFacts) -> Bool {
    message.needsSMTPUTF8 || internationalAddress != nil
  }
}

/// How much of the message a report of failed delivery is to contain (RFC 3461 §4.3).
package enum ReturnedContent: Hashable, Sendable {
  /// The whole message, or the header alone.
  case full, headers
}

/// What a message would need that the server does not offer, and that it is sent without.
package enum Shortfall: Hashable, Sendable, CaseIterable {
  /// The message has octets above 127; they may be lost on the way.
  case eightBitMIME

  /// The header has octets above 127; it may be garbled or refused on the way.
  case smtpUTF8

  /// Something was said about reports; the server makes those that it makes anyhow.
  case dsn
}
