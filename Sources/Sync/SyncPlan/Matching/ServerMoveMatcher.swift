internal import MailModel
internal import Octets

/// Finds messages that the server moved from one mailbox to another, so that none is fetched again:
/// a pure function on all mailboxes together.
///
/// A message that is gone from one mailbox and one that is new in another are the same where Message-ID, header,
/// size and internal date are, and no other message of the two kinds has them. Without a Message-ID the body
/// stands for it. A server that changes what it copies gives another header and size: then Message-ID, body and internal date
/// decide.
struct ServerMoveMatcher {
  /// A message that left its mailbox.
  struct Departure: Hashable {
    let mailbox: UInt64
    let record: BaseRecord
    /// Its flags of which a run that was cut short says that they were about to be changed; nil where there are none.
    var underWay: FlagsUnderWay?
    /// Where its file lies: still there, or where it was moved here.
    var place: Place
    /// The base name that the file is to have where its message is now.
    var name: [UInt8]
    /// Whether its UID is no longer valid, since the mailbox was rematched in this run.
    var isFormer = false
    var reference: RemoteReference { RemoteReference(mailbox: mailbox, uid: record.uid) }
    fileprivate var trace: Trace { Trace(record) }
    /// Whether it is not where the map has it.
    var isMoved: Bool { place.mailbox != mailbox || place.file.name != record.name }

    /// Whether it is in the mailbox where it was, as one that another client took from there and brought back: where its file
    /// was moved to another one, that is all that anybody moved it to.
    func isBack(in mailbox: UInt64) -> Bool {
      SyncRule.survivors.isOn && !isFormer && mailbox == self.mailbox && place.mailbox != mailbox
    }

    /// The flags that both sides agreed on, by what the server has of it now.
    func agreed(beside message: RemoteMessage) -> MessageFlags {
      guard let underWay else { return record.flags }
      return underWay.resolveFlags(
        record.flags,
        file: place.file.flags,
        message: message.flags.system
      )
    }
  }

  /// A message that is new in a mailbox.
  private struct Arrival {
    let reference: RemoteReference
    let trace: Trace

    /// Whether it may be the departed message; where no record says that the server had that, its content has to.
    func fits(_ departure: Departure) -> Bool {
      let same = Sameness.compare(departure.trace, trace, .movedByServer)
      guard departure.isFormer, same.level > .possible else { return same.level > .possible }
      return same.agreeing.contains(.body) && departure.mailbox != reference.mailbox
    }
  }

  /// What the messages that are new in a mailbox were before.
  private(set) var departures: [RemoteReference: Departure] = [:]
  /// The messages that went elsewhere, so that they are no deletions.
  private(set) var departed: Set<RemoteReference> = []
  /// Those of them whose file has its new place already, and the old one too: a rename was cut short.
  private(set) var doubled: Set<RemoteReference> = []
  /// The new places of these files, so that they are no additions.
  private(set) var arrived: Set<Place> = []
  /// Where files of such messages lie that were moved here too: they follow the server, and are no additions.
  private(set) var followed: Set<Place> = []
  private var freshNames: OctetSet = []
  /// The base names that files were given, by mailbox.
  private var given: [UInt64: OctetSet] = [:]

  init(
    _ mailboxes: [MailboxSnapshot],
    _ remotes: [RemoteIndex],
    _ differences: [LocalDifference],
    _ moves: MoveMatcher
  ) {
    let arrivals = Self.arrivals(mailboxes, remotes)
    guard !arrivals.isEmpty else { return }
    let taken = differences.keyed(by: \.mailbox)
    let lost = Self.lost(mailboxes, remotes, differences, moves)
    for (departure, arrival) in Self.pairs(lost, arrivals, .mark) {
      joinPair(departure, arrival, taken, differences, moves)
    }
    // What is left may have been changed by the server when it was copied.
    let rest = lost.filter {
      SyncRule.contents.isOn && !$0.isFormer && !departed.contains($0.reference)
    }
    let free = arrivals.filter { self.departures[$0.reference] == nil }
    for (departure, arrival) in Self.pairs(rest, free, [.named, .body, .date]) {
      joinPair(departure, arrival, taken, differences, moves)
    }
  }

