internal import MailModel
internal import MailStore
internal import Mailboxes
internal import Platform
internal import SyncPlan
internal import SyncState

// Large messages without their attachments.
extension GroupSync {
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
}
