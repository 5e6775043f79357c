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
