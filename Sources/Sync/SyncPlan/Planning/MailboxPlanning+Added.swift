internal import MailModel
internal import Octets

/// What the base does not know.
extension MailboxPlanning {
  mutating func planAdditions() {
    guard !difference.added.isEmpty else { return }
    let unknown = Array(remote.newestFirst(but: knownUIDs)).filter {
      matches.serverMoves.departures[reference($0.uid)] == nil
    }
    let matched = AdditionMatcher(snapshot, difference.added, remote, unknown: unknown)
    let mirrored = mirrored
    for file in difference.added {
      let place = Place(mailbox: snapshot.mailbox, file: file)
      if isFollowed(place) {
        if !policy.pulls { block(.addition(name: file.name), .pushOnly) }
      } else if matches.moves.sources[place] != nil {
        planArrival(file, place)
      } else if snapshot.outside.fromElsewhere[file.name] != nil {
        planForeign(file, matched.messages[file.name])
      } else if let message = matched.messages[file.name] {
        match(file, to: message)
      } else if let late = matches.late[place] {
        planLate(file, late.record, late.survivor)
      } else if let source = matches.moves.kept[place] {
        planKept(file, of: source)
      } else {
        planAdded(file, mirrored)
      }
    }
  }

  /// What may be the file of another mailbox's message waits until that one is seen too, and with it what the server has of
  /// the same content: it may be the same message.
  private mutating func planForeign(_ file: LocalFile, _ message: RemoteMessage?) {
    block(.addition(name: file.name), .fromElsewhere)
    guard let message else { return }
    knownUIDs.insert(message.uid)
    result.isPostponed = true
    block(.download(uid: message.uid), .fromElsewhere)
  }

  private mutating func planLate(_ file: LocalFile, _ record: BaseRecord, _ survivor: Survivor) {
    guard policy.pulls else { return block(.addition(name: file.name), .pushOnly) }
    planSuperseded(file, nil, record, survivor)
  }

  /// Whether the file follows its message to where the server moved it, or is the other name of one that did.
  private func isFollowed(_ place: Place) -> Bool {
    matches.serverMoves.arrived.contains(place) || matches.serverMoves.followed.contains(place)
  }

  /// The messages that are in Sent on both sides, by text, or by Message-ID where the text is not known.
  ///
  /// None of other mailboxes, where copies are wanted.
  private var mirrored: Set<Sameness.Key> {
    guard SyncRule.contents.isOn, snapshot.role == .sent, policy.pushes else { return [] }
    let records = snapshot.base.filter {
      difference.file(of: $0.name) != nil && !remote.isGone($0.uid)
    }
    return Set(
      records.compactMap { record in
        Trace(record).key(record.completeness.isPartial ? .named : [.named, .body])
      }
    )
  }

  private static func isOne(_ file: LocalFile, of mirrored: Set<Sameness.Key>) -> Bool {
    [.named, [.named, .body]].contains { Trace(file).key($0).map(mirrored.contains) ?? false }
  }

  private mutating func planAdded(_ file: LocalFile, _ mirrored: Set<Sameness.Key>) {
    if policy.keepsFiles, snapshot.outside.fromDeleted.contains(file.name) {
      return planLeft(file)
    }
    guard let uid = file.ownUID, !knownUIDs.contains(uid) else {
      // A client stored a copy of what was sent although the server, and thus the folder, has one already.
      if file.ownUID == nil, Self.isOne(file, of: mirrored) {
        return block(.addition(name: file.name), .alreadyThere)
      }
      if let copy = copy(file) { return planCopy(file, copy) }
      return planAppend(file, .newHere)
    }
    if let message = remote.message(uid) {
      if isUnread(message), isDraft(file), file.identity != nil { return planUnread(file, uid) }
      return isEdited(file, message) ? matchEdited(file, to: message) : match(file, to: message)
    }
    // Where the server did not list everything, the next run knows more.
    if remote.isGone(uid) { add(MailboxFact.detach(name: file.name, uid: nil), .unknownOnServer) }
  }

  /// What the server lost with its mailbox is kept, and not sent up again.
  private mutating func planLeft(_ file: LocalFile) {
    // A later run may see that it was moved there before, and has the file follow.
    if policy.isLimited {
      result.isPostponed = true
      return block(.addition(name: file.name), .mayHaveMoved)
    }
    add(MailboxFact.detach(name: file.name, uid: nil), .deletedOnServer)
  }

