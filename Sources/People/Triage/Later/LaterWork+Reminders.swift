internal import Configuration
internal import Correspondence
internal import MIME
package import MailModel
internal import Maildir
internal import Octets
internal import Platform
internal import Query

// Sent messages that were not answered.
extension LaterWork {
  /// The sent message of an entry, with the others of its thread.
  private struct Waiting {
    let target: Target
    let sent: TargetFile
    let others: [Target]
  }

  /// Looks at each message whose time is there, whether it was answered; to be called once mail that came is in the index.
  func remind(_ report: inout LaterReport) throws(Explanation) {
    let due = try items(.remind).filter { $0.entry.due <= now }
    guard !due.isEmpty else { return }
    _ = try triage.finish()
    for item in due {
      let finder = try finder()
      guard let waiting = try waiting(item.entry, finder) else {
        try remove(item)
        continue
      }
      let own = OwnAddresses(of: configuration)
      let sent = ThreadHead(waiting.sent.path, of: item.entry.id, own)?.reply.date
      let replies = waiting.others.compactMap { target in
        target.files.first.flatMap { ThreadHead($0.path, of: item.entry.id, own)?.reply }
      }
      let decision = ReminderDecision(sent: sent, replies)
      let isMarked = try mark(waiting, item, decision, finder, &report)
      if isMarked { try remove(item) }
    }
  }

  /// Nil where the message is no sent one any longer, or no longer waited for.
  private func waiting(
    _ entry: LaterEntry,
    _ finder: TargetFinder
  ) throws(Explanation) -> Waiting? {
    let id = Query.exact(.id, entry.id)
    let found = try finder.findings(of: [id, .thread(id)], for: .read).map(\.targets)
    let tags = TagReader()
    for target in found.first ?? [] {
      for file in target.files where try finder.folders(of: account).isSent(file, tags) {
        // A message that was not sent yet when it was recorded has no tag.
        let isWaiting = tags.tags(of: file).contains { $0.equalsCaseless(LaterTag.waiting) }
        guard isWaiting || entry.act == 0 else { continue }
        let others = found.last?.filter { $0.identity != target.identity } ?? []
        return Waiting(target: target, sent: file, others: others)
      }
    }
    return nil
  }

  /// Marks a message that was not answered, and ends the waiting in any case; whether that could be done.
  private func mark(
    _ waiting: Waiting,
    _ item: LaterStore.Item,
    _ decision: ReminderDecision,
    _ finder: TargetFinder,
    _ report: inout LaterReport
  ) throws(Explanation) -> Bool {
    let isUnanswered = decision == .unanswered
    let edit = try TagEdit(["-waiting"] + (isUnanswered ? ["+remind", "+flagged"] : []))
    let plan = try triage.plan(.tag(edit), [waiting.target], finder)
    let result = try triage.carryOut(
      plan,
      command: [UInt8](ascii: "remind"),
      by: .program([UInt8](ascii: "remind"))
    ) { (_) throws(Explanation) in try checkUnchanged([item]) }
    report.problems += result.unindexed
    if let remainder = result.remainder {
      report.problems.append(Explanation(.partial, place: "remind", remainder.error.description))
      return false
    }
    guard isUnanswered else { return true }
    let flags = waiting.sent.file.name.flags.union(.flagged)
    let place = FilePlace(waiting.sent.folder, flags)
    report.reminders.append(message(waiting.sent, at: place, finder))
    return true
  }

  // MARK: Lists

  /// A sent message as it is listed.
  package struct Reminder: Sendable {
    /// When it is looked at, in seconds since 1970.
    package let due: Int64
    /// Its Message-ID.
    package let id: [UInt8]
    /// Its subject; empty where it is not found.
    package let subject: [UInt8]
  }

  /// The messages to which answers are waited for, the next one first.
  ///
  /// - Throws: why they cannot be read.
  package func reminders() throws(Explanation) -> [Reminder] {
    let items = try items(.remind)
    guard !items.isEmpty else { return [] }
    let finder = try finder()
    var reminders: [Reminder] = []
    for entry in items.map(\.entry) {
      guard let waiting = try waiting(entry, finder) else { continue }
      reminders.append(
        Reminder(due: entry.due, id: entry.id, subject: waiting.target.subject)
      )
    }
    return reminders
  }

  /// How many messages got no answer and are still flagged.
  ///
  /// - Throws: why the index cannot be read.
  package func unanswered() throws(Explanation) -> Int {
    guard store.isThere, account.isIndexed else { return 0 }
    let query = Query.and([
      .exact(.tag, LaterTag.remind), .exact(.tag, [UInt8](ascii: "flagged")),
    ])
    return try finder().findings(of: [query], for: .read).first?.targets.count ?? 0
  }
}
