internal import MailStore
internal import Mailboxes
internal import SyncPlan

/// Uploads new files of mailboxes: those with few of them together, each other one by itself.
struct MailboxUploads {
  /// Mailboxes whose files are sent together at most.
  private static let mailboxLimit = 16

  /// What they came to.
  private(set) var outcome = StepOutcome()
  /// The mailboxes in which nothing more can be done, and why.
  private(set) var failures: [MailboxFailure] = []

  let context: AccountContext
  let store: any MailStore
  let group: [UInt64: OpenMailbox]

  init(_ context: AccountContext, _ store: any MailStore, _ group: [UInt64: OpenMailbox]) {
    (self.context, self.store, self.group) = (context, store, group)
  }

  /// Carries out the uploads of the plans whose files are where these saw them.
  mutating func push(_ mailboxes: [OpenMailbox]) throws(SyncFailure) {
    var lots: [UploadFlight.Lot] = []
    var (messages, octets) = (0, UInt64(0))
    for mailbox in mailboxes where !mailbox.remainingPlan.uploads.isEmpty {
      guard let lot = try lot(of: mailbox) else { continue }
      let isFull =
        lots.count == Self.mailboxLimit
        || messages + lot.uploads.count > UploadPush.batchMessages
        || octets + lot.octets > UploadPush.batchOctets
      if isFull, !lots.isEmpty {
        try send(lots)
        (lots, messages, octets) = ([], 0, 0)
      }
      lots.append(lot)
      messages += lot.uploads.count
      octets += lot.octets
    }
    if !lots.isEmpty { try send(lots) }
  }

  /// The files of a mailbox that are sent with those of others; nil where there is none, since all is done.
  private mutating func lot(of mailbox: OpenMailbox) throws(SyncFailure) -> UploadFlight.Lot? {
    let planned = mailbox.remainingPlan.uploads
    var lot: UploadFlight.Lot?
    try perform(in: mailbox) { (push) throws(SyncFailure) in
      guard let uploads = try push.few(planned) else { return try push.pushUploads(planned) }
      guard !uploads.isEmpty else { return }
      lot = UploadFlight.Lot(mailbox, uploads, isAll: uploads.count == planned.count)
    }
    return lot
  }

  private mutating func send(_ lots: [UploadFlight.Lot]) throws(SyncFailure) {
    let sent: UploadFlight.Sent
    do throws(SyncFailure) {
      let result = try UploadFlight(context, store).send(lots)
      sent = result.sent
      failures += result.failures
    } catch {
      guard !error.endsConnection else { throw error }
      // A file that can no longer be read ends the connection as well: nothing came of the others.
      failures += lots.map { ($0.mailbox, error) }
      return
    }
    for (lot, answer) in sent {
      try perform(in: lot.mailbox) { (push) throws(SyncFailure) in
        try push.recordAnswers(to: lot.uploads, answer)
      }
    }
  }

  /// Does something about uploads of a mailbox; where that fails, the others go on.
  private mutating func perform(
    in mailbox: OpenMailbox,
    _ step: (inout UploadPush) throws(SyncFailure) -> Void
  ) throws(SyncFailure) {
    var push = UploadPush(context: context, store: store, mailbox: mailbox, group: group)
    defer { outcome.merge(push.outcome) }
    do throws(SyncFailure) {
      try step(&push)
    } catch {
      guard !error.endsConnection else { throw error }
      failures.append((mailbox, error))
      try store.drainAnswers()
    }
  }
}
