/// What the user allows a sync to do.
package struct Policy: Hashable, Sendable {
  /// Which side may be changed.
  package enum Direction: String, Sendable {
    case both, pull, push
  }

  /// What becomes of the server's copy when the local file is removed.
  package enum LocalDeletion: String, Sendable {
    case trash, expunge, keep
  }

  /// In which mailboxes a message goes for good once both sides mark it as deleted.
  package enum Expunge: String, Sendable {
    case never
    /// In Trash and Drafts.
    case trash
    case all
  }

  /// Which side may be changed.
  package var direction: Direction
  /// What a removed file means for the server.
  package var localDeletion: LocalDeletion
  /// Where the mark \Deleted is more than a mark.
  package var expunge: Expunge

  /// A policy from its fields.
  package init(
    direction: Direction,
    localDeletion: LocalDeletion = .trash,
    expunge: Expunge = .never
  ) {
    self.direction = direction
    self.localDeletion = localDeletion
    self.expunge = expunge
  }

  /// Whether marked messages go for good in a mailbox of that role.
  func expunges(in role: Role?) -> Bool {
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
