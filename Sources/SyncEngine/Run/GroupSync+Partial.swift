internal import Downloads
internal import MailModel
internal import MailStore
internal import Mailboxes
internal import Platform
internal import SyncEvents
internal import SyncPlan
internal import SyncState

// Large messages without their attachments.
extension GroupSync {
  /// Room that is left on the disk whatever is fetched, in octets.
  private static let reserve: UInt64 = 64 << 20

  /// Fetches header and texts of messages above the size limit; gives those of each mailbox that need not be fetched any
  /// more, by its id.
  func downloadPartially(_ group: [OpenMailbox]) throws(SyncFailure) -> [UInt64: Set<UInt32>] {
    guard let limit = context.mailboxes.rules.sizeLimit else { return [:] }
    let (context, store) = (context, store)
    var settled: [UInt64: Set<UInt32>] = [:]
    try each(group) { mailbox, outcome throws(SyncFailure) in
      let messages = mailbox.remainingPlan.downloads.messages
      guard messages.contains(where: { ($0.size ?? 0) > limit }) else { return }
      if let reason = try reasonForWholeMessages(mailbox) {
        let place = mailbox.mailbox.path.display
        return context.report(.step("\(place): \(reason); large messages come whole"))
      }
      let seals = try attempt { () throws(SystemError) in try PartialSeals.make(context.store) }
      var download = PartialDownload(
        of: mailbox,
        above: limit,
        seals,
        allowance: FetchAllowance(context.mailboxes.meter, mailbox),
        report: { context.report($0) }
      )
      defer {
        outcome[mailbox].add(download.result)
        outcome[mailbox].leave(download.outcome.left)
        settled[mailbox.mailbox.id] = download.outcome.settled
      }
      do throws(SyncFailure) {
        try download.run(messages, over: store)
      } catch {
        noteTrouble(error, mailbox, hasAnswer: !download.outcome.settled.isEmpty)
        throw error
      }
    }
    return settled
  }

  private func reasonForWholeMessages(_ mailbox: OpenMailbox) throws(SyncFailure) -> String? {
    if !context.facts.asksAboutParts(in: mailbox.mailbox.id) {
      return "the server gives no parts of messages that can be understood"
    }
    return try ExchangeSupport.isThere(in: mailbox)
      ? nil : "the file system cannot exchange files"
  }

  /// What the server does not do as it should must not keep any message from coming.
  private func noteTrouble(_ failure: SyncFailure, _ mailbox: OpenMailbox, hasAnswer: Bool) {
    guard failure.isProtocolViolation || failure.isLostConnection && !hasAnswer else { return }
    context.facts.notePartTrouble(failure, in: mailbox.mailbox.id)
    if !context.facts.asksAboutParts(in: mailbox.mailbox.id) { willDoOtherwise() }
  }

  // MARK: Whole messages

  /// Fetches what is to be here with its attachments, and is here without.
  func complete(_ group: [OpenMailbox]) throws(SyncFailure) {
    try each(group) { mailbox, outcome throws(SyncFailure) in
      let planned = mailbox.remainingPlan.completions.map(\.step)
      guard !planned.isEmpty else { return }
      let completions = try affordable(planned, mailbox, &outcome)
      if !completions.isEmpty { try complete(mailbox, completions, &outcome) }
    }
  }

  private func complete(
    _ mailbox: OpenMailbox,
    _ completions: [FileCompletion],
    _ outcome: inout StepOutcome
  ) throws(SyncFailure) {
    let context = context
    let sink = CompletionDownload(mailbox, completions, report: { context.report($0) })
    let messages = completions.compactMap { mailbox.state.messages[$0.uid] }.map { record in
      RemoteMessage(uid: record.uid, flags: record.flags, size: record.size, date: record.date)
    }
    defer {
      outcome[mailbox].counts.completed += sink.completed
      outcome[mailbox].counts.octets += sink.octets
      outcome[mailbox].changes += sink.changes
      if !sink.isComplete { outcome[mailbox].isComplete = false }
      for failure in sink.failures { outcome[mailbox].fail(failure) }
      for message in messages { context.mailboxes.meter?.conclude(message.size) }
      context.mailboxes.meter?.note(sink.octets)
    }
    for result in try store.fetch([FetchOrder(messages, in: mailbox.reference, into: sink)]) {
      switch result {
      case .done(let isComplete): if !isComplete { outcome[mailbox].isComplete = false }
      case .failed(let failure): throw failure
      }
    }
  }

  /// Those of the completions that fit into the day and on the disk; what becomes of the others is said.
  private func affordable(
    _ completions: [FileCompletion],
    _ mailbox: OpenMailbox,
    _ outcome: inout StepOutcome
  ) throws(SyncFailure) -> [FileCompletion] {
    let directory = mailbox.directory
    var free = try attempt { () throws(SystemError) in
      try FileSystem.freeOctets(at: directory)
    }
    var wanted: [FileCompletion] = []
    var total: UInt64 = 0
    var left = LeftMessages()
    for completion in completions {
      guard let record = mailbox.state.messages[completion.uid] else { continue }
      guard try CompletionDownload.isPossible(completion, in: mailbox) else {
        outcome[mailbox].fail(.message(uid: completion.uid, .changedHere))
        continue
      }
      let needed = record.size + Self.reserve
      guard needed <= free else {
        outcome[mailbox].fail(
          .message(uid: completion.uid, .noRoom(needed: needed, free: free))
        )
        continue
      }
      guard context.mailboxes.meter?.ask(record.size) ?? true else {
        left.add(
          RemoteMessage(uid: record.uid, flags: record.flags, size: record.size, date: nil)
        )
        continue
      }
      free -= record.size
      total += record.size
      wanted.append(completion)
    }
    outcome[mailbox].leave(left)
    if !wanted.isEmpty {
      context.report(.expected(messages: wanted.count, octets: total))
      context.report(
        .step(
          "\(mailbox.mailbox.path.display): fetching attachments of \(wanted.count) messages, "
            + "\(total) octets"
        )
      )
    }
    return wanted
  }
}
