internal import MailModel
internal import MailStore
internal import Mailboxes
internal import Octets
internal import SyncPlan
internal import SyncState

/// Tells removed messages from those that somebody moved while the run was reading one mailbox after the other.
///
/// What went from one mailbox may have come to another that was read before. Then that one's UIDNEXT is
/// higher now than it was when it was read, and nothing is sent up again before the next run has seen both. The same goes
/// for one that could not be read, or takes no part in the run, and holds what was never seen.
struct RescueCheck {
  private let context: AccountContext
  private let store: any MailStore
  private let entries: [Summary.Entry]
  private let group: [OpenMailbox]

  /// A check for mailboxes that were planned together, before anything is sent to them; `entries` is what is on record of all
  /// mailboxes of the account.
  init(
    _ context: AccountContext,
    _ store: any MailStore,
    _ entries: [Summary.Entry],
    _ group: [OpenMailbox]
  ) {
    self.context = context
    self.store = store
    self.entries = entries
    self.group = group.filter { !$0.hasFailed }
  }

  /// Gives the mailboxes, by id, to which nothing is to be sent up again that went from the server, since a message came to
  /// some mailbox meanwhile: it may be there.
  func run(_ outcome: inout StepOutcome) throws(SyncFailure) -> Set<UInt64> {
    let concerned = group.filter { mailbox in
      mailbox.remainingPlan.uploads.contains { mailbox.isRescue($0) }
    }
    guard !concerned.isEmpty, try hasArrivals() else { return [] }
    for mailbox in concerned { outcome[mailbox].isComplete = false }
    return Set(concerned.map(\.mailbox.id))
  }

  /// Whether the server has messages in other mailboxes of the account that no run has seen.
  private var hasUnread: Bool {
    let own = Set(group.map(\.mailbox.id))
    let listed = context.facts.listed
    return entries.contains { entry in
      let header = entry.header
      return !own.contains(header.id)
        && listed[MailboxName(wire: header.mailbox), default: 0] > header.uidNext
        && context.mirrors(entry)
    }
  }

  private func hasArrivals() throws(SyncFailure) -> Bool {
    if context.facts.hasUnseen || hasUnread { return true }
    var before = context.facts.listed
    let now = try store.list()
    let names = now.mailboxes.filter(\.isSelectable).map(\.name)
    if names.contains(where: { before[$0] == nil }) { return true }
    for mailbox in group { before[mailbox.mailbox.name] = mailbox.remote.uidNext }
    let compared = names.filter { before[$0, default: 0] > 0 }
    let told = try store.status(of: compared.filter { now.status(of: $0)?.uidNext == nil })
    return compared.contains { name in
      // What the server tells none of is left out.
      let uidNext = now.status(of: name)?.uidNext ?? told[name]?.uidNext ?? 0
      return uidNext > before[name, default: 0]
    }
  }
}

extension OpenMailbox {
  /// Whether a file is sent up again whose message is gone from the server, or may be: that of an upload of which it is
  /// not known whether it arrived.
  func isRescue(_ upload: Planned<FileUpload>) -> Bool {
    if missingUploads[upload.step.name] != nil { return true }
    if upload.reason == .flaggedHere || upload.reason == .keptHere { return true }
    return upload.step.replacing.map(RemoteIndex(remote.view).isGone) ?? false
  }
}
