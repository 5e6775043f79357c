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
