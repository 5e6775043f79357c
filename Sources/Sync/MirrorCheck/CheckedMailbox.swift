package import MailModel
package import Octets
package import SyncPlan

/// A mailbox as a check of a mirror found it: what is recorded, what is here, what the server has.
package struct CheckedMailbox: Sendable {
  /// The messages on record; none where the UIDVALIDITY is another one by now.
  package var base: [BaseRecord]
  /// Base names of files that are recorded as detached.
  package var detached: OctetSet
  /// Messages without a file that are on their way out of the server.
  package var pendingExpunges: Set<UInt32>
  /// All message files, no base name twice.
  package var files: [CheckedFile]
  /// All messages of the server, with sizes and dates.
  package var messages: [RemoteMessage]
  /// Unknown messages with an older INTERNALDATE (seconds since 1970) are not mirrored; nil where all are.
  package var fetchSince: Int64?
  /// Whether it holds what was sent: a second copy of a message there is not uploaded.
  package var isSent = false

  package init(
    base: [BaseRecord],
    detached: OctetSet,
    pendingExpunges: Set<UInt32>,
    files: [CheckedFile],
    messages: [RemoteMessage],
    fetchSince: Int64?
  ) {
    self.base = base
    self.detached = detached
    self.pendingExpunges = pendingExpunges
    self.files = files
    self.messages = messages
    self.fetchSince = fetchSince
  }
}

/// A message file as a check of a mirror found it.
package struct CheckedFile: Hashable, Sendable {
  /// What a file was found to hold.
  package enum Content: Hashable, Sendable {
    /// A message, with the octets that it has on the wire.
    case message(ContentIdentity, wireSize: UInt64)
    /// It cannot be read, for this reason.
    case unreadable(String)
  }

  /// The base name, without `:2,` and flags.
  package var name: [UInt8]
  /// The flags of the name.
  package var flags: SystemFlags
  /// Whether the name says that the file is detached.
  package var isDetached: Bool
  /// What it holds.
  package var content: Content
  /// Keywords that it was given here since, and that it lost.
  package var (added, removed): ([[UInt8]], [[UInt8]]) = ([], [])

  package init(name: [UInt8], flags: SystemFlags, isDetached: Bool, content: Content) {
    self.name = name
    self.flags = flags
    self.isDetached = isDetached
    self.content = content
  }

  /// Its keywords, of which these are on record.
  func keywords(beside known: [[UInt8]]) -> [[UInt8]] {
    let kept = known.filter { word in !removed.contains { $0.equalsCaseless(word) } }
    let new = added.filter { word in !kept.contains { $0.equalsCaseless(word) } }
    return MessageFlags(keywords: kept + new).keywords
  }
}
