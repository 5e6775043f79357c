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
  /// What was agreed on of files that were moved here and hold what they held, after their messages were moved on the server and
  /// fetched there, and the files that these have by now.
  let late: [Place: (record: BaseRecord, survivor: Survivor)]
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
    late = Dictionary(
      zip(mailboxes, differences).flatMap { Self.late($0, $1, moves) },
      uniquingKeysWith: { first, _ in first }
    )
  }

  private static func late(
    _ mailbox: MailboxSnapshot,
    _ difference: LocalDifference,
    _ moves: MoveMatcher
  ) -> [(Place, (record: BaseRecord, survivor: Survivor))] {
    guard !mailbox.outside.survivors.isEmpty else { return [] }
    let deserted = mailbox.base.map { record in
      (record, moves.deserted[RemoteReference(mailbox: mailbox.mailbox, uid: record.uid)])
    }
    let former = mailbox.formerRecords.map { record in
      let file = difference.file(of: record.name)
      return (record, file.map { Place(mailbox: mailbox.mailbox, file: $0) })
    }
    return (deserted + former).compactMap { record, place in
      guard let survivor = mailbox.outside.survivors[record.name], let place,
        let now = place.file.identity, now == record.identity
      else { return nil }
      return (place, (record, survivor))
    }
  }
}

extension LocalFile {
  /// Whether the file was flagged since both sides agreed on the record.
  func isFlagged(beyond record: BaseRecord) -> Bool {
    flags.contains(.flagged) && !record.flags.system.contains(.flagged)
  }
}
