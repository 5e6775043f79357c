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
    let moves = MoveMatcher(differences, arrivals: Self.arrivals(mailboxes, remotes, differences))
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

  /// Where the server has new messages, by their marks; empty where no message is missing on both sides, whose file
  /// could be theirs.
  private static func arrivals(
    _ mailboxes: [MailboxSnapshot],
    _ remotes: [RemoteIndex],
    _ differences: [LocalDifference]
  ) -> [MessageMark: Set<UInt64>] {
    guard differences.contains(where: { !$0.missing.isEmpty }) else { return [:] }
    var arrivals: [MessageMark: Set<UInt64>] = [:]
    for (mailbox, remote) in zip(mailboxes, remotes) {
      let known = Set(mailbox.base.map(\.uid))
      for message in remote.newestFirst(where: { !known.contains($0) }) {
        guard let mark = MessageMark(message) else { continue }
        arrivals[mark, default: []].insert(mailbox.mailbox)
      }
    }
    return arrivals
  }
}

extension LocalFile {
  /// Whether the file was flagged since both sides agreed on the record.
  func isFlagged(beyond record: BaseRecord) -> Bool {
    flags.contains(.flagged) && !record.flags.system.contains(.flagged)
  }
}
