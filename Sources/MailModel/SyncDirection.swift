/// Which way changes travel between the server and the Maildir.
package enum SyncDirection: String, Hashable, Sendable, CaseIterable {
  /// Both ways.
  case both
  /// From the server into the Maildir; the server is never changed.
  case pull
  /// From the Maildir to the server; no file is ever changed.
  case push
}
