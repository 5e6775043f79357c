internal import Configuration
internal import Maildir
internal import Platform
internal import SyncPlan

/// What everybody who works on one account's run needs to know; nothing in it changes.
struct AccountContext: Sendable {
  let account: Account
  let options: SyncOptions
  let store: StateStore
  let tree: FolderTree
  let interruption: Interruption
  let observer: SyncObserver

  /// The window as it is written into the state, so that a change of it is noticed.
  var window: [UInt8] {
    switch account.sync.window {
    case .all: Array("all".utf8)
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
    Policy(direction: Policy.Direction(rawValue: account.sync.direction.rawValue) ?? .pull)
  }

  /// The mailboxes whose roles the user names, as people write them.
  var roles: [SyncPlan.Role: [UInt8]] {
    account.roles.reduce(into: [:]) { roles, item in
      if let role = SyncPlan.Role(rawValue: item.key.rawValue) { roles[role] = item.value }
    }
  }

  /// Whether the user lets all deletions of the mailbox through this once.
  func allowsMassDeletion(in mailbox: MirroredMailbox) -> Bool {
    options.massDeletionAllowed.contains { selection in
      selection.account == account.name
        && selection.patterns.contains { $0.matches(mailbox.path.joined) }
    }
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
