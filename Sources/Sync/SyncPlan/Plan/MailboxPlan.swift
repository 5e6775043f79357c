package import Octets

/// What is to be done in one mailbox, phase by phase in the order of execution, and what is left alone.
///
/// A file's flags come before their push, so that what is agreed on after the push is recorded last; what removes comes
/// after all that could still need it.
package struct MailboxPlan: Hashable, Sendable {
  /// The mailbox's own id.
  package let mailbox: UInt64
  /// Records only.
  package internal(set) var facts: [Planned<MailboxFact>] = []
  /// Files that get other names or places.
  package internal(set) var renames: [Planned<LocalRename>] = []
  /// Flags for the server.
  package internal(set) var stores: [Planned<FlagStore>] = []
  package internal(set) var moves: [Planned<ServerMove>] = []
  /// Copies on the server, in this mailbox.
  package internal(set) var copies: [Planned<ServerCopy>] = []
  /// Files for the server.
  package internal(set) var uploads: [Planned<FileUpload>] = []
  /// Files that were to be sent up again, and are held back: the records that say whose they are stay.
  package private(set) var heldUploads: [Planned<FileUpload>] = []
  /// Whether files are held back whose messages may be where no run has looked.
  package private(set) var holdsUnseen = false
  /// Messages that are fetched into new files.
  package internal(set) var downloads = PlannedDownloads()
  /// Files without attachments that are exchanged for the whole messages.
  package internal(set) var completions: [Planned<FileCompletion>] = []
  /// Messages that go from the server.
  package internal(set) var removals: [Planned<ServerRemoval>] = []
  /// Files that go.
  package internal(set) var deletions: [Planned<FileDeletion>] = []
  /// UIDs of messages that are on neither side.
  package internal(set) var forgets: [Planned<UInt32>] = []
  /// What is left alone, in no particular order.
  package internal(set) var blocked: [BlockedChange] = []
  /// Of which sides the deletion guard holds the losses back from now on.
  package internal(set) var blockedDeletions = BlockedDeletions.none
  /// Whether what the server said of a message is left for the next run, which has to be told again.
  package internal(set) var isPostponed = false
  /// The same for a run that may do more than this one and those that are like it: by another direction, or other settings.
  package internal(set) var isDeferred = false
  /// Whether files of an older copy that was put in place are left out: a later run has to see again that it is one.
  package internal(set) var awaitsFiles = false

  package init(mailbox: UInt64) {
    self.mailbox = mailbox
  }

  /// Whether there is nothing to do.
  package var isEmpty: Bool { steps.isEmpty }

  /// Whether the deletion guard blocked deletions.
  package var isStoppedByGuard: Bool {
    blocked.contains { $0.cause == .massDeletion }
  }

  /// How many files it removes because their messages are gone from the server.
  package var removedFiles: Int { deletions.count { $0.isSynced } }

  /// How many messages it removes from the server because their files were removed here.
  package var removedMessages: Int { removals.count { $0.step.removedMessage != nil } }

  /// What is held back of a plan once it stands, and why.
  package enum Held {
    /// What sides lost: there is too much of it at once.
    case losses(BlockedDeletions)
    /// Files, by base name, whose messages may be where no run has looked.
    case unseen(OctetSet)
    /// Files, by base name, that cannot be sent, as was reported.
    case unsendable(OctetSet)
  }

  /// Holds steps back: the only change of a plan once it stands.
  package mutating func hold(_ held: Held) {
    switch held {
    case .losses(let sides):
      if sides.there { holdDeletions(.massDeletion) { _ in true } }
      if sides.here { holdRemovals() }
    case .unseen(let names):
      holdsUnseen = true
      holdDeletions(.mayHaveMoved, of: names.contains)
      heldUploads = uploads.filter { names.contains($0.step.name) }
      holdUploads(of: names)
    case .unsendable(let names):
      holdUploads(of: names)
    }
  }

  private mutating func holdUploads(of names: OctetSet) {
    uploads.removeAll { names.contains($0.step.name) }
  }

  /// Holds back the removal of those files that were on both sides and whose base names are meant.
  private mutating func holdDeletions(
    _ cause: BlockedChange.Cause,
    of isMeant: ([UInt8]) -> Bool
  ) {
    var left: [Planned<FileDeletion>] = []
    for deletion in deletions {
      if case .synced(let name, let uid, _) = deletion.step, isMeant(name) {
        blocked.append(BlockedChange(.serverDeletion(name: name, uid: uid), cause))
      } else {
        left.append(deletion)
      }
    }
    deletions = left
  }

  private mutating func holdRemovals() {
    for uid in removals.compactMap(\.step.removedMessage) {
      blocked.append(BlockedChange(.removal(uid: uid), .massDeletion))
    }
    removals.removeAll { $0.step.removedMessage != nil }
  }
}

extension Planned<FileDeletion> {
  fileprivate var isSynced: Bool {
    switch step {
    case .synced: true
    case .superseded: false
    }
  }
}
