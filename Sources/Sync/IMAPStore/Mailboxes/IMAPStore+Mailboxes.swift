internal import IMAP
internal import MailModel
internal import MailStore
internal import Octets
internal import SyncPlan
internal import SyncState

// The mailboxes as a whole.
extension IMAPStore {
  /// Answers of before are given up: a list that is newer than they are would show messages that moved since as if they had been
  /// there all along.
  func list() throws(SyncFailure) -> ServerListing {
    let session = try session()
    questions.forgetAnswers()
    var listing = MailboxListing(session.connection)
    return try listing.ask(isEnabled: session.isQuickResync).listing(naming)
  }

  /// In one round trip; QRESYNC is on already, and may be switched on only as long as no mailbox was open (RFC 5161 §3.1).
  ///
  /// A server need not keep up to date what it tells of the mailbox that is open: where that cannot be left, its status does
  /// not count.
  func resume(expecting expectation: ServerExpectation) throws(SyncFailure) -> ServerListing {
    naming = expectation.naming
    let expected = expectation.questions()
    let session = try session()
    questions.forget()
    let (opened, leaving) = session.beginLeaving()
    var listing = MailboxListing(session.connection)
    let mayAsk = leaving != nil && memory.mayAskEarly && !expected.isEmpty
    let result: MailboxListing.Result
    do throws(SyncFailure) {
      result = try listing.ask(isEnabled: true, behind: leaving) { () throws(SyncFailure) in
        if mayAsk { try questions.send(expected) }
      } then: { () throws(SyncFailure) in
        try finishEarlyQuestions()
      }
    } catch {
      if mayAsk, error.isLimit { memory.refuseEarlyQuestions(because: error) }
      throw error
    }
    if listing.tellsOfMessages || listing.isAnew { questions.forget() }
    guard let opened, leaving == nil else { return result.listing(naming) }
    return result.listing(naming, withoutStatusOf: opened)
  }

  /// Notes where the server breaks over them, or names a limit.
  private func finishEarlyQuestions() throws(SyncFailure) {
    do throws(SyncFailure) {
      if let limit = try questions.finishEarly() { memory.refuseEarlyQuestions(because: limit) }
    } catch {
      if error.isBreak { memory.refuseEarlyQuestions(because: error) }
      throw error
    }
  }

  func status(
    of names: [MailboxName]
  ) throws(SyncFailure) -> [MailboxName: ServerMailbox.Status] {
    try status(of: names, [.messages, .uidNext, .uidValidity]).mapValues(ServerMailbox.Status.init)
  }

  /// Ids are asked for with nothing else: Cyrus 3.6 answers with anything where MAILBOXID stands beside other items.
  func serverIDs(of names: [MailboxName]) throws(SyncFailure) -> [MailboxName: [UInt8]] {
    guard traits.tellsMailboxIDs else { return [:] }
    return try status(of: names, [.mailboxID]).compactMapValues(\.mailboxID)
  }

  private func status(
    of names: [MailboxName],
    _ items: [StatusItem]
  ) throws(SyncFailure) -> [MailboxName: MailboxStatus] {
    var found: [MailboxName: MailboxStatus] = [:]
    let connection = try session().connection
    questions.forgetAnswers()
    let tags = names.map { connection.send(.status($0, items)) }
    for tag in tags {
      _ = try connection.finish(tag) { event in
        if case .mailboxStatus(let status) = event { found[status.name] = status }
      }
    }
    return found
  }

  /// In one round trip: no end of the run leaves a mailbox without a subscription.
  func create(_ name: MailboxName) throws(SyncFailure) -> CreationOutcome {
    let (connection, leaving) = try leave()
    let created = connection.send(.create(name, specialUse: nil))
    let subscribed = connection.send(.subscribe(name))
    let response = try connection.finish(created)
    let subscription = try connection.finish(subscribed)
    if let leaving { _ = try connection.finish(leaving) }
    if response.kind == .ok { return .made }
    if response.code == .alreadyExists { return .existed }
    if subscription.kind == .ok { try unsubscribe(name) }
    return .refused(ServerReply(response))
  }

  func create(
    for role: MailboxRole,
    under names: [MailboxName]
  ) throws(SyncFailure) -> MailboxName? {
    try MailboxMaking(session().connection, for: role).first(of: names)
  }

  /// A server may refuse to rename or remove a mailbox that is open, and what was told of mailboxes means nothing behind such a
  /// change: a new list follows.
  private func leave() throws(SyncFailure) -> (connection: Connection, tag: CommandTag?) {
    let session = try session()
    questions.forget()
    return (session.connection, session.beginLeaving().tag)
  }

