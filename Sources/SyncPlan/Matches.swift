/// What is found by looking at all mailboxes together.
struct Matches {
  /// What was moved here.
  let moves: MoveMatcher
  /// What was moved on the server.
  let serverMoves: ServerMoveMatcher
  /// The mailboxes that may be changed on the server.
  let writable: Set<UInt64>

  init(
    _ mailboxes: [MailboxSnapshot],
    _ remotes: [RemoteIndex],
    _ differences: [LocalDifference]
  ) {
    moves = MoveMatcher(differences)
    serverMoves = ServerMoveMatcher(mailboxes, remotes, differences, moves)
    writable = Set(mailboxes.filter(\.isWritable).map(\.mailbox))
  }
}

extension LocalFile {
  /// Whether the file was flagged since both sides agreed on the record.
  func isFlagged(beyond record: BaseRecord) -> Bool {
    flags.contains(.flagged) && !record.flags.system.contains(.flagged)
  }
}
