internal import MailModel
internal import MailStore
internal import Mailboxes
internal import MessageContent
internal import Octets
internal import SyncPlan
internal import SyncState

/// Settles the open intents of what was to arrive in a mailbox: uploads, and messages of other mailboxes.
struct ArrivalResolver {
  /// What they came to.
  var outcome = StepOutcome()

  let context: AccountContext
  let store: any MailStore
  let mailbox: OpenMailbox
  let group: [OpenMailbox]
  let taken: IntentResolver.Taken

  /// `group` are the mailboxes from which something may come; `taken` is what the server took just now.
  init(
    _ context: AccountContext,
    _ store: any MailStore,
    _ mailbox: OpenMailbox,
    _ group: [OpenMailbox],
    _ taken: IntentResolver.Taken
  ) {
    self.context = context
    self.store = store
    self.mailbox = mailbox
    self.group = group
    self.taken = taken
  }

  private enum Arrival {
    /// `content` is what was sent where that is known, else what the file holds now.
    case upload(Intent.Upload, content: MessageContents?, WantedArrival.Evidence)
    /// `source` is nil where it is not in the group; `isKept` then says that it has a record of the message.
    /// `headerKey` is known of what the server said OK to.
    case transfer(
      Intent.Transfer,
      source: OpenMailbox?,
      isKept: Bool,
      WantedArrival.Evidence,
      headerKey: UInt64? = nil
    )
    /// The same of a message that stays.
    case copy(Intent.Transfer, source: OpenMailbox?, WantedArrival.Evidence, headerKey: UInt64?)
  }

  /// Resolves all open arrivals.
  mutating func resolveArrivals() throws(SyncFailure) {
    var open: [(number: UInt64, arrival: Arrival)] = []
    let known = Set(mailbox.missingUploads.values)
    for (number, intent) in mailbox.state.intents.sorted(by: { $0.key < $1.key })
    where !known.contains(number) {
      if let arrival = try arrival(current(intent), number) { open.append((number, arrival)) }
    }
    guard !open.isEmpty else { return }
    context.report(.step("\(mailbox.mailbox.path.display): looking for what was under way"))
    let found = try find(open.map { wanted($0.arrival) })
    let remotes = Self.remotes(open.map(\.arrival))
    for ((number, arrival), message) in zip(open, found) {
      switch arrival {
      case .upload(let upload, let content, let evidence):
        if let message {
          try finishUpload(upload, number, message, content)
        } else {
          let isAwaited = isTaken(evidence) ? try awaits(upload, number, content) : false
          if !isAwaited { try reopen(number, former(upload), upload.uidNext) }
        }
      case .copy(let transfer, let source, let evidence, _):
        if let message {
          try finishCopy(transfer, number, message, of: source)
        } else if isTaken(evidence) {
          try resolveMissing(copy: transfer, number, of: source)
        } else {
          try reopen(number, former(transfer), transfer.uidNext)
        }
      case .transfer(_, nil, isKept: true, _, _):
        if let message { mailbox.withhold([message.uid]) }
      case .transfer(let transfer, let source, _, let evidence, _):
        let isGone = source.flatMap { remotes[$0.mailbox.id]?.isGone(transfer.uid) } ?? false
        let hasLeft = taken.hasSeenLeave(number) || isGone
        let message = hasStayed(transfer, in: source, evidence, isGone: isGone) ? nil : message
        if message == nil, isTaken(evidence), let source,
          try awaits(transfer, number, from: source, isGone: isGone)
        {
          continue
        }
        if message == nil, !hasLeft, let source,
          try concludeElsewhere(transfer, number, wanted(arrival), from: source)
        {
          continue
        }
        try finishMove(transfer, number, message, from: source, hasLeft)
      }
    }
  }

  /// Whether a message that was to be moved is where it was, on a server whose MOVE removes it there in the same step.
  ///
  /// Then a message like it here is another one.
  private func hasStayed(
    _ transfer: Intent.Transfer,
    in source: OpenMailbox?,
    _ evidence: WantedArrival.Evidence,
    isGone: Bool
  ) -> Bool {
    guard let source, evidence == .begun, store.traits.movesAtOnce, !store.traits.hasLabels else {
      return false
    }
    return !isGone && !source.isRematched && source.state.holds(transfer.origin)
  }

  /// The message of each wanted one, nil where there is none.
  private func find(_ wanted: [WantedArrival]) throws(SyncFailure) -> [RemoteMessage?] {
    guard SyncRule.arrivals.isOn else { return wanted.map { _ in nil } }
    let known = Set(mailbox.state.messages.keys).union(mailbox.state.pendingExpunges.keys)
    return try store.find(wanted, besides: known, in: mailbox.reference)
  }

