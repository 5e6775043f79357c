/// How much of the message a report of failed delivery is to contain (RFC 3461 §4.3).
package enum ReturnedContent: Hashable, Sendable {
  /// The whole message, or the header alone.
  case full, headers
}
