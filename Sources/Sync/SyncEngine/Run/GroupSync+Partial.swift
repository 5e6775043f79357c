internal import MailModel
package import MailStore
package import Mailboxes
internal import Maildir
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
      let seals = try attempt(PartialSeals.make(context.store))
      var download = PartialDownload(
        of: mailbox,
        above: limit,
        seals,
        allowance: FetchAllowance(context.mailboxes.meter, mailbox),
        arriving: context.arriving,
        report: { context.report($0) }
      )
      defer {
        outcome[mailbox].add(download.result)
        outcome[mailbox].leave(download.outcome.left)
        settled[mailbox.mailbox.id] = download.outcome.settled
      }
      do throws(SyncFailure) {
        try download.fetchMessages(messages, over: store)
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

/// Whether files can be exchanged where a mailbox lies: only then may it have files that are to be exchanged one day.
package enum ExchangeSupport {
  /// Tries it with two empty files in tmp.
  ///
  /// - Throws: what keeps files from being written there at all.
  package static func isThere(in mailbox: OpenMailbox) throws(SyncFailure) -> Bool {
    let directory = Subdirectory.tmp.path(in: mailbox.directory)
    return try attempt { () throws(SystemError) in
      let files = ["one", "other"].map { directory.appending("exchange.\($0)") }
      defer { for file in files { try? FileSystem.remove(file) } }
      for file in files { try Descriptor.open(file, .truncate).close() }
      do throws(SystemError) {
        try FileSystem.exchange(files[0], with: files[1])
        return true
      } catch {
        guard error.isUnsupported else { throw error }
        return false
      }
    }
  }
}