  /// What the server says of the mailboxes from which messages were to come, by their ids.
  private static func remotes(_ arrivals: [Arrival]) -> [UInt64: RemoteIndex] {
    var remotes: [UInt64: RemoteIndex] = [:]
    for case .transfer(_, let source?, _, _, _) in arrivals where remotes[source.mailbox.id] == nil
    {
      remotes[source.mailbox.id] = RemoteIndex(source.remote.view)
    }
    return remotes
  }

  /// What was begun, with the UID that its message has now where it comes from.
  private func current(_ intent: Intent) -> Intent {
    switch intent {
    case .move(let transfer): .move(current(transfer))
    case .copy(let transfer): .copy(current(transfer))
    case .append, .discard, .follow, .leave, .unmark: intent
    }
  }

  private func current(_ transfer: Intent.Transfer) -> Intent.Transfer {
    guard let source = group.first(where: { $0.mailbox.id == transfer.source }) else {
      return transfer
    }
    var current = transfer
    let origin = source.current(transfer.origin)
    (current.validity, current.uid) = (origin.validity, origin.uid)
    return current
  }

  private func arrival(
    _ intent: Intent,
    _ number: UInt64
  ) throws(SyncFailure) -> Arrival? {
    switch intent {
    case .append(let upload):
      if let sent = taken.upload(number) {
        return .upload(upload, content: sent.content, .taken)
      }
      let isVersion = upload.replacing != nil || mailbox.holdsDraft(upload.name)
      let content = try mailbox.content(of: upload.name)
      if mailbox.state.taken.contains(number) { return .upload(upload, content: content, .taken) }
      return .upload(upload, content: content, isVersion ? .begunVersion : .begun)
    case .move(let transfer):
      let isTaken = taken.hasTransferred(number) || mailbox.state.taken.contains(number)
      let source = group.first { $0.mailbox.id == transfer.source && !$0.hasFailed }
      let recorded = source == nil ? try context.recorded(transfer.source) : nil
      let isKept = source != nil || recorded?.holds(transfer.origin) == true
      return .transfer(
        transfer,
        source: source,
        isKept: isKept,
        isTaken ? .taken : .begun,
        headerKey: isTaken ? try headerKey(of: transfer) : nil
      )
    case .copy(let transfer):
      let isTaken = taken.hasTransferred(number) || mailbox.state.taken.contains(number)
      let source = group.first { $0.mailbox.id == transfer.source && !$0.hasFailed }
      return .copy(
        transfer,
        source: source,
        isTaken ? .taken : .begun,
        headerKey: isTaken ? try headerKey(of: transfer) : nil
      )
    case .discard, .follow, .leave, .unmark: return nil
    }
  }

  private func wanted(_ arrival: Arrival) -> WantedArrival {
    switch arrival {
    case .upload(let upload, let content, let evidence):
      WantedArrival(
        identity: upload.identity,
        size: upload.size,
        uidNext: upload.uidNext,
        // Of a file that was written anew since it is not known.
        date: content.flatMap { $0.holds(upload.identity) ? $0.date : nil },
        headerKey: content?.header.headerKey,
        evidence: evidence
      )
    case .transfer(let transfer, _, _, _, _) where transfer.completeness.isPartial:
      WantedArrival(partial: transfer.identity, size: transfer.size, uidNext: transfer.uidNext)
    case .transfer(let transfer, let source, _, let evidence, let headerKey),
      .copy(let transfer, let source, let evidence, let headerKey):
      WantedArrival(
        identity: transfer.identity,
        size: transfer.size,
        uidNext: transfer.uidNext,
        date: date(of: transfer, in: source),
        headerKey: headerKey,
        evidence: evidence
      )
    }
  }

  private func date(of transfer: Intent.Transfer, in source: OpenMailbox?) -> Int64? {
    guard let source, source.holdsOriginal(of: transfer) else { return nil }
    return source.recordedDate(of: transfer.uid)
  }

  // MARK: Taken and not found

  private func isTaken(_ evidence: WantedArrival.Evidence) -> Bool {
    SyncRule.taken.isOn && evidence == .taken
  }

  /// Whether an upload that the server accepted, and that is not found, is not sent again.
  ///
  /// This holds while its file has what was sent, and messages came to the mailbox since, or may have.
  private mutating func awaits(
    _ upload: Intent.Upload,
    _ number: UInt64,
    _ content: MessageContents?
  ) throws(SyncFailure) -> Bool {
    guard try noteTaken(number) else {
      outcome[mailbox].isComplete = false
      return true
    }
    guard mailbox.file(of: upload.name) != nil, content?.holds(upload.identity) == true else {
      return false
    }
    let file = UploadedFile(directory: mailbox.mailbox.directory, name: upload.name)
    let hasArrivals = mailbox.remote.uidNext.map { $0 > upload.uidNext } ?? true
    // Nothing came: it may be sent again, though not in each run.
    let octets = content.map { UInt64($0.version.size) } ?? 0
    if !hasArrivals, context.uploads.mayTryAgain(file, of: octets) { return false }
    outcome[mailbox].fail(.file(upload.name, .notKept))
    return true
  }

