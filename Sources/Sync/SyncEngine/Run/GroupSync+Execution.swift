internal import MailModel
internal import MailStore
internal import Mailboxes
internal import Maildir
internal import Octets
internal import Platform
internal import SyncPlan
internal import SyncState

// Doing it.
extension GroupSync {
  /// Carries out the plans, phase by phase.
  func execute(_ group: [OpenMailbox]) throws(SyncFailure) {
    let byID = group.keyed(by: \.mailbox.id)
    let local = PlanExecutor(context, byID)
    let remote = PushExecutor(context, store, byID)
    try all(group) { mailboxes, outcome in local.prepare(mailboxes, &outcome) }
    try each(group) { mailbox, outcome throws(SyncFailure) in
      try local.nameFiles(mailbox, &outcome)
    }
    try recordFacts(group)
    try all(group) { mailboxes, outcome throws(SyncFailure) in
      try local.renameFiles(mailboxes, &outcome)
    }
    try merging { outcome throws(SyncFailure) in
      try ReuploadCheck(context, store, runState, group, unread: unread)
        .blockUploads(&outcome)
    }
    if context.reach.pushes {
      try merging { outcome throws(SyncFailure) in
        for (mailbox, base) in try TravellingTags(context.store, group).keep() {
          outcome[mailbox].changes.append(
            .marked(folder: mailbox.mailbox.directory, base: base)
          )
        }
      }
      let absence = try remote.absenceBeforeMoves(in: group)
      try all(group) { mailboxes, outcome throws(SyncFailure) in
        try remote.pushFlags(of: mailboxes, &outcome)
      }
      try all(group) { mailboxes, outcome throws(SyncFailure) in
        try remote.pushMoves(of: mailboxes, absence, &outcome)
      }
      try all(group) { mailboxes, outcome throws(SyncFailure) in
        try remote.upload(to: mailboxes, &outcome)
      }
      try each(group) { mailbox, outcome throws(SyncFailure) in
        try remote.copy(to: mailbox, &outcome)
      }
    }
    try download(group)
    try complete(group)
    let removals = beginRemovals(group)
    defer { runState.concludeRemovals(removals) }
    if context.reach.pushes {
      let absence = try remote.absenceBeforeRemovals(in: group)
      try all(group) { mailboxes, outcome throws(SyncFailure) in
        try remote.remove(
          from: mailboxes,
          absence,
          asking: { questionAboutTrash(gaining: $0, beside: group) },
          &outcome
        )
      }
    }
    try all(group) { mailboxes, outcome throws(SyncFailure) in
      try local.removeFiles(mailboxes, after: self.outcome, &outcome)
    }
    try each(group) { mailbox, outcome throws(SyncFailure) in
      try local.forget(mailbox, after: self.outcome, &outcome)
    }
  }

  private func recordFacts(_ group: [OpenMailbox]) throws(SyncFailure) {
    var records: [(mailbox: OpenMailbox, records: [StateRecord])] = []
    try each(group) { mailbox, outcome throws(SyncFailure) in
      var facts = FactRecording(context, mailbox)
      defer { outcome.merge(facts.outcome) }
      records.append((mailbox, try facts.records()))
    }
    try all(group) { _, _ in OpenMailbox.record(records) }
  }

  /// What is asked about Trash right behind so many messages that go there, where the run looks at it once more; nil where that
  /// is not known.
  private func questionAboutTrash(
    gaining count: Int,
    beside group: [OpenMailbox]
  ) -> MailboxQuestion? {
    guard let trash = context.trash.mailbox, trash.name == context.trash.name,
      let count = UInt32(exactly: count),
      !group.contains(where: { $0.mailbox.id == trash.id })
    else { return nil }
    let again = trash.again(runState.current.summary.entries[trash.name.wire], gaining: count)
    let opening = MailboxOpening(context.mailboxes, store, again)
    let takesNew = context.mailboxes.fetchesAll && !context.hasBroken
    guard let question = opening.expectedQuestion(takesNew: takesNew) else { return nil }
    if question.newMessages > 0 { willDoOtherwise() }
    return question
  }

  /// Has names say what files are, where the account keeps what the server loses.
  func keepNames(_ group: [OpenMailbox]) throws(SyncFailure) {
    try each(group) { mailbox, outcome throws(SyncFailure) in
      guard context.policy(of: mailbox).keepsFiles else { return }
      var step = KeyedNames(mailbox, account: context.store.directory)
      defer { outcome[mailbox].merge(step.outcome) }
      try step.renameFiles()
    }
  }

  /// Has the removals judged once more, right before they are carried out; gives how many count from now on.
  private func beginRemovals(_ group: [OpenMailbox]) -> Int {
    var begun = 0
    for mailbox in group where context.countsDeletions(in: mailbox.mailbox) {
      guard var plan = mailbox.plan, !mailbox.hasFailed else { continue }
      let count = plan.removedFiles + plan.removedMessages
      if count == 0 || runState.beginRemovals(count) {
        begun += count
      } else {
        plan.hold(.losses(BlockedDeletions(here: true, there: true)))
        mailbox.adoptPlan(plan)
      }
    }
    return begun
  }

