internal import MailModel
internal import Octets

/// What is found by looking at all mailboxes together.
struct Matches {
  let moves: MoveMatcher
  let serverMoves: ServerMoveMatcher
  /// The mailboxes that may be changed on the server.
  let writable: Set<UInt64>
  /// Those that the configuration keeps from being changed there, where others may be.
  let pulledOnly: Set<UInt64>
  /// What was agreed on of files that were moved here and hold what they held, after their messages were moved on the server and
  /// fetched there, and the files that these have by now.
  let late: [Place: (record: BaseRecord, survivor: Survivor)]
  /// What has to wait, since it is not known where the files are.
  let postponed: PostponedMessages
  /// The messages whose files are not in their places.
  private let absent: Set<RemoteReference>
  /// What the server says of the mailboxes.
  private let remotes: [UInt64: RemoteIndex]
  /// The Maildirs of the mailboxes, relative to the account's root.
  private let directories: [UInt64: [UInt8]]

  init(
    _ mailboxes: [MailboxSnapshot],
    _ remotes: [RemoteIndex],
    _ differences: [LocalDifference]
  ) {
    // Only the file of a message that is missing on both sides could be that of a new one.
    let isMissing = differences.contains { !$0.missing.isEmpty }
    let arrivals = isMissing ? Sameness.newMarks(mailboxes, remotes) : [:]
    absent = Set(
      differences.flatMap { difference in
        (difference.absent + difference.missing).map {
          RemoteReference(mailbox: difference.mailbox, uid: $0.uid)
        }
      }
    )
    self.remotes = Dictionary(first: zip(mailboxes, remotes).map { ($0.mailbox, $1) })
    let moves = MoveMatcher(differences, arrivals: arrivals)
    self.moves = moves
    postponed = PostponedMessages(mailboxes, differences, moves)
    serverMoves = ServerMoveMatcher(mailboxes, remotes, differences, moves)
    let pulledOnly = Set(mailboxes.filter { $0.policy?.pushes == false }.map(\.mailbox))
    self.pulledOnly = pulledOnly
    writable = Set(mailboxes.filter(\.isWritable).map(\.mailbox)).subtracting(pulledOnly)
    let directories = Dictionary(first: mailboxes.map { ($0.mailbox, $0.directory) })
    self.directories = directories
    late = Dictionary(
      first: zip(mailboxes, differences).flatMap { Self.late($0, $1, moves, directories) }
    )
  }

  /// Whether the server has a message no more, as far as it was asked.
  func isGone(_ message: RemoteReference) -> Bool {
    remotes[message.mailbox]?.isGone(message.uid) ?? false
  }

  /// Whether the file of a message is not in its place.
  func isAbsent(_ message: RemoteReference) -> Bool { absent.contains(message) }

  /// The file of a message that the server moved; nil where it is not known yet where that is.
  func survivor(_ survival: Survival) -> Survivor? {
    moves.survivor(survival, directories)
  }

  private static func late(
    _ mailbox: MailboxSnapshot,
    _ difference: LocalDifference,
    _ moves: MoveMatcher,
    _ directories: [UInt64: [UInt8]]
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
      guard let survival = mailbox.outside.survivors[record.name],
        let survivor = moves.survivor(survival, directories), let place,
        record.sameness(to: place.file) == .certain
      else { return nil }
      return (place, (record, survivor))
    }
  }
}

extension MoveMatcher {
  /// Where the file is by now, in one of these Maildirs; one that was written anew is another message.
  fileprivate func survivor(
    _ survival: Survival,
    _ directories: [UInt64: [UInt8]]
  ) -> Survivor? {
    switch survival {
    case .file(let survivor): return survivor
    case .underWay(let reference):
      guard let place = movedPlace(of: reference), let directory = directories[place.mailbox] else {
        return nil
      }
      return Survivor(directory: directory, name: place.file.name)
    }
  }
}

extension LocalFile {
  /// Whether the file was flagged since both sides agreed on the record.
  func isFlagged(beyond record: BaseRecord) -> Bool {
    flags.contains(.flagged) && !record.flags.system.contains(.flagged)
  }

  /// Whether flags or tags of the file were changed since both sides agreed on the record, except for the mark that it is to go.
  func isChanged(beyond record: BaseRecord) -> Bool {
    flags.subtracting(.deleted) != record.flags.system.subtracting(.deleted)
      || !tags.left(of: record.flags.keywords).isEmpty
  }
}
