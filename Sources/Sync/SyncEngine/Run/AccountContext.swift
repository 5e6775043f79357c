internal import Configuration
internal import Folders
internal import MailModel
internal import MailStore
internal import Mailboxes
internal import Maildir
internal import Platform
internal import SyncPlan
internal import SyncState

/// What all that work on one account's run needs to know; nothing in it changes but what is found out.
struct AccountContext: Sendable {
  let account: Account
  let options: SyncOptions
  /// What is needed to read its mailboxes.
  let mailboxes: MailboxContext
  /// What the run knows of the mailbox for removed messages.
  let trash = TrashFacts()
  /// Over which uploads connections broke.
  let uploads: UploadHistory
  /// Over which messages connections broke when they were fetched.
  let fetches = Monitor(TransferAttempts<FetchedMessage>(countLimit: 10))
  /// How many connections broke.
  let breaks = Monitor(0)
  /// Tells what the spool is asked to do for the account; see `SyncRun.syncAccounts`.
  let requests: @Sendable () -> [MessageReference]?
  /// Takes new messages before they are recorded; nil where nothing does.
  let arriving: ArrivalObserver?
  let interruption: Interruption
  let observer: SyncObserver
  /// When the run began, in nanoseconds since 1970.
  let start = Clock.nowNanoseconds()

  /// The context of one run; `trees` are the roots of all configured accounts, this one's among them.
  init(
    account: Account,
    options: SyncOptions,
    store: StateStore,
    tree: FolderTree,
    trees: [FolderTree],
    meter: FetchMeter?,
    requests: @escaping @Sendable () -> [MessageReference]?,
    arriving: ArrivalObserver?,
    interruption: Interruption,
    observer: @escaping SyncObserver
  ) {
    self.account = account
    self.options = options
    self.requests = requests
    self.arriving = arriving
    self.interruption = interruption
    self.observer = observer
    uploads = UploadHistory(store, tree)
    let name = account.name
    let facts = AccountFacts()
    mailboxes = MailboxContext(
      options.rules(for: account),
      store: store,
      tree: tree,
      trees: trees,
      meter: meter,
      facts: facts,
      isMirrored: { account.sync.selects(facts.names.forms(of: $0)) },
      isWanted: { options.wants(facts.names.forms(of: $0), of: account) },
      allowsMassDeletion: { options.allowsMassDeletion(in: facts.names.forms(of: $0), of: name) },
      fetchesAgain: { options.fetchesAgain(facts.names.forms(of: $0), of: name) },
      ownPolicy: { options.ownPolicy(of: facts.names.forms(of: $0), in: account) },
      directions: options.directions(of: account),
      report: { observer(SyncEvent(account: name, kind: .step($0))) }
    )
  }

  /// The attempts to send and to fetch messages that come next.
  var nextAttempts: (uploads: Int?, fetches: Int?) {
    (uploads.attempts.nextAttempt, fetches.withLock { $0.nextAttempt })
  }

  /// Whether one of the next attempts is another one than that.
  func triesOtherwise(than last: (uploads: Int?, fetches: Int?)) -> Bool {
    uploads.attempts.isOther(than: last.uploads)
      || fetches.withLock { $0.isOther(than: last.fetches) }
  }

  /// A connection broke over a message, which was fetched alone or behind so many others.
  func noteBreak(over message: FetchedMessage, isAlone: Bool, behind count: Int) {
    fetches.withLock { attempts in
      attempts.noteBreak(over: [message], isFinal: isAlone)
      if !isAlone { attempts.noteFound(behind: count) }
    }
  }

  /// Whether a connection broke.
  var hasBroken: Bool { breaks.withLock { $0 > 0 } }
  var store: StateStore { mailboxes.store }
  var tree: FolderTree { mailboxes.tree }
  var trees: [FolderTree] { mailboxes.trees }
  /// What the run finds out about the server.
  var facts: AccountFacts { mailboxes.facts }
  /// What may be done to either side of any mailbox.
  var reach: Policy { mailboxes.reach }
  /// What may be done to either side of a mailbox.
  func policy(of mailbox: OpenMailbox) -> Policy { mailboxes.policy(of: mailbox.mailbox) }
  /// Whether this run may change the server.
  var isWriting: Bool { mailboxes.isWriting }
  /// The mailboxes whose roles the user names, as people write them.
  var roles: [MailboxRole: [UInt8]] { account.roles }
  /// The patterns of mailboxes that this run is limited to; none is all.
  var patterns: [MailboxPattern] { options.patterns(of: account.name) }

  /// Whether the account mirrors a mailbox, be it in this run or in another one.
  func mirrors(_ mailbox: ServerMailbox) -> Bool {
    (account.sync.allMail || !mailbox.isView) && account.sync.selects(mailbox.names)
  }

  /// Whether what is removed from the mailbox is something for the deletion guard to remember.
  func countsDeletions(in mailbox: MirroredMailbox) -> Bool {
    !(mailbox.role?.expectsDeletions ?? false)
      && !mailboxes.allowsMassDeletion(mailbox.path.joined)
  }

  /// Tells the observer.
  func report(_ kind: SyncEvent.Kind) {
    observer(SyncEvent(account: account.name, kind: kind))
  }

  /// The full path of a mailbox's Maildir.
  func path(of mailbox: MirroredMailbox) -> Path { mailboxes.path(of: mailbox) }

  /// What is recorded of a mailbox, such as one that is not open; nil where nothing is.
  func recorded(_ id: UInt64) throws(SyncFailure) -> MailboxState? {
    try attempt(store.state(of: id))
  }
}

extension AccountContext {
  /// What is needed to bring mailboxes and folders into line.
  var folders: FolderContext {
    FolderContext(
      FolderContext.Rules(
        sides: { options.sides(of: facts.names.forms(of: $0), in: account) },
        keepsFolders: options.keepsAnyFolder(of: account),
        pushes: reach.pushes,
        isDryRun: options.isDryRun
      ),
      store: store,
      tree: tree,
      trees: trees,
      doubted: facts.namesPutOff,
      isWanted: mailboxes.isWanted,
      allowsMassDeletion: mailboxes.allowsMassDeletion,
      report: { report(SyncEvent.Kind($0)) }
    )
  }
}

extension SyncEvent.Kind {
  fileprivate init(_ event: FolderEvent) {
    self =
      switch event {
      case .changed(let mailbox, let change): .folder(mailbox: mailbox, change)
      case .problem(let mailbox, let failure): .problem(mailbox: mailbox, failure)
      }
  }
}

/// What a run knows of the mailbox that removed messages go to, for all connections.
final class TrashFacts: Sendable {
  private struct Knowledge: Sendable {
    var name: MailboxName?
    var candidates: [MailboxName] = []
    var mailbox: MirroredMailbox?
  }

  private let knowledge = Monitor(Knowledge())

  /// The mailbox; nil where the server has none.
  var name: MailboxName? { knowledge.withLock { $0.name } }

  /// The names to make it under, the best first.
  var candidates: [MailboxName] { knowledge.withLock { $0.candidates } }

  /// The same as it is mirrored; nil where it is not.
  var mailbox: MirroredMailbox? { knowledge.withLock { $0.mailbox } }

  /// It is one of the mailboxes of the run.
  func takesPart(_ mailbox: MirroredMailbox) {
    knowledge.withLock { $0.mailbox = mailbox }
  }

  /// The server has it, or has it now.
  func found(_ name: MailboxName) {
    knowledge.withLock { $0.name = name }
  }

  /// The server has none; these would be names for it.
  func couldMake(_ candidates: [MailboxName]) {
    knowledge.withLock { $0.candidates = candidates }
  }
}
