package import MailModel

/// What the user allows a sync to do.
package struct Policy: Hashable, Sendable {
  /// Which side may be changed.
  package var direction: SyncDirection
  /// What a removed file means for the server.
  package var localDeletion: LocalDeletion
  /// What becomes of a file whose message the server has no more.
  package var remoteDeletion: RemoteDeletion
  /// Where the mark \Deleted is more than a mark.
  package var expunge: ExpungePolicy
  /// Whether what was removed here is left on the server for now, and planned again by a later sync: the file may be on
  /// its way to another folder.
  package var postponesRemovals: Bool
  /// How long new files that are copies of messages wait.
  package var copies: CopyPatience
  /// Whether the sync sees some mailboxes alone: what is gone from one of them may be in another.
  package var isLimited: Bool

  package init(
    direction: SyncDirection,
    localDeletion: LocalDeletion = .trash,
    remoteDeletion: RemoteDeletion = .follow,
    expunge: ExpungePolicy = .never,
    postponesRemovals: Bool = false,
    copies: CopyPatience = .quiet,
    isLimited: Bool = false
  ) {
    self.direction = direction
    self.localDeletion = localDeletion
    self.remoteDeletion = remoteDeletion
    self.expunge = expunge
    self.postponesRemovals = postponesRemovals
    self.copies = copies
    self.isLimited = isLimited
  }

  /// Whether files stay whose messages the server has no more.
  package var keepsFiles: Bool { pulls && remoteDeletion == .keep }

  /// Whether marked messages go for good in a mailbox of that role.
  ///
  /// Not where files are kept: the mark may be another client's.
  func expunges(in role: MailboxRole?) -> Bool {
    guard pulls, pushes, !keepsFiles else { return false }
    return switch expunge {
    case .never: false
    case .trash: role == .trash || role == .drafts
    case .all: true
    }
  }

  /// Whether the local side may be changed.
  package var pulls: Bool { direction != .push }
  /// Whether the server may be changed.
  package var pushes: Bool { direction != .pull }
}
