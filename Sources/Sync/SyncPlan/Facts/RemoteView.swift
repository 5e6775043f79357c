/// What is known of the server's side of a mailbox.
package enum RemoteView: Hashable, Sendable {
  /// Every message of the mailbox: what is not listed is gone.
  case complete(RemoteMessages)
  /// What changed since the base was written (RFC 7162 §3.2.5): new or changed messages, and UIDs that are gone,
  /// as sorted ranges that may be far wider than the mailbox.
  case changes(RemoteMessages, vanished: [ClosedRange<UInt32>])

  /// Nothing changed.
  package static let unchanged = RemoteView.changes([], vanished: [])

  /// The messages that the server told of.
  package var listed: RemoteMessages {
    switch self {
    case .complete(let messages), .changes(let messages, _): messages
    }
  }
}