  /// Whether a message that the server reported as copied or moved here, and that is not found, is not sent again.
  ///
  /// This holds while it is where it was, and its file is here.
  private mutating func awaits(
    _ transfer: Intent.Transfer,
    _ number: UInt64,
    from source: OpenMailbox,
    isGone: Bool
  ) throws(SyncFailure) -> Bool {
    guard try noteTaken(number) else {
      outcome[mailbox].isComplete = false
      outcome[source].isComplete = false
      return true
    }
    let isThere = !isGone && source.state.holds(transfer.origin)
    guard isThere, mailbox.file(of: transfer.name) != nil else { return false }
    outcome[source].fail(.message(uid: transfer.uid, .copyNotFound(mailbox.mailbox.name)))
    return true
  }

  /// Settles what the server said to have copied here, and that is not found: it is not copied again as long as its file is here.
  ///
  /// Where the original is gone there was nothing to copy, which servers say OK to as well: the file is sent.
  private mutating func resolveMissing(
    copy transfer: Intent.Transfer,
    _ number: UInt64,
    of source: OpenMailbox?
  ) throws(SyncFailure) {
    guard try noteTaken(number) else {
      outcome[mailbox].isComplete = false
      return
    }
    guard mailbox.file(of: transfer.name) != nil else {
      return try reopen(number, former(transfer), transfer.uidNext)
    }
    if try isThere(transfer, in: source) {
      outcome[mailbox].fail(.file(transfer.name, .notKept))
    } else {
      mailbox.reopenCopy(number, of: transfer.name)
    }
  }

  /// Whether the server has the original of a copy; it is asked where the mailbox is not in the group.
  private func isThere(
    _ transfer: Intent.Transfer,
    in source: OpenMailbox?
  ) throws(SyncFailure) -> Bool {
    if let source {
      return source.state.holds(transfer.origin)
        && !RemoteIndex(source.remote.view).isGone(transfer.uid)
    }
    guard let recorded = try context.recorded(transfer.source), recorded.holds(transfer.origin)
    else { return false }
    let name = MailboxName(wire: recorded.header.mailbox)
    return try store.samples([name: [transfer.uid]])[name]?[transfer.uid] != nil
  }

  private func headerKey(of transfer: Intent.Transfer) throws(SyncFailure) -> UInt64? {
    try mailbox.content(of: transfer.name)?.header.headerKey
  }

  /// Records that the server said OK; false where that is new, so that the next run sees more.
  private func noteTaken(_ number: UInt64) throws(SyncFailure) -> Bool {
    guard !mailbox.state.taken.contains(number) else { return true }
    try mailbox.record([.taken(number: number)])
    return false
  }

  /// What did not arrive is an addition again, unless another message has the file by now.
  ///
  /// Where nothing arrived in the mailbox since, what is like it elsewhere is another message: another client's copy. But what is
  /// sent goes by the name of the mailbox: where another one, which no run has seen, has the name that this one had, it may be
  /// there.
  func reopen(
    _ number: UInt64,
    _ former: BaseRecord,
    _ uidNext: UInt32
  ) throws(SyncFailure) {
    let hasArrivals = mailbox.remote.uidNext.map { $0 > uidNext } ?? true
    let mayBeElsewhere = group.contains(where: isSuccessor)
    guard SyncRule.reopened.isOn, hasArrivals || mayBeElsewhere,
      !mailbox.state.isRecorded(former.name)
    else {
      return try mailbox.record([.resolved(number: number)])
    }
    mailbox.reopenUpload(number, former)
  }
}

extension IntentResolver.Taken {
  /// The upload of that number, where it is among what was taken.
  fileprivate func upload(_ number: UInt64) -> Upload? {
    guard case .uploads(let uploads) = self else { return nil }
    return uploads.first { $0.number == number }
  }

  func hasTransferred(_ number: UInt64) -> Bool {
    guard case .transfers(let numbers, _) = self else { return false }
    return numbers.contains(number)
  }

  fileprivate func hasSeenLeave(_ number: UInt64) -> Bool {
    guard case .transfers(let numbers, haveLeft: true) = self else { return false }
    return numbers.contains(number)
  }
}
