/// What happens on the way to a server.
package enum StoreEvent: Sendable {
  /// A connection is made.
  case connecting
  /// The user is logged in.
  case authenticating
  /// The token was refused, and another one is fetched.
  case refreshingToken
  /// The server's mailboxes are listed.
  case listing
  /// A step that is worth a line with -v.
  case step(String)
  /// A line of the protocol, secrets and bodies cut.
  case trace(String)
}
