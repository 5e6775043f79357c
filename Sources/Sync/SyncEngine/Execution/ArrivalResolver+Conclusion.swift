internal import MailModel
internal import MailStore
internal import Mailboxes
internal import MessageContent
internal import SyncPlan
internal import SyncState

// What is recorded of them.
extension ArrivalResolver {
  mutating func finishUpload(
    _ upload: Intent.Upload,
    _ number: UInt64,
    _ message: RemoteMessage,
    _ content: MessageContents?
  ) throws(SyncFailure) {
    let remote = RemoteIndex(mailbox.remote.view)
    let replaced = upload.replacing.map { uid -> StateRecord in
      remote.isGone(uid)
        ? .gone(uid: uid) : .pendingExpunge(uid: uid, PendingExpunge(isFlagged: false))
    }
    let record = record(
      message,
      upload.name,
      upload.identity,
      .whole,
      agreed: upload.flags ?? mailbox.unrelatedFlags(upload.name, message)
    )
    let version = version(upload, message.uid, content)
    try mailbox.record(
      [replaced].compactMap { $0 }
        + StateRecord.arrival(record, number: number, from: upload.origin)
        + [version].compactMap { $0 }
    )
    let file = UploadedFile(directory: mailbox.mailbox.directory, name: upload.name)
    context.uploads.noteAnswers(to: [file], settled: [file])
    outcome[mailbox].counts.uploaded += 1
  }

  func former(_ upload: Intent.Upload) throws(SyncFailure) -> BaseRecord {
    try former(upload.name, upload.size, upload.identity, .whole)
  }

  func former(_ transfer: Intent.Transfer) throws(SyncFailure) -> BaseRecord {
    try former(transfer.name, transfer.size, transfer.identity, transfer.completeness)
  }

  /// What the server may have of a file, wherever another client may have moved it since.
  func former(
    _ name: [UInt8],
    _ size: UInt64?,
    _ identity: ContentIdentity?,
    _ completeness: Completeness
  ) throws(SyncFailure) -> BaseRecord {
    BaseRecord(
      uid: 0,
      name: name,
      flags: MessageFlags(),
      size: size,
      date: try holder(of: name).date(of: name),
      identity: identity,
      completeness: completeness
    )
  }

  /// The mailbox in whose Maildir a file is that was in this one's.
  private func holder(of name: [UInt8]) -> OpenMailbox {
    guard mailbox.file(of: name) == nil else { return mailbox }
    return group.first { $0.file(of: name) != nil && !$0.state.isRecorded(name) } ?? mailbox
  }

  /// A draft that was written anew since it was sent is an edited one, whatever it looks like now.
  private mutating func version(
    _ upload: Intent.Upload,
    _ uid: UInt32,
    _ content: MessageContents?
  ) -> StateRecord? {
    guard mailbox.holdsDraft(upload.name), let content else { return nil }
    let sent = Trace(upload.identity, size: upload.size)
    let isSent = Sameness.compare(sent, content.trace, .movedHere).level == .certain
    outcome[mailbox].isComplete = false
    return .version(uid: uid, isSent ? content.version : .other)
  }

  /// A copy of a message that stays.
  mutating func finishCopy(
    _ transfer: Intent.Transfer,
    _ number: UInt64,
    _ message: RemoteMessage,
    of source: OpenMailbox?
  ) throws(SyncFailure) {
    let open = source.flatMap { $0.holdsOriginal(of: transfer) ? $0 : nil }
    var original = record(
      message,
      transfer.name,
      transfer.identity,
      .whole,
      agreed: message.flags
    )
    original.uid = transfer.uid
    try CopyRecording(context, mailbox, open)
      .record(original, as: message.uid, transfer.name, number, &outcome)
  }

