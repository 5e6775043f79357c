internal import MailModel
internal import MailStore
internal import Platform
internal import SyncPlan

/// What a run has found out about the account's server, for all who work on it.
final class AccountFacts: Sendable {
  private struct Knowledge: Sendable {
    var trash: MailboxName?
    var trashCandidates: [MailboxName] = []
    var hasLabels = false
    var listed: [MailboxName: UInt32] = [:]
    var withheld: Set<UInt64> = []
    var putOff: [UInt64: MailboxName] = [:]
    var canPutOff = true
  }

  private let knowledge = Monitor(Knowledge())

  /// The mailbox for removed messages; nil where the server has none.
  var trash: MailboxName? { knowledge.withLock { $0.trash } }

  /// The names to make it under, the best first.
  var trashCandidates: [MailboxName] { knowledge.withLock { $0.trashCandidates } }

  /// Whether mailboxes are labels, so that one message is in several of them (Gmail).
  var hasLabels: Bool { knowledge.withLock { $0.hasLabels } }

  /// The mailboxes that the server listed when the run began, with the UIDNEXT that it told; 0 where it told none.
  var listed: [MailboxName: UInt32] { knowledge.withLock { $0.listed } }

  /// Mailboxes, by id, whose folders could not be brought into their places: the server may have them under other names.
  var withheld: Set<UInt64> { knowledge.withLock { $0.withheld } }

  /// These mailboxes take no part in the run.
  func withhold(_ mailboxes: Set<UInt64>) {
    knowledge.withLock { $0.withheld = mailboxes }
  }

  /// The server has these mailboxes.
  func found(_ listing: ServerListing) {
    var listed: [MailboxName: UInt32] = [:]
    for mailbox in listing.mailboxes { listed[mailbox.name] = mailbox.status?.uidNext ?? 0 }
    knowledge.withLock { [listed] in $0.listed = listed }
  }

  /// The server has a mailbox for removed messages, or has it now.
  func found(trash: MailboxName) {
    knowledge.withLock { $0.trash = trash }
  }

  /// The server has none; these would be names for it.
  func couldMakeTrash(_ candidates: [MailboxName]) {
    knowledge.withLock { $0.trashCandidates = candidates }
  }

  /// What the server said it can do.
  func learn(_ traits: StoreTraits) {
    knowledge.withLock { $0.hasLabels = traits.hasLabels }
  }

  // MARK: Mailboxes that may be others

  /// Puts a mailbox off until renames were looked for: its UIDVALIDITY is not the one that was listed.
  ///
  /// False where that was done before.
  func putOff(_ mailbox: MirroredMailbox) -> Bool {
    knowledge.withLock {
      guard $0.canPutOff else { return false }
      $0.putOff[mailbox.id] = mailbox.name
      return true
    }
  }

  /// Whether a mailbox waits for that.
  func isPutOff(_ mailbox: MirroredMailbox) -> Bool {
    knowledge.withLock { $0.canPutOff && $0.putOff[mailbox.id] != nil }
  }

  /// Whether any mailbox was put off.
  var hasPutOff: Bool { knowledge.withLock { !$0.putOff.isEmpty } }

  /// The names of those that were put off.
  var namesPutOff: Set<MailboxName> { knowledge.withLock { Set($0.putOff.values) } }

  /// From now on mailboxes are what they seem.
  func endPuttingOff() {
    knowledge.withLock { $0.canPutOff = false }
  }
}
