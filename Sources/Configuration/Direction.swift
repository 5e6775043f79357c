/// Which way changes travel between the server and the Maildir.
package enum Direction: String, Hashable, Sendable, CaseIterable {
  /// From the server into the Maildir; the server is never changed.
  case pull
}