  /// The message that left is the one that came.
  private mutating func joinPair(
    _ departure: Departure,
    _ arrival: RemoteReference,
    _ taken: [UInt64: LocalDifference],
    _ differences: [LocalDifference],
    _ moves: MoveMatcher
  ) {
    if departure.isBack(in: arrival.mailbox) || isFree(departure, arrival.mailbox, taken) {
      join(departure, arrival)
    } else if !departure.isFormer,
      let twin = Self.twin(of: departure, arrival.mailbox, differences),
      moves.isFree(twin), !arrived.contains(twin)
    {
      joinTwin(departure, arrival, twin)
    } else {
      var departure = departure
      departure.name = freshName(for: departure, in: taken[arrival.mailbox])
      join(departure, arrival)
    }
  }

  /// Which of the messages that left went where, among those that have the same mark.
  ///
  /// In the order of the mailboxes: ids, and the order of a dictionary, are another at each run.
  private static func pairs(
    _ lost: [Departure],
    _ arrivals: [Arrival],
    _ facts: Sameness.Facts
  ) -> [(Departure, RemoteReference)] {
    var found: [Sameness.Key: [Arrival]] = [:]
    for arrival in arrivals {
      if let mark = arrival.trace.key(facts) { found[mark, default: []].append(arrival) }
    }
    guard !found.isEmpty else { return [] }
    var departures: [Sameness.Key: [Departure]] = [:]
    var marks: [Sameness.Key] = []
    for departure in lost {
      guard let mark = departure.trace.key(facts), found[mark] != nil else { continue }
      if departures[mark] == nil { marks.append(mark) }
      departures[mark, default: []].append(departure)
    }
    return marks.flatMap { pairs(departures[$0] ?? [], found[$0] ?? []) }
  }

  /// Which of the messages that left went where.
  ///
  /// Of several that look alike only what was read counts, and then any is as good as another. Those whose files were
  /// moved come first: without an arrival they would be sent up again. Of one that may never have been on the server
  /// nothing is said then.
  private static func pairs(
    _ departures: [Departure],
    _ arrivals: [Arrival]
  ) -> [(Departure, RemoteReference)] {
    if arrivals.count == 1, departures.count == 1 {
      return arrivals[0].fits(departures[0]) ? [(departures[0], arrivals[0].reference)] : []
    }
    // The last ones are taken first; those of a mailbox come with the newest first.
    var free: [Sameness.Key: [UInt64: [RemoteReference]]] = [:]
    for arrival in arrivals {
      guard let text = arrival.trace.key(.text) else { continue }
      free[text, default: [:]][arrival.reference.mailbox, default: []].append(arrival.reference)
    }
    var mailboxes: [UInt64] = []
    for arrival in arrivals where arrival.reference.mailbox != mailboxes.last {
      mailboxes.append(arrival.reference.mailbox)
    }
    return Self.inOrder(departures).compactMap { departure in
      guard let text = departure.record.identity?.text else { return nil }
      for mailbox in [departure.place.mailbox] + mailboxes {
        if let arrival = free[text]?[mailbox]?.popLast() {
          return (departure, arrival)
        }
      }
      return nil
    }
  }

  private static func inOrder(_ departures: [Departure]) -> [Departure] {
    let own = departures.filter { !$0.isFormer }
    return own.filter(\.isMoved) + own.filter { !$0.isMoved }
  }

  /// The messages that are gone from their mailboxes and whose files are known.
  private static func lost(
    _ mailboxes: [MailboxSnapshot],
    _ remotes: [RemoteIndex],
    _ differences: [LocalDifference],
    _ moves: MoveMatcher
  ) -> [Departure] {
    var lost: [Departure] = []
    let hasFormer = mailboxes.contains { !$0.formerRecords.isEmpty }
    let added = hasFormer ? Sameness.places(differences.flatMap(\.places), by: .content) : [:]
    for (difference, (mailbox, remote)) in zip(differences, zip(mailboxes, remotes))
    where mailbox.policy?.pulls ?? true {
      for record in mailbox.base where remote.isGone(record.uid) {
        guard Trace(record).key(.mark) != nil, let place = place(of: record, difference, moves),
          holds(place.file, record)
        else { continue }
        let departure = Departure(
          mailbox: mailbox.mailbox,
          record: record,
          underWay: mailbox.underWay[record.uid],
          place: place,
          name: place.file.name
        )
        lost.append(departure)
      }
      for record in mailbox.formerRecords {
        guard Trace(record).key(.mark) != nil,
          let place = place(ofFormer: record, difference, added)
        else { continue }
        let departure = Departure(
          mailbox: mailbox.mailbox,
          record: record,
          place: place,
          name: place.file.name,
          isFormer: true
        )
        lost.append(departure)
      }
    }
    return lost
  }

