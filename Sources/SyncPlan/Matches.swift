internal import MailModel
internal import Octets

/// What is found by looking at all mailboxes together.
struct Matches {
  /// What was moved here.
  let moves: MoveMatcher
  /// What was moved on the server.
  let serverMoves: ServerMoveMatcher
  /// The mailboxes that may be changed on the server.
  let writable: Set<UInt64>
  /// Files that were moved here under their names and hold what they held, after their messages were moved on the
  /// server and fetched there.
  let late: Set<Place>
  /// What has to wait, since it is not known where the files are.
  let postponed: PostponedMessages

  init(
    _ mailboxes: [MailboxSnapshot],
    _ remotes: [RemoteIndex],
    _ differences: [LocalDifference]
  ) {
    // Only the file of a message that is missing on both sides could be that of a new one.
    let isMissing = differences.contains { !$0.missing.isEmpty }
    let arrivals = isMissing ? MessageMark.new(in: mailboxes, remotes) : [:]
    let moves = MoveMatcher(differences, arrivals: arrivals)
    self.moves = moves
    postponed = PostponedMessages(mailboxes, differences, moves)
    serverMoves = ServerMoveMatcher(mailboxes, remotes, differences, moves)
    writable = Set(mailboxes.filter(\.isWritable).map(\.mailbox))
    late = Set(
      mailboxes.filter { !$0.outside.survivors.isEmpty }.flatMap { mailbox in
        mailbox.base.filter { mailbox.outside.survivors.contains($0.name) }.compactMap { record in
          let place = moves.deserted[RemoteReference(mailbox: mailbox.mailbox, uid: record.uid)]
          guard let place, place.file.name == record.name, let now = place.file.identity,
            now == record.identity
          else { return nil }
          return place
        }
      }
    )
  }
}

extension LocalFile {
  /// Whether the file was flagged since both sides agreed on the record.
  func isFlagged(beyond record: BaseRecord) -> Bool {
    flags.contains(.flagged) && !record.flags.system.contains(.flagged)
  }
}