  /// What was moved here, and the server has no more.
  private mutating func planKept(_ file: LocalFile, of source: RemoteReference) {
    if let cause = matches.postponed.records[source] {
      result.isPostponed = true
      return block(.addition(name: file.name), cause)
    }
    if snapshot.holdsOnce, let copy = copy(file) {
      if let twin = copy.twin { return planTwin(file, twin) }
      // Of a message that is about to lose this label, with another file that was here, the next run knows more.
      if copy.originals.contains(where: { $0.mailbox == snapshot.mailbox }) {
        result.isPostponed = true
        return block(.addition(name: file.name), .copied)
      }
    }
    if isPartial(file) {
      return add(MailboxFact.detach(name: file.name, uid: nil), .attachmentsLost)
    }
    guard policy.keepsFiles else {
      guard var copy = copy(file) else { return planAppend(file, .keptHere) }
      // The server has the content elsewhere, and no message to move.
      copy.isAsked = true
      return planCopy(file, copy)
    }
    add(MailboxFact.detach(name: file.name, uid: nil), .deletedOnServer)
  }

  /// Whether the file is no whole message: by the record of the message that it holds, else by what it says of itself.
  ///
  /// Anybody can send a message that looks like a partial file.
  func isPartial(_ file: LocalFile) -> Bool {
    let place = Place(mailbox: snapshot.mailbox, file: file)
    guard let record = matches.moves.records[place] else { return file.isPartial }
    return record.completeness.isPartial || file.isPartial && record.sameness(to: file) != .certain
  }

  /// The new place of a file is no addition, unless its message cannot move or it was written anew.
  private mutating func planArrival(_ file: LocalFile, _ place: Place) {
    guard let source = matches.moves.sources[place], policy.pushes,
      source.mailbox != snapshot.mailbox
    else { return }
    if matches.moves.edited.contains(place) {
      planAppend(file, matches.writable.contains(source.mailbox) ? .editedHere : .newHere)
    } else if !matches.writable.contains(source.mailbox) {
      planCopy(file, FileCopy(originals: [source], since: nil, isAsked: true))
    }
  }

  mutating func planAppend(_ file: LocalFile, _ reason: Reason) {
    guard !isPartial(file) else { return block(.addition(name: file.name), .partial) }
    guard policy.pushes else { return block(.addition(name: file.name), .pullOnly) }
    guard snapshot.isWritable else { return block(.addition(name: file.name), .readOnly) }
    let place = Place(mailbox: snapshot.mailbox, file: file)
    let keywords = matches.moves.records[place]?.flags.keywords ?? []
    let upload = FileUpload(
      name: file.name,
      flags: MessageFlags(file.flags, keywords: file.tags.applied(to: keywords)),
      replacing: nil,
      former: matches.moves.kept[place]
    )
    add(upload, reason)
  }

  /// Whether nothing was read of a message that tells whether a file is its own: it went before that.
  private func isUnread(_ message: RemoteMessage) -> Bool {
    message.identity == nil && message.key == nil
  }

  private func isDraft(_ file: LocalFile) -> Bool {
    snapshot.role == .drafts || file.flags.contains(.draft)
  }

  /// A draft may be a new version: taken for the message, it would go when the server says that this went.
  private mutating func planUnread(_ file: LocalFile, _ uid: UInt32) {
    knownUIDs.insert(uid)
    result.isPostponed = true
    block(.addition(name: file.name), .unread)
    block(.download(uid: uid), .unread)
  }

  /// Whether a draft that was fetched and not recorded was written anew since: as far as what was read of the message tells.
  private func isEdited(_ file: LocalFile, _ message: RemoteMessage) -> Bool {
    SyncRule.edited.isOn && isDraft(file)
      && Sameness.compare(Trace(message), Trace(file, isDraft: true), .inPlace).level == .no
  }

  /// The flags of a file and of a message of which nothing was agreed on.
  private func unrelatedFlags(_ file: LocalFile, _ message: RemoteMessage) -> FlagMerge {
    FlagMerge(
      unrelated: file.flags,
      remote: message.flags,
      permanent: snapshot.permanentFlags
    )
  }

