internal import Octets

/// What the base does not know.
extension MailboxPlanning {
  mutating func planAdditions() {
    let unknown = remote.newestFirst(where: { !knownUIDs.contains($0) })
    let matched = AdditionMatcher(snapshot, difference.added, unknown: unknown)
    let mirrored = mirroredIdentifiers
    for file in difference.added {
      if matched.messages[file.name] == nil, isSecondCopy(file, mirrored) {
        add(.orphan(name: file.name, uid: nil), .alreadyHere)
      } else {
        planAdded(file, matched.messages[file.name])
      }
    }
  }

  /// The Message-IDs of what is in Sent on both sides; none of other mailboxes, where copies are wanted.
  private var mirroredIdentifiers: Set<UInt64> {
    guard snapshot.role == .sent, policy.pushes else { return [] }
    let records = snapshot.base.filter {
      difference.file(of: $0.name) != nil && !remote.isGone($0.uid)
    }
    return Set(records.compactMap { $0.identity?.messageID })
  }

  /// Whether a client wrote a copy of what was sent although the server, and thus the folder, has one already.
  private func isSecondCopy(_ file: LocalFile, _ mirrored: Set<UInt64>) -> Bool {
    let place = Place(mailbox: snapshot.mailbox, file: file)
    guard file.ownUID == nil, !matches.moves.arrivals.contains(place),
      !matches.strays.contains(place), let identifier = file.identity?.messageID
    else { return false }
    return identifier != 0 && mirrored.contains(identifier)
  }

  private mutating func planAdded(_ file: LocalFile, _ match: RemoteMessage?) {
    let place = Place(mailbox: snapshot.mailbox, file: file)
    if matches.strays.contains(place) {
      return add(.removeLocal(name: file.name, uid: nil), .deletedOnServer)
    }
    if matches.serverMoves.arrived.contains(place) { return }
    if matches.moves.arrivals.contains(place) { return planArrival(file, place) }
    if let match { return bind(file, to: match) }
    guard let uid = file.ownUID, !knownUIDs.contains(uid) else { return planAppend(file, .newHere) }
    if let message = remote.message(uid) { return bind(file, to: message) }
    // Where the server did not list everything, the next run knows more.
    if remote.isGone(uid) { add(.orphan(name: file.name, uid: nil), .unknownOnServer) }
  }

  /// The new place of a file is no addition, unless its message is gone and it was flagged meanwhile.
  private mutating func planArrival(_ file: LocalFile, _ place: Place) {
    guard policy.direction == .both, matches.isRescued(place) else { return }
    planAppend(file, .flaggedHere)
  }

  mutating func planAppend(_ file: LocalFile, _ reason: Reason) {
    guard policy.pushes else { return hold(.addition(name: file.name), .pullOnly) }
    guard snapshot.isWritable else { return hold(.addition(name: file.name), .readOnly) }
    add(.append(name: file.name, flags: file.flags, replacing: nil), reason)
  }

  private mutating func bind(_ file: LocalFile, to message: RemoteMessage) {
    knownUIDs.insert(message.uid)
    let merge = FlagMerge(
      unrelated: file.flags,
      remote: message.flags,
      permanent: snapshot.permanentFlags
    )
    add(
      .bind(
        name: file.name,
        uid: message.uid,
        agreed: merge.agreedBefore,
        size: message.size ?? 0,
        date: message.date ?? 0
      ),
      .alreadyHere
    )
    planFlags(merge, file, uid: message.uid, base: nil)
  }

  mutating func planUnknown(_ message: RemoteMessage) {
    if snapshot.tombstones.contains(message.uid) { return }
    if let departure = matches.serverMoves.departures[reference(message.uid)], policy.pulls {
      return planFollowed(message, departure)
    }
    if let since = snapshot.fetchSince, let date = message.date, date < since { return }
    guard policy.pulls else { return hold(.download(uid: message.uid), .pushOnly) }
    add(.download(message), .newOnServer)
  }

  /// The file goes where the server's message went.
  private mutating func planFollowed(
    _ message: RemoteMessage,
    _ departure: ServerMoveMatcher.Departure
  ) {
    let file = departure.place.file
    let merge = FlagMerge(
      base: departure.record.flags,
      local: file.flags,
      remote: message.flags,
      permanent: snapshot.permanentFlags
    )
    add(
      .relocate(
        name: file.name,
        from: departure.place.mailbox,
        message: message,
        flags: merge.local,
        identity: departure.record.identity
      ),
      .movedOnServer
    )
    guard merge.hasPush, policy.pushes, snapshot.isWritable else { return }
    planStore(message.uid, merge)
  }
}
