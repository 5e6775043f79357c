package import Configuration
package import Maildir
package import MailModel
package import Platform
package import SyncPlan
package import SyncState

/// What is needed to read the mailboxes of one account as both sides show them; nothing in it changes but what is found
/// out about the server.
package struct MailboxContext: Sendable {
  /// What configuration and caller say of a run, as far as it is needed to read mailboxes.
  package struct Rules: Sendable {
    /// Which messages of a mailbox are mirrored.
    package var window: SyncWindow
    /// What may be done to either side.
    package var policy: Policy
    /// Whether everything is only announced.
    package var isDryRun: Bool
    /// Whether every file and message is looked at, whatever the last run recorded.
    package var isScanning: Bool
    /// The mailboxes whose roles the user names, as people write them.
    package var roles: [MailboxRole: [UInt8]]
    /// Whether mailboxes take part that only show the messages of others.
    package var includesViews: Bool
    /// Octets above which messages are mirrored without their attachments; nil mirrors all whole.
    package var sizeLimit: UInt64?
    /// The base names of files that are to be made whole, by the directory of their mailbox.
    package var completions: [[UInt8]: Set<[UInt8]>]

    package init(
      window: SyncWindow,
      policy: Policy,
      isDryRun: Bool,
      isScanning: Bool,
      roles: [MailboxRole: [UInt8]],
      includesViews: Bool,
      sizeLimit: UInt64?,
      completions: [[UInt8]: Set<[UInt8]>]
    ) {
      self.window = window
      self.policy = policy
      self.isDryRun = isDryRun
      self.isScanning = isScanning
      self.roles = roles
      self.includesViews = includesViews
      self.sizeLimit = sizeLimit
      self.completions = completions
    }
  }

  /// What configuration and caller say.
  package let rules: Rules
  /// Where the records of the account's mailboxes are.
  package let store: StateStore
  /// The account's Maildirs.
  package let tree: FolderTree
  /// The Maildirs of all configured accounts, this one's among them.
  package let trees: [FolderTree]
  /// Counts what is fetched; nil where the account does not limit it.
  package let meter: FetchMeter?
  /// What the run finds out about the server.
  package let facts: AccountFacts
  /// What was read of mailboxes before a connection took them.
  let cache = BaseCache()
  /// Files that lie in other Maildirs than those of their mailboxes.
  let misplacedFiles: MisplacedFiles
  /// Whether the account mirrors a mailbox, be it in this run or in another one, by its name with slashes between its levels.
  package let isMirrored: @Sendable ([UInt8]) -> Bool
  /// Whether a mailbox takes part in the run, by the same name.
  package let isWanted: @Sendable ([UInt8]) -> Bool
  /// Whether all its deletions may be carried out this once, by the same name.
  package let allowsMassDeletion: @Sendable ([UInt8]) -> Bool
  /// Whether what is missing there is to be fetched again, by the same name.
  let fetchesAgain: @Sendable ([UInt8]) -> Bool
  /// What may be done to a mailbox with settings of its own, by the same name; nil for all others.
  private let ownPolicy: @Sendable ([UInt8]) -> Policy?
  private let directions: Set<SyncDirection>
  /// Tells of a step that is worth a line with -v.
  let report: @Sendable (String) -> Void

  /// The context of one account's run.
  package init(
    _ rules: Rules,
    store: StateStore,
    tree: FolderTree,
    trees: [FolderTree],
    meter: FetchMeter?,
    facts: AccountFacts = AccountFacts(),
    isMirrored: @escaping @Sendable ([UInt8]) -> Bool,
    isWanted: @escaping @Sendable ([UInt8]) -> Bool,
    allowsMassDeletion: @escaping @Sendable ([UInt8]) -> Bool,
    fetchesAgain: @escaping @Sendable ([UInt8]) -> Bool = { _ in false },
    ownPolicy: @escaping @Sendable ([UInt8]) -> Policy? = { _ in nil },
    directions: Set<SyncDirection> = [],
    report: @escaping @Sendable (String) -> Void
  ) {
    self.rules = rules
    self.store = store
    self.tree = tree
    self.trees = trees
    misplacedFiles = MisplacedFiles(tree, trees)
    self.meter = meter
    self.facts = facts
    self.isMirrored = isMirrored
    self.isWanted = isWanted
    self.allowsMassDeletion = allowsMassDeletion
    self.fetchesAgain = fetchesAgain
    self.ownPolicy = ownPolicy
    self.directions = directions.isEmpty ? [rules.policy.direction] : directions
    self.report = report
  }

  private static let wholeWindow = Array("all".utf8)

  /// Whether a recorded window is that of an account of which all messages are mirrored.
  static func isWhole(_ window: [UInt8]) -> Bool { window.starts(with: wholeWindow) }

  /// The window of a mailbox as it is recorded, so that a change of it is noticed, also of the size limit, and that files are
  /// kept from now on.
  package func window(of mailbox: MirroredMailbox) -> [UInt8] { window(policy(of: mailbox)) }

  /// The same for a mailbox on record.
  func window(of entry: Summary.Entry) -> [UInt8] {
    window(ownPolicy(tree.naming.name(of: entry.header.directory)) ?? rules.policy)
  }

  private func window(_ policy: Policy) -> [UInt8] {
    let days =
      switch rules.window {
      case .all: Self.wholeWindow
      case .days(let days): Array("\(days)d".utf8)
      }
    let sized = rules.sizeLimit.map { days + Array("+below\($0)".utf8) } ?? days
    return policy.keepsFiles ? sized + Array("+keep".utf8) : sized
  }

  /// Which partial messages of a mailbox are to be made whole: of drafts, which people change, all that were moved there.
  package func completions(of mailbox: MirroredMailbox) -> Completions {
    Completions(
      sizeLimit: mailbox.role == .drafts ? nil : rules.sizeLimit,
      names: rules.completions[mailbox.directory] ?? []
    )
  }

  /// The earliest INTERNALDATE of messages to fetch (seconds since 1970); nil is all.
  package var fetchSince: Int64? {
    switch rules.window {
    case .all: nil
    case .days(let days): (Clock.now() / 86400 - Int64(days)) * 86400
    }
  }

  /// Whether every message that is new on the server is fetched, and whole, however many there are.
  package var fetchesAll: Bool {
    !directions.contains(.push) && !rules.isDryRun && rules.sizeLimit == nil && fetchSince == nil
      && meter == nil
  }

  /// Messages of these sizes were fetched to be compared.
  func noteFetched(_ sizes: some Sequence<UInt64?>) {
    meter?.addOctets(sizes.reduce(0) { $0 + min($1 ?? 0, 1 << 40) })
  }

  /// Which files and messages are without their attachments, of any account.
  package var partialFiles: PartialFiles { PartialFiles(trees) }

  /// What may be done to either side of a mailbox.
  package func policy(of mailbox: MirroredMailbox) -> Policy {
    ownPolicy(mailbox.path.joined) ?? rules.policy
  }

  /// What may be done to a mailbox where that differs from what the account allows; nil where it is the same.
  package func ownPolicy(of mailbox: MirroredMailbox) -> Policy? { ownPolicy(mailbox.path.joined) }

  /// What may be done to either side of any mailbox.
  package var reach: Policy {
    var reach = rules.policy
    if directions.count > 1 { reach.direction = .both }
    return reach
  }

  /// Whether this run may change the server.
  package var isWriting: Bool { reach.pushes && !rules.isDryRun }

  /// Whether it may change a mailbox there.
  package func isWriting(in mailbox: MirroredMailbox) -> Bool {
    policy(of: mailbox).pushes && !rules.isDryRun
  }

  /// Whether the account mirrors the mailbox of a directory (relative to its root), be it in this run or in another one.
  package func mirrors(_ directory: [UInt8]) -> Bool {
    isMirrored(tree.naming.name(of: directory))
  }

  /// Whether a mailbox on record takes part in the run.
  func includes(_ entry: Summary.Entry) -> Bool {
    let name = tree.naming.name(of: entry.header.directory)
    return isMirrored(name) && isWanted(name)
  }

  /// The full path of a mailbox's Maildir.
  package func path(of mailbox: MirroredMailbox) -> Path {
    tree.path(of: mailbox.directory)
  }
}

/// What is known of all mailboxes of an account at each moment of a run, over all its connections.
package protocol AccountRecords: Sendable {
  var entries: [Summary.Entry] { get }

  /// The messages of a mailbox, by its id, that may have come from one that was not looked at since, as the run before left
  /// them.
  ///
  /// Nil where that run knew no mailbox of that id and UIDVALIDITY.
  func recent(in mailbox: UInt64, validity: UInt32) -> RecentMessages?

  /// The deletion guard's view of the account and of one mailbox in it, from which `recentInMailbox` messages were removed of
  /// late.
  ///
  /// `isOverridden` says that the user allows all deletions this time.
  func deletionGuard(recentInMailbox: Int, isOverridden: Bool) -> DeletionGuard
}