  /// All in one round trip: no end of the run leaves a mailbox under a new name without a subscription.
  func rename(
    _ renames: [(from: MailboxName, to: MailboxName)],
    back: [(from: MailboxName, to: MailboxName)]
  ) throws(SyncFailure) -> Set<MailboxName> {
    let (connection, leaving) = try leave()
    let sent = renames.map { rename in
      let renamed = connection.send(.rename(rename.from, to: rename.to))
      return (rename.to, renamed, connection.send(.subscribe(rename.to)))
    }
    let backTags = back.map { connection.send(.rename($0.from, to: $0.to)) }
    var accepted: Set<MailboxName> = []
    for (name, renamed, subscribed) in sent {
      if try connection.finish(renamed).kind == .ok { accepted.insert(name) }
      _ = try connection.finish(subscribed)
    }
    for tag in backTags { _ = try connection.finish(tag) }
    if let leaving { _ = try connection.finish(leaving) }
    return accepted
  }

  func delete(
    _ mailbox: MailboxReference,
    holdingOnly known: Set<UInt32>,
    flagged: Set<UInt32>
  ) throws(SyncFailure) -> DeletionOutcome {
    let (connection, leaving) = try leave()
    let status = try status(of: [mailbox.name])[mailbox.name]
    if let leaving { _ = try connection.finish(leaving) }
    let isEmpty = status?.messages == 0
    if !isEmpty, try !holdsOnly(known, flagged, mailbox) { return .holdsOthers }
    let response = try connection.perform(.delete(mailbox.name))
    guard response.kind == .ok else { return .refused(ServerReply(response)) }
    try unsubscribe(mailbox.name)
    return .deleted(wasEmpty: isEmpty)
  }

  /// Whether a mailbox has no message but those of these UIDs, and none of them is flagged but these; in the end it is not
  /// open.
  private func holdsOnly(
    _ known: Set<UInt32>,
    _ flagged: Set<UInt32>,
    _ mailbox: MailboxReference
  ) throws(SyncFailure) -> Bool {
    guard !known.isEmpty, let found = try opened(mailbox.name) else { return false }
    var listing = RemoteListing(of: found)
    let search = try UIDSearch(session().connection)
    let uids = try search.find(.all, &listing)
    let marked = try search.find(.flagged, &listing)
    try session().leave()
    return found.identity.sharesUIDs(with: mailbox.identity) && uids.count >= found.exists
      && uids.allSatisfy(known.contains) && marked.allSatisfy(flagged.contains)
  }

  func unsubscribe(_ name: MailboxName) throws(SyncFailure) {
    _ = try session().connection.perform(.unsubscribe(name))
  }

  /// In the end none is open: a server may refuse to rename one that is.
  func samples(
    _ wanted: [MailboxName: [UInt32]]
  ) throws(SyncFailure) -> [MailboxName: [UInt32: RemoteMessage]] {
    var found: [MailboxName: [UInt32: RemoteMessage]] = [:]
    for (name, uids) in wanted { found[name] = try sample(uids, in: name) }
    if !wanted.isEmpty { try session().leave() }
    return found
  }

  private func sample(
    _ uids: [UInt32],
    in name: MailboxName
  ) throws(SyncFailure) -> [UInt32: RemoteMessage] {
    guard !uids.isEmpty, try opened(name) != nil else { return [:] }
    var found: [UInt32: RemoteMessage] = [:]
    let set = MessageSet.uids(UIDSet(sortedUIDs: uids.sorted()))
    let items: [FetchItem] = [.uid, .internalDate, .size]
    _ = try session().connection.perform(.uidFetch(set, items, changedSince: nil)) { event in
      guard case .fetch(let fetch) = event, let uid = fetch.uid else { return }
      found[uid] = RemoteMessage(
        uid: uid,
        flags: MessageFlags(),
        size: fetch.size,
        date: fetch.internalDate
      )
    }
    return found
  }

  /// A mailbox that was opened to look at it; nil where it could not be.
  private func opened(_ name: MailboxName) throws(SyncFailure) -> RemoteMailbox? {
    do throws(SyncFailure) {
      return try session().open(name, forChanges: false)
    } catch {
      guard case .commandRefused = error else { throw error }
      return nil
    }
  }
}

/// Makes a mailbox for a special use (RFC 6154 §3).
struct MailboxMaking {
  private let connection: Connection
  private let use: [UInt8]

  init(_ connection: Connection, for role: MailboxRole) {
    self.connection = connection
    use = ListEntry.attribute(for: role)
  }

  /// Makes a mailbox of the first of these names that the server takes; nil where it takes none.
  func first(of names: [MailboxName]) throws(SyncFailure) -> MailboxName? {
    let canMark = connection.capabilities.contains("CREATE-SPECIAL-USE")
    for name in names {
      let mark = canMark && !use.isEmpty ? use : nil
      let response = try connection.perform(.create(name, specialUse: mark))
      // Another client may have been faster.
      guard response.kind == .ok || response.code == .alreadyExists else { continue }
      _ = try connection.perform(.subscribe(name))
      return name
    }
    return nil
  }
}
