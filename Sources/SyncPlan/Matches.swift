/// What is found by looking at all mailboxes together.
struct Matches {
  /// What was moved here.
  let moves: MoveMatcher
  /// What was moved on the server.
  let serverMoves: ServerMoveMatcher
  /// The mailboxes that may be changed on the server.
  let writable: Set<UInt64>
  /// Moved files of messages that are gone from the server.
  let strays: Set<Place>
  /// Moved files of messages that are gone from the server and were flagged here meanwhile.
  private let rescued: Set<Place>

  init(
    _ mailboxes: [MailboxSnapshot],
    _ remotes: [RemoteIndex],
    _ differences: [LocalDifference],
    _ policy: Policy
  ) {
    let moves = MoveMatcher(differences, includesMissing: policy.pulls)
    let serverMoves = ServerMoveMatcher(mailboxes, remotes, differences, moves)
    writable = Set(mailboxes.filter(\.isWritable).map(\.mailbox))
    self.moves = moves
    self.serverMoves = serverMoves
    guard policy.direction == .both else {
      (strays, rescued) = ([], [])
      return
    }
    let deserted = differences.flatMap { Self.deserted($0, moves, serverMoves) }
    strays = Set(deserted.filter { !$0.isFlagged }.map(\.place))
    rescued = Set(deserted.filter(\.isFlagged).map(\.place))
  }

  /// Whether the file of a message that is gone is to be sent up again.
  func isRescued(_ place: Place) -> Bool {
    rescued.contains(place)
  }

  /// The moved files of messages that went from the server for good.
  private static func deserted(
    _ difference: LocalDifference,
    _ moves: MoveMatcher,
    _ serverMoves: ServerMoveMatcher
  ) -> [(place: Place, isFlagged: Bool)] {
    difference.missing.compactMap { record in
      let message = MessageReference(mailbox: difference.mailbox, uid: record.uid)
      guard !serverMoves.departed.contains(message), let place = moves.places[message],
        place.mailbox != difference.mailbox || place.file.name != record.name
      else { return nil }
      return (place, place.file.isFlagged(beyond: record))
    }
  }
}

extension LocalFile {
  /// Whether somebody flagged the file since both sides agreed on the record.
  func isFlagged(beyond record: BaseRecord) -> Bool {
    flags.contains(.flagged) && !record.flags.system.contains(.flagged)
  }
}
