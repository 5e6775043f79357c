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
