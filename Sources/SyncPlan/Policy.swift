package import MailModel

/// What the user allows a sync to do.
package struct Policy: Hashable, Sendable {
  /// Which side may be changed.
  package var direction: SyncDirection
  /// What a removed file means for the server.
  package var localDeletion: LocalDeletion
  /// Where the mark \Deleted is more than a mark.
  package var expunge: ExpungePolicy

  /// A policy from its fields.
  package init(
    direction: SyncDirection,
    localDeletion: LocalDeletion = .trash,
    expunge: ExpungePolicy = .never
  ) {
    self.direction = direction
    self.localDeletion = localDeletion
    self.expunge = expunge
  }

  /// Whether marked messages go for good in a mailbox of that role.
  func expunges(in role: MailboxRole?) -> Bool {
    guard pulls, pushes else { return false }
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
