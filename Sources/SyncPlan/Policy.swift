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

  /// Which side may be changed.
  package var direction: Direction
  /// What a removed file means for the server.
  package var localDeletion: LocalDeletion

  /// A policy from its fields.
  package init(direction: Direction, localDeletion: LocalDeletion = .trash) {
    self.direction = direction
    self.localDeletion = localDeletion
  }

  /// Whether the local side may be changed.
  package var pulls: Bool { direction != .push }
  /// Whether the server may be changed.
  package var pushes: Bool { direction != .pull }
}
