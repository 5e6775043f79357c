internal import MailModel
package import MailStore
internal import Maildir
internal import Octets
internal import Platform
internal import SyncPlan
internal import SyncState

/// Opens one mailbox for a run: reads both sides and the base, and finds a new base where the old one
/// can no longer be trusted.
package struct MailboxOpening {
  /// A new mailbox with more messages is asked about once it is known that there is no record of it.
  private static let fewMessages: UInt32 = 100

  private let context: MailboxContext
  private let store: any MailStore
  private let mailbox: MirroredMailbox
  private let directory: Path

  /// Opens a mailbox on the store, which has begun nothing yet.
  package init(_ context: MailboxContext, _ store: any MailStore, _ mailbox: MirroredMailbox) {
    self.context = context
    self.store = store
    self.mailbox = mailbox
    directory = context.path(of: mailbox)
  }

  /// Whether messages lack their files, as far as is known before it is open: most likely they are to be moved or removed.
  package var hasFileless: Bool { context.cache.hasFileless(mailbox.id) }

  /// The mailbox as it is on both sides; it is left open on the store.
  ///
  /// - Throws: `SyncFailure`: of the connection, or about the mailbox, which is left as it is.
  package func open() throws(SyncFailure) -> OpenMailbox {
    let base = try base()
    let remote = try store.read(question(base))
    let validity = try remote.knownValidity
    if base.isDirectoryMissing, !context.fetchesAgain(mailbox.path.joined) {
      throw .mailbox(.directoryMissing(directory))
    }
    let listed = try listedRecords(base, remote)
    guard let reason = rematchReason(base, remote, listed) else {
      let journal = base.journal ?? Journal(new: newHeader(remote, validity), store: context.store)
      if !context.rules.isDryRun {
        try attempt(journal.record(listed.corrected.map { .message($0) }))
      }
      return OpenMailbox(mailbox, directory, journal, base.local, base.difference, remote)
    }
    // Another mailbox may have got the name since it was listed. A list that is sent while another client renames mailboxes may
    // have the one and not the other. Where ids do not decide, a second list does.
    if let known = base.journal?.state.header.identity, !known.sharesUIDs(with: remote.identity),
      known.sharesID(with: remote.identity) != true, !context.rules.isDryRun,
      context.facts.putOff(mailbox)
    {
      throw .mailbox(.identityChanged(from: known, to: remote.identity))
    }
    return try openAnew(base, remote, reason)
  }

  private func base() throws(SyncFailure) -> MailboxBase {
    if let read = context.cache.takeFresh(of: mailbox.id) { return read }
    return try MailboxBase(mailbox.id, mailbox.directory, context)
  }

  /// What the server is likely to be asked once it is known what is here; nil where that cannot be told.
  ///
  /// `takesNew` says that messages which the server has above UIDNEXT are new, and were not moved there.
  package func expectedQuestion(takesNew: Bool) -> MailboxQuestion? {
    if mailbox.entry == nil { return questionAboutNew }
    guard let entry = mailbox.entry, entry.isComplete,
      entry.header.window == context.window(of: mailbox),
      mailbox.gained != nil || mailbox.status?.identity.validity == entry.header.validity,
      !context.rules.isScanning
    else { return nil }
    var question = MailboxQuestion(mailbox.name, since: entry.header.token)
    if takesNew { question.newMessages = mailbox.gained ?? newMessages(since: entry) }
    return question
  }

  /// How many UIDs the server gave since the last run.
  private func newMessages(since entry: Summary.Entry) -> UInt32 {
    guard let now = mailbox.status?.uidNext, let before = entry.header.uidNext, now > before
    else { return 0 }
    return now - before
  }

  /// The question about a mailbox that is mirrored for the first time, as far as is known: where there is a record of it, the
  /// answer to few messages was in vain.
  private var questionAboutNew: MailboxQuestion? {
    guard let messages = mailbox.status?.messages, messages <= Self.fewMessages,
      context.fetchSince == nil, !context.rules.isScanning
    else { return nil }
    return MailboxQuestion(mailbox.name)
  }

  /// What the server is asked; the modification sequence of the last run counts only if nothing has to be looked at anew.
  private func question(_ base: MailboxBase) throws(SyncFailure) -> MailboxQuestion {
    guard let state = base.journal?.state, let difference = base.difference else {
      return MailboxQuestion(mailbox.name, firstDay: context.fetchSince)
    }
    let isAnew =
      context.rules.isScanning || state.header.window != context.window(of: mailbox)
      || base.local.hasUnrecorded(difference, state)
    var question = MailboxQuestion(
      mailbox.name,
      since: isAnew ? state.header.token.anew : state.header.token,
      known: state.messages.keys,
      firstDay: context.fetchSince
    )
    question.leaving = Array(state.pendingExpunges.keys)
    if store.traits.comparesKeywords {
      question.keywords = state.messages.uidsByKeyword
      state.messages.forEachMessage { uid, flags in
        if flags.contains(.draft) { question.drafts.append(uid) }
      }
      question.drafts.sort()
    }
    return question
  }

  private func readAll() throws(SyncFailure) -> RemoteMailbox {
    try store.read(MailboxQuestion(mailbox.name))
  }

  // MARK: Rematching

  /// What is on record of the messages that the server listed, as it tells of them.
  private func listedRecords(
    _ base: MailboxBase,
    _ remote: RemoteMailbox
  ) throws(SyncFailure) -> ListedRecords {
    var listed = ListedRecords(of: remote.view.listed, base.journal?.state)
    if rematchReason(base, remote, nil) == nil {
      try listed.correct(over: store, in: MailboxReference(mailbox.name, remote.identity))
    }
    return listed
  }

  /// Why the base can no longer be trusted, where that is on record of the messages that the server listed; nil where it can.
  private func rematchReason(
    _ base: MailboxBase,
    _ remote: RemoteMailbox,
    _ listed: ListedRecords?
  ) -> RematchReason? {
    let known = base.journal.map { journal in
      RematchReason.Base(
        identity: journal.state.header.identity,
        uidNext: journal.state.header.uidNext,
        modSequence: journal.state.header.modSequence,
        highestUID: journal.state.messages.highestUID,
        listed: listed?.records ?? [:],
        hasOtherMessage: listed?.hasOtherMessage ?? false
      )
    }
    return RematchReason(
      base: known,
      hasFiles: !base.local.files.isEmpty,
      isUntrusted: base.isUntrusted,
      server: RematchReason.Server(
        identity: remote.identity,
        uidNext: remote.uidNext,
        modSequence: remote.modSequence,
        listed: remote.view.listed
      )
    )
  }

  /// What was read so far has UIDs that are no longer valid, or covers only a window: files
  /// may be messages from before it.
  private func openAnew(
    _ base: MailboxBase,
    _ first: RemoteMailbox,
    _ reason: RematchReason
  ) throws(SyncFailure) -> OpenMailbox {
    let isWhole = base.journal == nil && context.fetchSince == nil
    let remote = isWhole ? first : try readAll()
    let validity = try remote.knownValidity
    let header = newHeader(remote, validity)
    let journal =
      base.journal.map { Journal(new: header, replacing: $0) }
      ?? Journal(new: header, store: context.store)
    if !base.local.files.isEmpty || base.journal?.state.isEmpty == false {
      if remote.exists > 0 {
        context.report(
          "\(mailbox.path.display): \(words(reason)): comparing with the server"
        )
      }
      let rematch = MailboxRematch(
        context,
        store,
        mailbox,
        header.identity,
        base.local,
        base.journal?.state,
        isServerBehind: reason == .serverWentBackwards
      )
      journal.adopt(try rematch.records(header, Array(remote.view.listed)))
      report(journal.state.detached)
    }
    var local = base.local
    // So that names are read as the new record does, where there was none.
    local.header = journal.state.header
    return OpenMailbox(
      mailbox,
      directory,
      journal,
      local,
      nil,
      remote,
      rematched: former(base, journal.state),
      formerState: base.journal?.state,
      renumbered: Renumbering(base.journal?.state, journal.state)
    )
  }

  /// The records of messages that were not found again: their files are detached now, or were moved before.
  private func former(_ base: MailboxBase, _ state: MailboxState) -> [BaseRecord] {
    let records = base.journal?.state.messages.values
    return records?.filter { record in
      state.detached.contains(record.name)
        || base.local.files[record.name] == nil && state.uid(of: record.name) == nil
    } ?? []
  }

  private func report(_ detached: OctetSet) {
    for name in detached.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      context.report("\(mailbox.path.display): detach \(Printable.text(name))")
    }
  }

  private func words(_ reason: RematchReason) -> String {
    switch reason {
    case .unknownFiles: "first sync of a folder that has mail"
    case .untrustedRecord: "its record is damaged, or of an older version"
    case .validityChanged: "UIDVALIDITY changed"
    case .otherMailbox: "another mailbox has its name now"
    case .serverWentBackwards: "the server was put back to an earlier state"
    }
  }

  private func newHeader(_ remote: RemoteMailbox, _ validity: UInt32) -> MailboxHeader {
    MailboxHeader(
      mailbox: mailbox.name.wire,
      directory: mailbox.directory,
      id: mailbox.id,
      validity: validity,
      window: context.window(of: mailbox),
      serverID: remote.serverID
    )
  }
}

extension MailboxHeader {
  /// What the server is told of the last run, so that it answers with what has changed since.
  package var token: MailboxQuestion.Token {
    MailboxQuestion.Token(validity: validity, uidNext: uidNext, modSequence: modSequence)
  }
}
