internal import IMAP
internal import MailModel
internal import MailStore
internal import Octets
internal import SyncPlan
internal import SyncState

/// The mailboxes of an account whose labels are tags: All Mail, Trash and Spam of a server with X-GM-EXT-1.
///
/// Labels of messages in All Mail are keywords of them; those of messages in Trash and Spam are not read, since servers drop or
/// hide them. So what decides and acts on messages knows nothing of labels. No mailbox is made, renamed or removed.
final class LabelStore: MailStore {
  let base: IMAPStore
  let facts: LabelFacts

  init(_ base: IMAPStore, _ facts: LabelFacts) {
    self.base = base
    self.facts = facts
  }

  /// That mailboxes are labels is told to no program: those that are left are none.
  var traits: StoreTraits {
    var traits = base.traits
    traits.hasLabels = false
    // Where it refuses it, nothing is copied in its place.
    traits.movesAtOnce = true
    traits.comparesKeywords = true
    traits.words.removeAll { $0.equalsCaseless(Summary.labelCapability) }
    return traits
  }

  // MARK: Mailboxes

  func list() throws(SyncFailure) -> ServerListing { try facts.listed(base.list()) }

  func resume(expecting expectation: ServerExpectation) throws(SyncFailure) -> ServerListing {
    try facts.listed(base.resume(expecting: expectation))
  }

  func create(_ name: MailboxName) throws(SyncFailure) -> CreationOutcome {
    .refused(Self.refusal)
  }

  func create(
    for role: MailboxRole,
    under names: [MailboxName]
  ) throws(SyncFailure) -> MailboxName? { nil }

  func rename(
    _ renames: [(from: MailboxName, to: MailboxName)],
    back: [(from: MailboxName, to: MailboxName)]
  ) throws(SyncFailure) -> Set<MailboxName> { [] }

  func delete(
    _ mailbox: MailboxReference,
    holdingOnly known: Set<UInt32>,
    flagged: Set<UInt32>
  ) throws(SyncFailure) -> DeletionOutcome { .refused(Self.refusal) }

  static let refusal = ServerReply(
    .forbidden,
    text: Array("labels are tags, and folders are not synced".utf8)
  )

  // MARK: Messages

  /// Whether messages of the mailbox have labels.
  func isLabelled(_ name: MailboxName) -> Bool { facts.mailboxes?.all == name }

  /// Changes are asked for first; all of the mailbox is read anew where it is time, or tags and labels differ.
  func read(_ question: MailboxQuestion) throws(SyncFailure) -> RemoteMailbox {
    guard isLabelled(question.name), let mailboxes = facts.mailboxes else {
      return try seen(base.read(question), question.name)
    }
    guard base.traits.hasLabels else { return try readFlags(question) }
    let schedule = facts.schedule
    var (mailbox, isAll) = try readLabels(schedule.isDue ? question.anew : question)
    mailbox = seen(mailbox, question.name)
    guard !isAll, let keywords = question.keywords,
      case .changes(let told, let vanished) = mailbox.view, mailbox.missing == 0
    else {
      if isAll { facts.noteAgreement(isAll: true) }
      return mailbox
    }
    let comparison = LabelComparison(counts: mailboxes.counts)
    if comparison.agrees(keywords, with: told, vanished: vanished) {
      facts.noteAgreement(isAll: false)
    } else if schedule.mayRepeat {
      (mailbox, isAll) = try readLabels(question.anew)
      mailbox = seen(mailbox, question.name)
      if isAll { facts.noteAgreement(isAll: true) }
    }
    return mailbox
  }

  /// Reads the mailbox where the server has no labels any longer: messages have those that are known, and drafts are drafts.
  private func readFlags(_ question: MailboxQuestion) throws(SyncFailure) -> RemoteMailbox {
    var mailbox = try base.read(question)
    try checkLimit(mailbox, question)
    var known: [UInt32: [[UInt8]]] = [:]
    for (keyword, uids) in question.keywords ?? [:] where !LabelMeaning.isFlag(keyword) {
      for uid in uids { known[uid, default: []].append(keyword) }
    }
    // A draft may be one by its label alone.
    let drafts = Set(question.drafts)
    var labelled = RemoteMessages()
    for var message in mailbox.view.listed {
      message.flags = message.flags.union(
        MessageFlags(
          drafts.contains(message.uid) ? .draft : [],
          keywords: known[message.uid] ?? []
        )
      )
      labelled.set(message)
    }
    switch mailbox.view {
    case .complete: mailbox.view = .complete(labelled)
    case .changes(_, let vanished): mailbox.view = .changes(labelled, vanished: vanished)
    }
    return seen(mailbox, question.name)
  }

