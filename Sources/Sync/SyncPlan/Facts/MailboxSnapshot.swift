package import MailModel
package import Octets

/// One mailbox at one moment: the base that both sides agreed on, and both sides as they are now.
package struct MailboxSnapshot: Sendable {
  /// The mailbox's own id, fixed when it was first mirrored.
  package var mailbox: UInt64
  /// Its Maildir, relative to the account's root.
  package var directory: [UInt8]
  /// What the mailbox is for; nil for an ordinary one.
  package var role: MailboxRole?
  /// Whether it is a label: a message that is removed from it stays in others (Gmail).
  package var isLabel: Bool
  /// The map's records, no UID twice, no name twice, except for those of `UnchangedMessages`.
  package var base: [BaseRecord]
  /// Flags of messages, by UID, that an earlier run was about to change, and of which no record says that it did.
  package var underWay: [UInt32: FlagsUnderWay]
  /// Base names that were synced once and are neither uploaded nor deleted.
  package var detached: OctetSet
  /// What is known of files whose messages are no longer in the mailbox; their UIDs are not valid.
  ///
  /// It comes from records that this run rematched, from an interrupted upload, or from a mailbox that the server no longer
  /// has.
  package var formerRecords: [BaseRecord]
  /// Every message file, no base name twice, except for those of `UnchangedMessages`.
  package var local: [LocalFile]
  /// What it means that the scan lacks a file.
  package var absence: Absence
  /// What lies outside the mailboxes that are planned together.
  package var outside: OutsideFacts
  /// Messages without a file that are on their way out of the server, and those of which it is open whose they are.
  package var pendingExpunges: Set<UInt32>
  /// The server's side.
  package var remote: RemoteView
  /// Whether the server's mailbox may be changed in this run.
  package var isWritable: Bool
  /// The flags the server keeps (PERMANENTFLAGS); empty for a read-only mailbox.
  package var permanentFlags: SystemFlags
  /// Unknown messages with an older INTERNALDATE (seconds since 1970) are not fetched; nil fetches all.
  package var fetchSince: Int64?
  /// Which partial messages are to be made whole.
  package var completions: Completions
  /// The deletion guard's view of the mailbox.
  package var deletionGuard: DeletionGuard
  /// What the deletion guard held back before.
  package var blockedDeletions: BlockedDeletions
  /// Whether what is expunged goes: not where the server accepted that in this run and did not carry it out.
  package var expunges: Bool
  /// Whether what is moved to another mailbox leaves this one in the same step.
  package var movesAtOnce: Bool
  /// What may be done to it where that differs from what the account allows; nil where it is the same.
  package var policy: Policy?
  /// Whether it holds a message once: another file of it cannot be sent.
  package var holdsOnce = false
  /// Whether messages leave it for Trash alone, without the mark `\Deleted`.
  package var onlyDiscards = false
  /// The number of `UnchangedMessages`, which neither base nor files have.
  package var unchanged = 0

  /// A snapshot from its fields; none has a default, since each keeps something from being removed.
  package init(
    mailbox: UInt64,
    directory: [UInt8],
    role: MailboxRole?,
    isLabel: Bool,
    base: [BaseRecord],
    underWay: [UInt32: FlagsUnderWay],
    detached: OctetSet,
    formerRecords: [BaseRecord],
    local: [LocalFile],
    absence: Absence,
    outside: OutsideFacts,
    pendingExpunges: Set<UInt32>,
    remote: RemoteView,
    isWritable: Bool,
    permanentFlags: SystemFlags,
    fetchSince: Int64?,
    completions: Completions,
    deletionGuard: DeletionGuard,
    blockedDeletions: BlockedDeletions,
    expunges: Bool,
    movesAtOnce: Bool
  ) {
    self.mailbox = mailbox
    self.directory = directory
    self.role = role
    self.isLabel = isLabel
    self.base = base
    self.underWay = underWay
    self.detached = detached
    self.formerRecords = formerRecords
    self.local = local
    self.absence = absence
    self.outside = outside
    self.pendingExpunges = pendingExpunges
    self.remote = remote
    self.isWritable = isWritable
    self.permanentFlags = permanentFlags
    self.fetchSince = fetchSince
    self.completions = completions
    self.deletionGuard = deletionGuard
    self.blockedDeletions = blockedDeletions
    self.expunges = expunges
    self.movesAtOnce = movesAtOnce
  }

  /// Whether a message can be removed once there is another one in its place: as far as the server tells before.
  var canReplace: Bool { expunges && (onlyDiscards || permanentFlags.contains(.deleted)) }

  /// The messages that are not new: those of the base, and those that no file may be matched with, since they are on their
  /// way out or it is open whose they are.
  var knownUIDs: Set<UInt32> { pendingExpunges.union(base.map(\.uid)) }
}

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

/// Which partial messages are to be made whole.
package struct Completions: Hashable, Sendable {
  /// Messages up to so many octets are mirrored whole; nil is all of them.
  package var sizeLimit: UInt64?
  /// The base names of files that a person asked for.
  package var names: Set<[UInt8]>

  package init(sizeLimit: UInt64?, names: Set<[UInt8]>) {
    self.sizeLimit = sizeLimit
    self.names = names
  }

  /// Whether the message of that record is to be made whole.
  package func wants(_ record: BaseRecord) -> Bool {
    guard let sizeLimit else { return true }
    return record.size.map { $0 <= sizeLimit } ?? false || names.contains(record.name)
  }
}

/// What it means that a file of the map is not in the scan.
package enum Absence: Hashable, Sendable {
  /// It is gone: the directories stood still while they were read.
  case proven
  /// Nothing: the directories changed while they were read.
  case unproven
  /// Nothing: another copy of the folder was put in its place, and the file was not in it.
  ///
  /// `isOlder` says that the copy is older than the map, so that the flags in its names are no changes either.
  case restored(isOlder: Bool)

  /// Whether another copy of the folder was put in its place.
  package var isRestored: Bool {
    switch self {
    case .restored: true
    case .proven, .unproven: false
    }
  }
}
