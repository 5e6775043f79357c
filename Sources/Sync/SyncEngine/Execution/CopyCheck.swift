internal import MailStore
internal import Mailboxes
internal import Maildir
internal import Octets
internal import Platform
internal import SyncPlan
internal import SyncState

/// Tells copies from moves right before they are sent: a file that another mailbox's record names is a copy
/// only as long as the other is there.
///
/// Otherwise it was moved while the run was looking, and the next run sees that.
struct CopyCheck {
  private let context: AccountContext
  private let mailbox: OpenMailbox
  private let group: [UInt64: OpenMailbox]
  private var states: [UInt64: MailboxState?] = [:]
  private var names: [UInt64: [[UInt8]: UInt32]] = [:]

  init(_ context: AccountContext, _ mailbox: OpenMailbox, _ group: [UInt64: OpenMailbox]) {
    self.context = context
    self.mailbox = mailbox
    self.group = group
  }

  /// Whether the file came from another mailbox since this run began; out of one that no run looks at no move is ever planned.
  mutating func isUnderWay(_ name: [UInt8]) throws(SyncFailure) -> Bool {
    guard SyncRule.absence.isOn else { return false }
    for (id, other) in group where id != mailbox.mailbox.id {
      // What was missing there when the run looked was planned as a move.
      guard uids(other)[name] != nil, other.local.files[name] != nil else { continue }
      if try isGone(name, other.directory) { return true }
    }
    guard let owner = MessageKey(baseName: name)?.mailbox, owner != mailbox.mailbox.id,
      group[owner] == nil, let state = try state(owner),
      state.messages.contains(name: name), context.mailboxes.mirrors(state.header.directory)
    else { return false }
    return try isGone(name, context.tree.path(of: state.header.directory))
  }

  private mutating func uids(_ other: OpenMailbox) -> [[UInt8]: UInt32] {
    if let known = names[other.mailbox.id] { return known }
    let found = other.uids
    names[other.mailbox.id] = found
    return found
  }

  private mutating func state(_ owner: UInt64) throws(SyncFailure) -> MailboxState? {
    if let known = states[owner] { return known }
    let state = try context.recorded(owner)
    states[owner] = .some(state)
    return state
  }

  /// Whether the file went from the Maildir since this run began; what went before was seen.
  private func isGone(_ name: [UInt8], _ directory: Path) throws(SyncFailure) -> Bool {
    guard let fingerprints = MaildirFingerprints(of: directory),
      fingerprints.areChanged(since: context.start - 1_000_000_000)
    else { return false }
    let scan = try attempt(MaildirScan.scan(directory))
    return !scan.files.contains(base: name)
  }
}
