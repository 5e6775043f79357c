/// One recipient of a message, with what is to be reported about the delivery.
package struct Recipient: Hashable, Sendable {
  /// Where the message goes.
  package let address: Address

  /// When to report; `nil` leaves it to the server.
  package var notification: Notification?

  /// The address as the sender wrote it, before aliases, for reports; `nil` for none.
  package var original: Address?

  /// A recipient with this address.
  package init(
    _ address: Address,
    notification: Notification? = nil,
    original: Address? = nil
  ) {
    self.address = address
    self.notification = notification
    self.original = original
  }

  /// The same with an ASCII form of its domain; see `Address`.
  func withASCIIDomain(_ asciiForm: ([UInt8]) -> [UInt8]?) -> Recipient {
    Recipient(
      address.withASCIIDomain(asciiForm),
      notification: notification,
      original: original
    )
  }

  /// Whether it asks for reports; the address before aliases only names it in them.
  var wantsDSN: Bool { notification != nil }
}