  /// The record tells what the server has: what the file has is a new version.
  private mutating func matchEdited(_ file: LocalFile, to message: RemoteMessage) {
    knownUIDs.insert(message.uid)
    let merge = unrelatedFlags(file, message)
    add(
      MailboxFact.matchEdited(
        name: file.name,
        uid: message.uid,
        agreed: merge.agreedBefore,
        size: message.size,
        date: message.date,
        identity: message.identity
      ),
      .editedHere
    )
  }

  mutating func match(_ file: LocalFile, to message: RemoteMessage) {
    knownUIDs.insert(message.uid)
    let merge = unrelatedFlags(file, message)
    add(
      MailboxFact.match(
        name: file.name,
        uid: message.uid,
        agreed: merge.agreedBefore,
        size: message.size,
        date: message.date
      ),
      .alreadyHere
    )
    planFlags(merge, file, uid: message.uid, base: nil)
  }

  mutating func planUnknown(_ message: RemoteMessage) {
    if let departure = matches.serverMoves.departures[reference(message.uid)] {
      guard policy.pulls else { return block(.download(uid: message.uid), .pushOnly) }
      if departure.isBack(in: snapshot.mailbox) { return planBack(message, departure) }
      return planFollowed(message, departure)
    }
    if let since = snapshot.fetchSince, let date = message.date, date < since { return }
    guard policy.pulls else { return block(.download(uid: message.uid), .pushOnly) }
    if let cause = causeToPostpone(message) {
      result.isPostponed = true
      return block(.download(uid: message.uid), cause)
    }
    download(message, .newOnServer)
  }

  /// Why a message that is new here is not fetched in this run; nil where it is.
  private func causeToPostpone(_ message: RemoteMessage) -> BlockedChange.Cause? {
    snapshot.outside.claimed.contains(message.uid)
      ? .elsewhere : matches.postponed.cause(toPostpone: message)
  }

  /// The record that is obsolete once the file has followed; a record whose file is there too says that this file goes.
  private func former(_ departure: ServerMoveMatcher.Departure) -> RemoteReference? {
    let isKept = departure.isFormer || matches.serverMoves.doubled.contains(departure.reference)
    return isKept ? nil : departure.reference
  }

  /// The message goes where its file went, from the UID that it has now.
  private mutating func planBack(
    _ message: RemoteMessage,
    _ departure: ServerMoveMatcher.Departure
  ) {
    var record = departure.record
    record.uid = message.uid
    record.flags = departure.agreed(beside: message)
    let fact = MailboxFact.renumber(from: departure.record.uid, to: message, agreed: record.flags)
    add(fact, .movedHere)
    guard policy.pushes else { return leave(record, at: departure.place, message, .pullOnly) }
    planMoved(record, departure.place, message)
  }

  /// The message as it is on record where it went.
  private func followed(
    _ message: RemoteMessage,
    _ departure: ServerMoveMatcher.Departure
  ) -> BaseRecord {
    BaseRecord(
      uid: message.uid,
      name: departure.name,
      flags: message.flags,
      size: message.size,
      date: message.date,
      identity: departure.record.identity,
      serverHeader: message.key.flatMap { departure.record.serverHeader(by: $0) },
      completeness: departure.record.completeness
    )
  }

  /// The file goes where the server's message went.
  private mutating func planFollowed(
    _ message: RemoteMessage,
    _ departure: ServerMoveMatcher.Departure
  ) {
    let file = departure.place.file
    let agreed = departure.agreed(beside: message)
    let merge = FlagMerge(
      // What a mailbox does not keep was lost on the way, not taken away; one that may only be read tells nothing of that.
      base: snapshot.isWritable ? agreed.intersection(snapshot.permanentFlags) : agreed,
      local: file.flags,
      remote: message.flags,
      permanent: snapshot.permanentFlags
    )
    let relocation = Relocation(
      name: file.name,
      source: departure.place.mailbox,
      record: followed(message, departure),
      flags: merge.local,
      former: former(departure)
    )
    add(LocalRename.relocate(relocation), .movedOnServer)
    guard merge.hasPush, policy.pushes, snapshot.isWritable else { return }
    planStore(message.uid, merge)
  }
}
