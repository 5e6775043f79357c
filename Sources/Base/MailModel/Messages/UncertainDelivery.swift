/// What becomes of a message whose end was sent and that no reply came to: the server may have it or not.
package enum UncertainDelivery: String, Hashable, Sendable, CaseIterable {
  /// It is sent again: better twice than never.
  case resend
  /// It waits for a person.
  case hold
}