  /// Where the file of a record lies that is no longer valid: where it was, or where it was moved here.
  private static func place(
    ofFormer record: BaseRecord,
    _ difference: LocalDifference,
    _ added: [Sameness.Key: [Place]]
  ) -> Place? {
    if let file = difference.file(of: record.name) {
      return Place(mailbox: difference.mailbox, file: file)
    }
    guard let content = Trace(fileOf: record).key(.content) else { return nil }
    return added[content]?.first { $0.mailbox != difference.mailbox }
  }

  private mutating func join(_ departure: Departure, _ arrival: RemoteReference) {
    departures[arrival] = departure
    given[arrival.mailbox, default: []].insert(departure.name)
    if departure.isMoved || departure.isFormer { followed.insert(departure.place) }
    guard !departure.isFormer else { return }
    departed.insert(departure.reference)
  }

  private mutating func joinTwin(
    _ departure: Departure,
    _ arrival: RemoteReference,
    _ twin: Place
  ) {
    var departure = departure
    departure.place = twin
    join(departure, arrival)
    arrived.insert(twin)
    doubled.insert(departure.reference)
  }

  /// The same file under the same name where it is to go, which no record there knows; it may have been moved there
  /// for another message.
  private static func twin(
    of departure: Departure,
    _ target: UInt64,
    _ differences: [LocalDifference]
  ) -> Place? {
    guard SyncRule.followed.isOn, departure.place.mailbox == departure.mailbox,
      let difference = differences.first(where: { $0.mailbox == target }),
      let file = difference.added.first(where: { $0.name == departure.place.file.name }),
      departure.record.sameness(to: file) == .certain
    else { return nil }
    return Place(mailbox: target, file: file)
  }

  /// A base name that no file of the mailbox has, where another message has the file's own.
  private mutating func freshName(
    for departure: Departure,
    in difference: LocalDifference?
  ) -> [UInt8] {
    var number = 1
    while true {
      let fresh = FreshName.form(number, of: departure.place.file.name)
      let isTaken = difference?.isTaken(fresh) == true || freshNames.contains(fresh)
      number += 1
      guard !isTaken else { continue }
      freshNames.insert(fresh)
      return fresh
    }
  }

  /// Whether the file could bear its name in the other mailbox.
  private func isFree(
    _ departure: Departure,
    _ target: UInt64,
    _ taken: [UInt64: LocalDifference]
  ) -> Bool {
    if given[target]?.contains(departure.name) == true { return false }
    if departure.place.mailbox == target { return true }
    let own = departure.mailbox == target ? departure.record.uid : nil
    return taken[target]?.isTaken(departure.place.file.name, own: own) != true
  }

  private static func arrivals(
    _ mailboxes: [MailboxSnapshot],
    _ remotes: [RemoteIndex]
  ) -> [Arrival] {
    var arrivals: [Arrival] = []
    // No file follows a message into a mailbox that is only pushed, or out of one.
    for (mailbox, remote) in zip(mailboxes, remotes) where mailbox.policy?.pulls ?? true {
      // A message of which a file here bears the UID was fetched by a run that was cut short.
      let known = mailbox.knownUIDs.union(mailbox.local.compactMap(\.ownUID))
      for message in remote.newestFirst(but: known) {
        let trace = Trace(message)
        guard trace.key(.mark) != nil else { continue }
        let reference = RemoteReference(mailbox: mailbox.mailbox, uid: message.uid)
        arrivals.append(Arrival(reference: reference, trace: trace))
      }
    }
    return arrivals
  }

  /// Whether the file is the message's as it was agreed on; one that was written anew is another message by now.
  private static func holds(_ file: LocalFile, _ record: BaseRecord) -> Bool {
    !file.isEdited && record.sameness(to: file) != .no
  }

  private static func place(
    of record: BaseRecord,
    _ difference: LocalDifference,
    _ moves: MoveMatcher
  ) -> Place? {
    if let file = difference.file(of: record) {
      return Place(mailbox: difference.mailbox, file: file)
    }
    return moves.deserted[RemoteReference(mailbox: difference.mailbox, uid: record.uid)]
  }
}
