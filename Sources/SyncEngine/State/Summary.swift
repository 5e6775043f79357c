internal import Platform

/// What the last run left of each mailbox: enough to see that nothing happened without reading a map.
///
/// A cache: a bad or missing one costs a look into every mailbox, never mail.
struct Summary: Hashable {
  /// One mailbox.
  struct Entry: Hashable {
    var header: MailboxHeader
    /// Messages in the map.
    var messages: Int
    /// Whether the last run left nothing undone that the server would not tell again.
    var isComplete: Bool
    /// The directories when their names equalled the map; nil when not known.
    var stamps: MaildirStamps?
  }

  /// Names the account's root, see `RootIdentity`.
  var root: UInt64
  /// The server's capabilities after authentication, empty when never seen.
  var capabilities: [[UInt8]] = []
  /// Files removed in the whole account, by hour since 1970, for the brake.
  var deletions: [Int64: Int] = [:]
  /// The mailboxes by the server's name on the wire.
  var entries: [[UInt8]: Entry] = [:]
}
