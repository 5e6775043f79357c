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
  package var wantsDSN: Bool {
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

/// Why a message cannot be sent to a server at all; nothing was sent.
package enum EnvelopeError: Error, Hashable, Sendable {
  case noRecipients

  /// More recipients than the server takes in one transaction (`Extensions.recipientLimit`).
  case tooManyRecipients(count: Int, limit: Int)

  /// The message is larger than the server takes (RFC 1870 §6.1), both in octets.
  case tooLarge(size: UInt64, limit: UInt64)

  /// An address has octets above 127, so that SMTPUTF8 is needed, which must not carry a header that is not UTF-8.
  case headerNotUTF8(EnvelopeAddress)

  /// An address has octets above 127 and the server does not offer SMTPUTF8.
  case needsSMTPUTF8(EnvelopeAddress)
}

/// When a server is to report about the delivery to a recipient (RFC 3461 §4.1).
package struct Notification: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// When it was delivered.
  package static let success = Notification(rawValue: 1)
  /// When it could not be delivered.
  package static let failure = Notification(rawValue: 2)
  /// When it takes long.
  package static let delay = Notification(rawValue: 4)

  /// In no case.
  package static let never: Notification = []
}

/// One recipient of a message, with what is to be reported about the delivery.
package struct Recipient: Hashable, Sendable {
  /// Where the message goes.
  package let address: EnvelopeAddress

  /// When to report; `nil` leaves it to the server.
  package var notification: Notification?

  /// The address as the sender wrote it, before aliases, for reports; `nil` for none.
  package var original: EnvelopeAddress?

  package init(
    _ address: EnvelopeAddress,
    notification: Notification? = nil,
    original: EnvelopeAddress? = nil
  ) {
    self.address = address
    self.notification = notification
    self.original = original
  }

  /// The same with an ASCII form of its domain; see `EnvelopeAddress`.
  func withASCIIDomain(_ asciiForm: ([UInt8]) -> [UInt8]?) -> Recipient {
    Recipient(
      address.withASCIIDomain(asciiForm),
      notification: notification,
      original: original
    )
  }

  /// Whether it says when to report; the address before aliases only names it in reports.
  var wantsDSN: Bool { notification != nil }
}
