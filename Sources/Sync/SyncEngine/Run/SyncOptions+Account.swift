internal import Configuration
internal import MailModel
internal import Mailboxes
internal import Platform
internal import SyncPlan

// What caller and configuration together say of one account.
extension SyncOptions {
  /// How the account's mailboxes are read.
  func rules(for account: Account) -> MailboxContext.Rules {
    MailboxContext.Rules(
      window: account.sync.window,
      policy: policy(by: account.sync, in: account.name),
      isDryRun: isDryRun,
      isScanning: isScanning,
      roles: account.roles,
      includesViews: account.sync.allMail,
      sizeLimit: account.sync.sizeLimit,
      completions: completions(in: account.name)
    )
  }

  /// The base names of files that are to be made whole, by the directory of their mailbox.
  private func completions(in account: String) -> [[UInt8]: Set<[UInt8]>] {
    var names: [[UInt8]: Set<[UInt8]>] = [:]
    for file in completions where file.account == account {
      names[file.folder, default: []].insert(file.name)
    }
    return names
  }

  private var patience: CopyPatience {
    switch copies {
    case .byClock where TestTime.copyWait(0) < 0: .quiet
    case .byClock: .unknown(now: clock(), wait: UInt64(TestTime.copyWait(60)))
    case .busy: .busy(now: clock())
    case .quiet: .quiet
    }
  }

  private func policy(by settings: SyncSettings, in account: String) -> Policy {
    Policy(
      direction: isPullOnly ? .pull : settings.direction,
      localDeletion: settings.localDeletion,
      remoteDeletion: settings.remoteDeletion,
      expunge: settings.expunge,
      postponesRemovals: postponesRemovals,
      copies: patience,
      isLimited: !patterns(of: account).isEmpty
    )
  }

  /// What may be done to a mailbox with settings of its own; nil for all others of the account.
  func ownPolicy(of names: [[UInt8]], in account: Account) -> Policy? {
    let settings = account.sync.settings(of: names)
    return settings == account.sync ? nil : policy(by: settings, in: account.name)
  }

  /// The directions of all mailboxes of the account.
  func directions(of account: Account) -> Set<SyncDirection> {
    isPullOnly ? [.pull] : account.sync.directions
  }

  /// Where a mailbox and its folder may be made and removed, and whether the folder is kept.
  func sides(of names: [[UInt8]], in account: Account) -> FolderPlan.Sides {
    let settings = account.sync.settings(of: names)
    let policy = policy(by: settings, in: account.name)
    return FolderPlan.Sides(
      creates: settings.create,
      removes: settings.remove.limited(local: policy.pulls, remote: policy.pushes),
      keepsFolders: policy.keepsFiles
    )
  }

  /// Whether folders of any mailbox are kept that the server has no more.
  func keepsAnyFolder(of account: Account) -> Bool {
    let settings = [account.sync] + account.sync.mailboxes.map { account.sync.settings(from: $0) }
    return settings.contains { policy(by: $0, in: account.name).keepsFiles }
  }

  /// The patterns of mailboxes that the run is limited to in the account of that name; none is all.
  func patterns(of account: String) -> [MailboxPattern] {
    selections.filter { $0.account == account }.flatMap(\.patterns)
  }

  /// Whether a mailbox takes part in the run, by its names with slashes between their levels, the one in use
  /// first.
  func wants(_ names: [[UInt8]], of account: Account) -> Bool {
    let patterns = patterns(of: account.name)
    return account.sync.selects(names)
      && (patterns.isEmpty || patterns.contains { $0.matches(anyOf: names) })
  }

  /// Whether the user lets all deletions of a mailbox through this once, by the same names.
  func allowsMassDeletion(in names: [[UInt8]], of account: String) -> Bool {
    Self.fits(massDeletionAllowed, names, account)
  }

  /// Whether what is missing here of a mailbox is to be fetched again, by the same names.
  func fetchesAgain(_ names: [[UInt8]], of account: String) -> Bool {
    Self.fits(fetchedAgain, names, account)
  }

  private static func fits(
    _ selections: [Selection],
    _ names: [[UInt8]],
    _ account: String
  ) -> Bool {
    selections.contains { selection in
      selection.account == account && selection.patterns.contains { $0.matches(anyOf: names) }
    }
  }
}
