package import MailStore
internal import MailModel
internal import SyncPlan
internal import SyncState

/// Whether messages may have been moved between mailboxes of which one was looked at before that, the other behind it.
///
/// Another client may do so while the run goes on, or with a mailbox that the run leaves out. A message from before the
/// account's window would not be fetched where it went, so that its file, or the message, has to wait for a run that sees both.
package struct MoveRaceCheck {
  private static let day: Int64 = 86400

  private let context: MailboxContext
  private let store: any MailStore
  private let records: any AccountRecords

  package init(_ context: MailboxContext, _ store: any MailStore, _ records: any AccountRecords) {
    self.context = context
    self.store = store
    self.records = records
  }

  /// Marks the mailboxes of the group, which were just opened, that lack messages from before the window, or got some.
  package func markMailboxes(in group: [OpenMailbox]) throws(SyncFailure) {
    // Days of the server are those of some zone.
    guard SyncRule.oldMail.isOn, let end = context.fetchSince.map({ $0 + 2 * Self.day }) else {
      return
    }
    let lost = group.map { mailbox in
      Set(mailbox.gone.filter { $0.date.map { $0 < end } ?? true }.map(\.uid))
    }
    let come = group.map { Self.hasOldArrivals($0, before: end) }
    guard lost.contains(where: { !$0.isEmpty }) || come.contains(true) else { return }
    let now = try status()
    let seen = seen(group)
    let haveMore = now.contains { name, now in now.hasMore(than: seen[name]) }
    let haveChanged = now.contains { name, now in seen[name].map { $0.differs(from: now) } ?? false
    }
    for (mailbox, (lost, come)) in zip(group, zip(lost, come)) {
      if haveMore, !lost.isEmpty { mailbox.noteLost(lost) }
      if haveChanged, come { mailbox.noteEarlyArrivals() }
    }
  }

  /// Whether messages came that are as old, or may be since such ones were not listed.
  private static func hasOldArrivals(_ mailbox: OpenMailbox, before end: Int64) -> Bool {
    if mailbox.remote.isWindowed, mailbox.mayHaveArrivals {
      return true
    }
    return mailbox.unknown.contains { message in message.date.map { $0 < end } ?? false }
  }

  /// What the mirrored mailboxes are like now, by their names on the wire.
  private func status() throws(SyncFailure) -> [[UInt8]: MailboxMark] {
    var listing = try store.list()
    let mirrored = listing.mailboxes.filter {
      $0.isSelectable && !$0.isView && context.isMirrored($0.path.joined)
    }
    .map(\.name)
    let untold = mirrored.filter { listing.status(of: $0)?.uidNext == nil }
    if !untold.isEmpty { listing.recordStatus(try store.status(of: untold)) }
    var marks: [[UInt8]: MailboxMark] = [:]
    for name in mirrored {
      guard let status = listing.status(of: name), let uidNext = status.uidNext else { continue }
      marks[name.wire] = MailboxMark(
        uidNext: uidNext,
        modSequence: status.modSequence,
        messages: status.messages
      )
    }
    return marks
  }

  /// What they were like when they were looked at.
  private func seen(_ group: [OpenMailbox]) -> [[UInt8]: MailboxMark] {
    var seen: [[UInt8]: MailboxMark] = [:]
    for entry in records.entries {
      let header = entry.header
      seen[header.mailbox] = MailboxMark(uidNext: header.uidNext, modSequence: header.modSequence)
    }
    for mailbox in group where mailbox.remote.uidNext != nil {
      let remote = mailbox.remote
      seen[mailbox.mailbox.name.wire] = MailboxMark(
        uidNext: remote.uidNext,
        modSequence: remote.modSequence,
        messages: remote.exists
      )
    }
    return seen
  }
}
