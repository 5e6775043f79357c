internal import Octets

/// Finds messages that the server moved from one mailbox to another, so that none is fetched again:
/// a pure function on all mailboxes together.
///
/// A message that is gone from one mailbox and one that is new in another are the same where
/// Message-ID, size and internal date are, and no other message of the two kinds has them.
struct ServerMoveMatcher {
  /// A message that left its mailbox.
  struct Departure: Hashable {
    let mailbox: UInt64
    let record: BaseRecord
    /// Where its file lies: still there, or where somebody moved it here.
    let place: Place
  }

  private struct Mark: Hashable {
    let messageID: UInt64
    let size: UInt64
    let date: Int64
  }

  /// What the messages that are new in a mailbox were before.
  private(set) var departures: [MessageReference: Departure] = [:]
  /// The messages that went elsewhere, so that they are no deletions.
  private(set) var departed: Set<MessageReference> = []

  init(
    _ mailboxes: [MailboxSnapshot],
    _ remotes: [RemoteIndex],
    _ differences: [LocalDifference],
    _ moves: MoveMatcher
  ) {
    let arrivals = Self.arrivals(mailboxes, remotes)
    guard !arrivals.isEmpty else { return }
    let taken = Dictionary(
      differences.map { ($0.mailbox, $0) },
      uniquingKeysWith: { first, _ in first }
    )
    var lost: [Mark: [Departure]] = [:]
    for (difference, (mailbox, remote)) in zip(differences, zip(mailboxes, remotes)) {
      for record in mailbox.base where remote.isGone(record.uid) {
        guard let mark = Self.mark(record),
          let place = Self.place(of: record, difference, moves)
        else { continue }
        let departure = Departure(mailbox: mailbox.mailbox, record: record, place: place)
        lost[mark, default: []].append(departure)
      }
    }
    for (mark, departures) in lost {
      guard let found = arrivals[mark], found.count == 1, departures.count == 1,
        Self.isFree(departures[0], found[0].mailbox, taken)
      else { continue }
      self.departures[found[0]] = departures[0]
      departed.insert(
        MessageReference(mailbox: departures[0].mailbox, uid: departures[0].record.uid)
      )
    }
  }

  /// Whether the file could bear its name in the other mailbox.
  private static func isFree(
    _ departure: Departure,
    _ target: UInt64,
    _ taken: [UInt64: LocalDifference]
  ) -> Bool {
    departure.place.mailbox == target
      || taken[target]?.file(of: departure.place.file.name) == nil
  }

  private static func arrivals(
    _ mailboxes: [MailboxSnapshot],
    _ remotes: [RemoteIndex]
  ) -> [Mark: [MessageReference]] {
    var arrivals: [Mark: [MessageReference]] = [:]
    for (mailbox, remote) in zip(mailboxes, remotes) {
      let known = Set(mailbox.base.map(\.uid))
      for message in remote.newestFirst(where: { !known.contains($0) }) {
        guard let key = message.key, key.messageID != 0, let size = message.size,
          let date = message.date
        else { continue }
        let reference = MessageReference(mailbox: mailbox.mailbox, uid: message.uid)
        arrivals[Mark(messageID: key.messageID, size: size, date: date), default: []]
          .append(reference)
      }
    }
    return arrivals
  }

  private static func mark(_ record: BaseRecord) -> Mark? {
    guard let identity = record.identity, identity.messageID != 0 else { return nil }
    return Mark(messageID: identity.messageID, size: record.size, date: record.date)
  }

  private static func place(
    of record: BaseRecord,
    _ difference: LocalDifference,
    _ moves: MoveMatcher
  ) -> Place? {
    if let file = difference.file(of: record.name) {
      return Place(mailbox: difference.mailbox, file: file)
    }
    return moves.places[MessageReference(mailbox: difference.mailbox, uid: record.uid)]
  }
}
