internal import MailModel
internal import MailStore
internal import Mailboxes
internal import Maildir
internal import Octets
internal import Platform
internal import SyncPlan
internal import SyncState

/// Reports what a plan leaves as it is until something is done about it.
struct BlockedDifferences {
  private let context: AccountContext
  private let runState: RunState

  init(_ context: AccountContext, _ runState: RunState) {
    self.context = context
    self.runState = runState
  }

  /// Reports those of one mailbox; gives how many there are.
  ///
  /// As long as there are any the run is not complete; in words they are reported when their number changed. What the
  /// deletion guard blocks is reported elsewhere.
  /// `state` is what is recorded of the mailbox; nil where none of its messages can be the matter.
  func report(
    _ plan: MailboxPlan,
    of mailbox: MirroredMailbox,
    _ state: MailboxState? = nil
  ) -> Int {
    let blocked = plan.blocked.filter { $0.isBlocked && $0.cause != .massDeletion }
    let causes = blocked.map(\.cause)
    guard !causes.isEmpty else { return 0 }
    runState.markPartial()
    guard causes.count != mailbox.entry?.blocked else { return causes.count }
    let counts = Dictionary(grouping: causes) { $0 }.mapValues(\.count)
    for (cause, count) in counts.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      let folder = cause == .elsewhere ? folder(of: blocked, besides: mailbox, state) : nil
      context.report(
        .problem(
          mailbox: mailbox.path.display,
          .mailbox(.blocked(count: count, cause, folder: folder))
        )
      )
    }
    return causes.count
  }

  /// The folder in which the file of one of the differences lies that are blocked since it lies elsewhere; nil where it is not found.
  private func folder(
    of blocked: [BlockedChange],
    besides mailbox: MirroredMailbox,
    _ state: MailboxState?
  ) -> Path? {
    let names = blocked.lazy.filter { $0.cause == .elsewhere }.compactMap { change -> [UInt8]? in
      switch change.difference {
      case .removal(let uid), .move(let uid, _): state?.messages[uid]?.name
      case .addition(let name), .flags(let name, _), .serverDeletion(let name, _): name
      case .download(let uid): state?.messages[uid]?.name
      }
    }
    guard let name = names.first else { return nil }
    let search = NameSearch(context.trees, excluding: [context.path(of: mailbox)])
    return ((try? search.places(of: [name])) ?? nil)?[name]?.first
  }
}