  func open(_ name: MailboxName, forChanges: Bool) throws(SyncFailure) -> RemoteMailbox {
    try seen(base.open(name, forChanges: forChanges), name)
  }

  /// The mailbox with what it keeps as far as labels go.
  private func seen(_ mailbox: RemoteMailbox, _ name: MailboxName) -> RemoteMailbox {
    var mailbox = mailbox
    let isLabelled = isLabelled(name)
    mailbox.keptFlags = isLabelled ? mailbox.keptFlags.labelled : mailbox.keptFlags.unlabelled
    mailbox.onlyDiscards = isLabelled
    return mailbox
  }

  /// Reads the mailbox, and the labels of the messages that are told of; gives whether these are all, with their labels.
  private func readLabels(
    _ question: MailboxQuestion
  ) throws(SyncFailure) -> (mailbox: RemoteMailbox, isAll: Bool) {
    var mailbox = try base.read(question)
    try checkLimit(mailbox, question)
    let told = mailbox.view.listed
    guard !told.isEmpty else { return (mailbox, mailbox.isWhole) }
    let reference = MailboxReference(question.name, mailbox.identity)
    let labels = try base.labels(of: Array(told.uids), in: reference)
    let untold = told.uids.filter { labels[$0] == nil }
    let left = try base.flags(of: untold, in: reference)
    var labelled = RemoteMessages()
    for message in told {
      guard let own = labels[message.uid] else { continue }
      facts.name(own.unusable)
      var message = message
      message.flags = own.added(to: message.flags)
      labelled.set(message)
    }
    // What is there and was not told of proves nothing; what went meanwhile is gone.
    mailbox.missing += left.count
    switch mailbox.view {
    case .complete:
      mailbox.view = left.isEmpty ? .complete(labelled) : .changes(labelled, vanished: [])
    case .changes(_, let vanished): mailbox.view = .changes(labelled, vanished: vanished)
    }
    return (mailbox, mailbox.isWhole)
  }

  /// - Throws: `folderLimit` where the server seems to show the newest messages only.
  private func checkLimit(
    _ mailbox: RemoteMailbox,
    _ question: MailboxQuestion
  ) throws(SyncFailure) {
    let told = mailbox.view.listed
    let gone: [UInt32]
    switch mailbox.view {
    case .complete: gone = question.known.filter { !told.contains(uid: $0) }
    case .changes(_, let vanished):
      let set = UIDSet(vanished)
      gone = question.known.filter(set.contains)
    }
    let count = Int(mailbox.exists)
    let new = max(0, count - question.known.count + gone.count)
    guard
      FolderLimit.isReached(count: count, known: question.known, gone: gone, new: new)
    else { return }
    throw .mailbox(.folderLimit(messages: count))
  }

  func flags(
    of uids: [UInt32],
    in mailbox: MailboxReference
  ) throws(SyncFailure) -> [UInt32: MessageFlags] {
    let flags = try base.flags(of: uids, in: mailbox)
    guard isLabelled(mailbox.name), base.traits.hasLabels, !flags.isEmpty else { return flags }
    let labels = try base.labels(of: flags.keys.sorted(), in: mailbox)
    var all: [UInt32: MessageFlags] = [:]
    for (uid, flags) in flags { all[uid] = labels[uid].map { $0.added(to: flags) } }
    return all
  }

  func fetch(_ orders: [FetchOrder]) throws(SyncFailure) -> [FetchResult] {
    try base.fetch(orders.map { isLabelled($0.mailbox.name) ? LabelSink.order($0) : $0 })
  }
}

extension RemoteMailbox {
  /// Whether the view is of all messages.
  fileprivate var isWhole: Bool {
    if case .complete = view { true } else { false }
  }
}