  private func download(_ group: [OpenMailbox]) throws(SyncFailure) {
    let wanted = group.filter { !$0.remainingPlan.downloads.isEmpty }
    guard !wanted.isEmpty else { return }
    announce(wanted.map(\.remainingPlan.downloads))
    var settled = try downloadPartially(wanted)
    let breaking = MessagesThatBreakConnections(context, wanted, but: settled)
    for message in breaking.all { settled[message.mailbox, default: []].insert(message.uid) }
    let open = wanted.filter { !$0.hasFailed }
    var flights: [[MailboxDownload]] = []
    for mailbox in open {
      let shared = shareDownload(of: mailbox, but: settled[mailbox.mailbox.id] ?? [])
      // Of few messages of several mailboxes, all are fetched and committed together.
      let isJoining = shared.isSmall && flights.last?.last?.flight != nil
      let flight = shared.isSmall ? flights.last?.last?.flight ?? DeliveryFlight() : nil
      let download = MailboxDownload(mailbox, shared, flight)
      if isJoining {
        flights[flights.count - 1].append(download)
      } else {
        flights.append([download])
      }
    }
    for flight in flights { try bring(flight) }
    try bring(breaking, of: open)
  }

  /// Fetches those over which a connection broke each alone; what breaks another one so is given up.
  private func bring(
    _ breaking: MessagesThatBreakConnections,
    of group: [OpenMailbox]
  ) throws(SyncFailure) {
    for message in breaking.open {
      guard let mailbox = group.first(where: { $0.mailbox.id == message.mailbox }),
        !mailbox.hasFailed
      else { continue }
      let all = Set(mailbox.remainingPlan.downloads.messages.map(\.uid))
      let shared = shareDownload(of: mailbox, but: all.subtracting([message.uid]))
      try bring([MailboxDownload(mailbox, shared, nil)], isAlone: true)
      context.fetches.withLock { $0.noteAnswers(to: [message]) }
    }
    try merging { outcome in
      for message in breaking.givenUp {
        guard let mailbox = group.first(where: { $0.mailbox.id == message.mailbox }) else {
          continue
        }
        outcome[mailbox].fail(.message(uid: message.uid, .breaksConnection))
      }
    }
  }

  private func bring(
    _ downloads: [MailboxDownload],
    isAlone: Bool = false
  ) throws(SyncFailure) {
    do throws(SyncFailure) {
      try fetch(downloads)
    } catch {
      for download in downloads {
        finishDownload(download)
        if error.isBreak { noteBreak(of: download, isAlone: isAlone) }
      }
      throw error
    }
    var isSettled = true
    for download in downloads { isSettled = finishDownload(download) && isSettled }
    if !isSettled { try store.drainAnswers() }
  }

  private func noteBreak(of download: MailboxDownload, isAlone: Bool) {
    guard let uid = download.part.brokenOver else { return }
    let message = FetchedMessage(mailbox: download.mailbox.mailbox.id, uid: uid)
    context.noteBreak(over: message, isAlone: isAlone, behind: download.part.result.messages)
  }

  /// What one mailbox's messages are fetched with.
  private struct MailboxDownload {
    let mailbox: OpenMailbox
    let shared: SharedDownload
    let part: DownloadPart
    /// With what it is committed; nil where it is alone.
    let flight: DeliveryFlight?

    init(_ mailbox: OpenMailbox, _ shared: SharedDownload, _ flight: DeliveryFlight?) {
      (self.mailbox, self.shared, self.flight) = (mailbox, shared, flight)
      part = shared.makeFirstPart(in: flight)
    }
  }

  private func shareDownload(
    of mailbox: OpenMailbox,
    but settled: Set<UInt32>
  ) -> SharedDownload {
    let context = context
    var messages = mailbox.remainingPlan.downloads.messages
    messages.remove(settled)
    Memory.makeRoom(forMessages: messages.count)
    return SharedDownload(
      messages,
      of: mailbox,
      allowance: FetchAllowance(context.mailboxes.meter, mailbox),
      arriving: context.arriving,
      report: { context.report($0) },
      ask: askForHelp
    )
  }

  /// Fetches; what a further connection did not bring is fetched over this one.
  private func fetch(_ downloads: [MailboxDownload]) throws(SyncFailure) {
    var open = downloads
    while !open.isEmpty {
      // None of a mailbox where all wait for another day.
      let asked = open.map { ($0, $0.shared.order($0.part)) }.filter { !$0.1.messages.isEmpty }
      let results = asked.isEmpty ? [] : try store.fetch(asked.map(\.1))
      try merging { outcome throws(SyncFailure) in
        for ((download, _), result) in zip(asked, results) {
          try recordResult(result, of: download.mailbox, &outcome)
        }
      }
      open = open.filter { !$0.mailbox.hasFailed && $0.shared.waitForHelp() }
    }
  }

  /// Records what was fetched, also where its mailbox or the connection failed meanwhile; false where that does not work.
  @discardableResult
  private func finishDownload(_ download: MailboxDownload) -> Bool {
    let (help, part) = (download.shared.close(), download.part)
    do throws(SyncFailure) {
      try merging { outcome throws(SyncFailure) in
        for result in help.results { outcome[download.mailbox].add(result) }
        if !help.isComplete { outcome[download.mailbox].isComplete = false }
        outcome[download.mailbox].leave(help.left)
        defer { outcome[download.mailbox].add(part.result) }
        try part.finish()
        if let failure = help.failure { throw failure }
      }
      return true
    } catch {
      if !download.mailbox.hasFailed { giveUp(download.mailbox, error) }
      return false
    }
  }

  private func recordResult(
    _ result: FetchResult,
    of mailbox: OpenMailbox,
    _ outcome: inout StepOutcome
  ) throws(SyncFailure) {
    switch result {
    case .done(true): break
    case .done(false): outcome[mailbox].isComplete = false
    case .failed(let failure):
      guard !failure.endsConnection else { throw failure }
      giveUp(mailbox, failure)
    }
  }

  private func announce(_ downloads: [PlannedDownloads]) {
    context.report(.state(.bodies))
    context.report(
      .expected(
        messages: downloads.reduce(0) { $0 + $1.count },
        octets: downloads.joined().reduce(0) { $0 + ($1.step.size ?? 0) }
      )
    )
  }
}
