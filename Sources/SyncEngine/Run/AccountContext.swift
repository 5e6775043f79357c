internal import Configuration
internal import MailModel
internal import Maildir
internal import Platform
internal import SyncPlan
internal import SyncState

/// What everybody who works on one account's run needs to know; nothing in it changes.
struct AccountContext: Sendable {
  let account: Account
  let options: SyncOptions
  let store: StateStore
  let tree: FolderTree
  /// The roots of all configured accounts, this one's among them.
  let trees: [FolderTree]
  /// What was read of mailboxes before a connection took them.
  let cache = BaseCache()
  /// What the run finds out about the server.
  let facts = AccountFacts()
  /// Tells what the spool is asked to do for the account; see `SyncRun.run`.
  let requests: @Sendable () -> [MessageReference]?
  let interruption: Interruption
  let observer: SyncObserver
  /// When the run began, in nanoseconds since 1970.
  let start = Clock.nowNanoseconds()

  /// The window of an account of which all messages are mirrored.
  static let wholeWindow = Array("all".utf8)

  /// The window as it is written into the state, so that a change of it is noticed.
  var window: [UInt8] {
    switch account.sync.window {
    case .all: Self.wholeWindow
    case .days(let days): Array("\(days)d".utf8)
    }
  }

  /// The earliest INTERNALDATE of messages to fetch (seconds since 1970); nil is all.
  var fetchSince: Int64? {
    switch account.sync.window {
    case .all: nil
    case .days(let days): (Clock.now() / 86400 - Int64(days)) * 86400
    }
  }

  /// What the user allows.
  var policy: Policy {
    let settings = account.sync
    return Policy(
      direction: options.isPullOnly ? .pull : settings.direction,
      localDeletion: settings.localDeletion,
      expunge: settings.expunge
    )
  }

  /// Whether this run may change the server.
  var isWriting: Bool { policy.pushes && !options.isDryRun }

  /// The mailboxes whose roles the user names, as people write them.
  var roles: [MailboxRole: [UInt8]] {
    account.roles
  }

  /// The patterns of mailboxes that this run is limited to; none is all.
  var patterns: [MailboxPattern] {
    options.selections.filter { $0.account == account.name }.flatMap(\.patterns)
  }

  /// Whether a mailbox takes part in the run, by its name with slashes between its levels.
  func isWanted(_ name: [UInt8]) -> Bool {
    let patterns = patterns
    return account.sync.selects(name)
      && (patterns.isEmpty || patterns.contains { $0.matches(name) })
  }

  /// Whether the user lets all deletions of the mailbox through this once.
  func allowsMassDeletion(in mailbox: MirroredMailbox) -> Bool {
    allowsMassDeletion(in: mailbox.path.joined)
  }

  /// The same of a mailbox by its name, with slashes between its levels.
  func allowsMassDeletion(in name: [UInt8]) -> Bool {
    options.massDeletionAllowed.contains { selection in
      selection.account == account.name && selection.patterns.contains { $0.matches(name) }
    }
  }

  /// Whether what is removed from the mailbox is something for the deletion guard to remember.
  func countsDeletions(in mailbox: MirroredMailbox) -> Bool {
    !(mailbox.role?.expectsDeletions ?? false) && !allowsMassDeletion(in: mailbox)
  }

  /// Tells the observer.
  func report(_ kind: SyncEvent.Kind) {
    observer(SyncEvent(account: account.name, kind: kind))
  }

  /// The full path of a mailbox's Maildir.
  func path(of mailbox: MirroredMailbox) -> Path {
    tree.path(of: mailbox.directory)
  }
}