  mutating func finishMove(
    _ transfer: Intent.Transfer,
    _ number: UInt64,
    _ message: RemoteMessage?,
    from source: OpenMailbox?,
    _ hasLeft: Bool
  ) throws(SyncFailure) {
    guard let message else {
      // Where it is no longer on record, the server may have it elsewhere.
      guard let source else {
        return try reopen(number, former(transfer), transfer.uidNext)
      }
      // Either it never left, or it is gone: the plan sees which.
      try keepOriginal(of: transfer, in: source)
      try mailbox.record([.resolved(number: number)])
      outcome[source].isComplete = false
      return
    }
    let same = source.flatMap { $0.holdsOriginal(of: transfer) ? $0 : nil }
    // What was agreed on travels with the message; an original whose file went back may have got other flags since.
    let agreed =
      same?.original(of: transfer).map { original in
        let flags = mailbox.arriving(original.flags)
        let isBack = !hasLeft && same?.flags(of: original.name) != nil
        return isBack ? flags.intersection(message.flags) : flags
      }
      ?? mailbox.unrelatedFlags(transfer.name, message)
    let record = record(
      message,
      transfer.name,
      transfer.identity,
      transfer.completeness,
      agreed: agreed
    )
    let version = try mailbox.version(of: record)
    // A copy may have been all that was done: that must never look like a message whose file was removed. What has left
    // is on record there until it is here: as long as nothing is, the next run asks where it went.
    if !hasLeft { try same?.record([mailbox.expungeOfCopied(transfer.uid, as: message.uid)]) }
    let origin = hasLeft ? same?.state.origin(of: transfer.uid) : nil
    try mailbox.record(StateRecord.arrival(record, number: number, from: origin) + version)
    if hasLeft { try same?.record([.gone(uid: transfer.uid)]) }
    outcome[mailbox].counts.moved += 1
  }

  /// Keeps a message that was to go for the sake of its copy, which the server lost where it was put back to an earlier state.
  ///
  /// Under another UIDVALIDITY a copy is found again, unless another client has moved it on.
  private func keepOriginal(
    of transfer: Intent.Transfer,
    in source: OpenMailbox
  ) throws(SyncFailure) {
    guard SyncRule.revived.isOn, mailbox.isRematched, source.holdsOriginal(of: transfer),
      let pending = source.state.pendingExpunges[transfer.uid], let former = pending.former,
      pending.copy?.validity == mailbox.state.header.validity
    else { return }
    let isOther = source.state.isRecorded(former.name)
    try source.record([.gone(uid: transfer.uid)] + (isOther ? [] : [.message(former)]))
  }

  /// Records a copy that went to another mailbox, which has the name that this one had until now.
  ///
  /// Copies go by name. The plan then sees that its file is here. Only before anything is planned.
  mutating func concludeElsewhere(
    _ transfer: Intent.Transfer,
    _ number: UInt64,
    _ wanted: WantedArrival,
    from source: OpenMailbox
  ) throws(SyncFailure) -> Bool {
    let successor = group.first { isSuccessor($0) && $0 !== source && !$0.hasFailed }
    guard case .nothing = taken, let other = successor,
      let original = source.state.messages[transfer.uid], source.holdsOriginal(of: transfer),
      let message = try find(wanted, in: other)
    else { return false }
    let record = record(
      message,
      transfer.name,
      transfer.identity,
      transfer.completeness,
      agreed: original.flags
    )
    // Else its folder would look removed, where the run ends here.
    if let failed = PlanExecutor(context, [:]).prepare([other], &outcome).first {
      throw failed.failure
    }
    try other.record([.message(record)] + other.version(of: record))
    try source.record([other.expungeOfCopied(transfer.uid, as: message.uid)])
    try mailbox.record([.resolved(number: number)])
    outcome[mailbox].isComplete = false
    return true
  }

  /// Whether a mailbox is new and has the name which this one had before this run.
  func isSuccessor(_ other: OpenMailbox) -> Bool {
    SyncRule.arrivals.isOn && other !== mailbox && other.mailbox.entry == nil
      && other.mailbox.name == context.facts.formerName(of: mailbox.mailbox)
  }

  /// The message in a mailbox of which nothing was known before.
  private func find(
    _ wanted: WantedArrival,
    in other: OpenMailbox
  ) throws(SyncFailure) -> RemoteMessage? {
    var wanted = wanted
    wanted.uidNext = 1
    return try store.find(
      [wanted],
      besides: Set(other.state.messages.keys),
      in: other.reference
    ).first ?? nil
  }

  private func record(
    _ message: RemoteMessage,
    _ name: [UInt8],
    _ identity: ContentIdentity?,
    _ completeness: Completeness,
    agreed: MessageFlags
  ) -> BaseRecord {
    BaseRecord(
      uid: message.uid,
      name: name,
      flags: agreed,
      size: message.size,
      date: message.date,
      identity: identity,
      completeness: completeness
    )
  }
}
