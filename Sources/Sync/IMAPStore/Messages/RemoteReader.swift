internal import MailStore
internal import IMAP
internal import MailModel
internal import Octets
internal import SyncPlan

/// Reads the server's side of one mailbox, in as few round trips as its capabilities allow.
///
/// Where only pulling is allowed it is EXAMINE, never SELECT: that changes nothing, not even `\Recent`.
struct RemoteReader {
  private let session: MailboxSession
  private let name: MailboxName
  private let isConditional: Bool
  private let search: UIDSearch
  private var replies: MailboxReplies
  /// Whether opening a mailbox does not tell UIDNEXT, so that STATUS is asked for it in the same round trip.
  private let hidesNext: Bool

  init(_ session: MailboxSession, _ name: MailboxName, hidesNext: Bool) {
    self.hidesNext = hidesNext
    self.session = session
    self.name = name
    isConditional =
      session.isQuickResync || session.connection.capabilities.contains("CONDSTORE")
    search = UIDSearch(session.connection)
    replies = MailboxReplies(session, name)
  }

  private var connection: Connection { session.connection }

  private var listing: RemoteListing {
    get { replies.listing }
    _modify { yield &replies.listing }
  }

  /// What changed since the last run, or everything where that cannot be told.
  mutating func read(_ question: MailboxQuestion) throws(SyncFailure) -> RemoteMailbox {
    if let token = question.token, let since = token.modSequence, isConditional {
      try readChanges(question, token, since)
    } else {
      try readEverything(question)
    }
    let mailbox = listing.mailbox
    guard question.token.map({ $0.validity == mailbox.validity }) ?? true else { return mailbox }
    try fetchMetadata(listing.undated(but: question.known))
    return listing.described
  }

  // MARK: Opening

  private func sendOpening(_ parameter: SelectParameter?) -> (status: CommandTag?, CommandTag) {
    let status = hidesNext ? connection.send(.status(name, [.uidNext, .uidValidity])) : nil
    return (status, connection.send(session.opening(name, parameter)))
  }

  private mutating func finishOpening(
    _ opening: (status: CommandTag?, CommandTag)
  ) throws(SyncFailure) {
    var status: MailboxStatus?
    if let tag = opening.status {
      _ = try connection.finish(tag) { event in
        if case .mailboxStatus(let answer) = event, answer.name == name { status = answer }
      }
    }
    try replies.finishOpening(opening.1)
    if let status { listing.takeNext(of: status) }
  }

  // MARK: Since the last run

  private mutating func readChanges(
    _ question: MailboxQuestion,
    _ token: MailboxQuestion.Token,
    _ since: UInt64
  ) throws(SyncFailure) {
    listing.isPartial = true
    if session.isQuickResync {
      try readQuickResync(question, token, since)
    } else {
      try readConditional(question, since)
    }
    // NOMODSEQ: the mailbox no longer keeps modification sequences (RFC 7162 §3.1.2.2).
    if listing.mailbox.modSequence == nil {
      try readAnew(question)
    } else if session.isQuickResync {
      try checkCount(question, token)
    }
  }

  private mutating func readQuickResync(
    _ question: MailboxQuestion,
    _ token: MailboxQuestion.Token,
    _ since: UInt64
  ) throws(SyncFailure) {
    let (opening, fetch) = session.sendQuickResync(
      name,
      token.validity,
      since: since,
      from: question.firstToCheck
    )
    try replies.finishOpening(opening)
    try replies.finishFetch(fetch)
  }

  private mutating func readAnew(_ question: MailboxQuestion) throws(SyncFailure) {
    listing.forget()
    listing.isPartial = false
    try readEverything(question)
  }

  /// Holds what the server told of changes against how many messages it has.
  ///
  /// More than were told of: an earlier run was not shown all of them, so they are asked for. Fewer: removals were not told,
  /// or messages are not shown; nothing is concluded, and the next run asks again from where this one did. Messages before a
  /// window are not known, so that with one nothing can be said.
  private mutating func checkCount(
    _ question: MailboxQuestion,
    _ token: MailboxQuestion.Token
  ) throws(SyncFailure) {
    guard question.since == nil, token.validity == listing.mailbox.validity else { return }
    let surplus = listing.surplus(over: question.known)
    if surplus < 0 { return listing.miss(-surplus) }
    guard surplus > 0 else { return }
    let all = try search.find(.all, &listing)
    listing.keep(all)
    try fetchMetadata(listing.unlisted(of: all, but: question.known))
    listing.miss(listing.surplus(over: question.known))
  }

  private mutating func readConditional(
    _ question: MailboxQuestion,
    _ since: UInt64
  ) throws(SyncFailure) {
    let opening = sendOpening(.condstore)
    let changed = connection.send(
      .uidFetch(.from(1), [.uid, .flags], changedSince: since)
    )
    let new = connection.send(
      .uidFetch(.from(question.firstToCheck), FetchItem.metadata, changedSince: nil)
    )
    try finishOpening(opening)
    guard listing.mailbox.modSequence != nil else {
      for tag in [changed, new] { _ = try connection.finish(tag) }
      return
    }
    try replies.finishFetch(changed)
    try replies.finishFetch(new)
    // Those that are to go for good are there too: each would hide one that went.
    let known = (question.known + question.leaving).sorted()
    let base = Set(known)
    let unknown = listing.messages.uids.count { !base.contains($0) }
    guard listing.expected != known.count + unknown else {
      return listing.noteGone(since: question.token?.uidNext)
    }
    let all = Set(try search.find(.all, &listing))
    listing.takeCount(all.count)
    if listing.mailbox.missing == 0 {
      listing.compare(known, with: all)
      listing.noteGone(since: question.token?.uidNext, but: all)
    }
    // What an earlier run was not shown.
    if question.since == nil { try fetchMetadata(listing.unlisted(of: all, but: known)) }
  }

  // MARK: Everything

  private mutating func readEverything(_ question: MailboxQuestion) throws(SyncFailure) {
    let parameter: SelectParameter? = isConditional && !session.isQuickResync ? .condstore : nil
    if let since = question.since { return try readWindow(question, since, parameter) }
    let opening = sendOpening(parameter)
    guard !question.known.isEmpty else {
      let fetch = connection.send(.uidFetch(.from(1), FetchItem.metadata, changedSince: nil))
      try finishOpening(opening)
      try replies.finishFetch(fetch)
      return listing.takeCount(listing.messages.count)
    }
    // In the same round trip: flags say nothing of whether the known messages are the same ones.
    let check = Command.uidFetch(
      .from(question.firstToCheck),
      FetchItem.metadata,
      changedSince: nil
    )
    if search.isExtended {
      let check = connection.send(check)
      try finishOpening(opening)
      try replies.finishFetch(check)
      if try searchFlags() { return }
      try replies.finishFetch(
        connection.send(.uidFetch(.from(1), [.uid, .flags], changedSince: nil))
      )
    } else {
      let fetch = connection.send(.uidFetch(.from(1), [.uid, .flags], changedSince: nil))
      let check = connection.send(check)
      try finishOpening(opening)
      try replies.finishFetch(fetch)
      try replies.finishFetch(check)
    }
    listing.takeCount(listing.messages.count)
  }

  private mutating func readWindow(
    _ question: MailboxQuestion,
    _ since: Int64,
    _ parameter: SelectParameter?
  ) throws(SyncFailure) {
    try finishOpening(sendOpening(parameter))
    listing.noteWindow()
    var recent = try search.find(.since(day: since), &listing)
    for days in question.earlier {
      let query = SearchQuery.between(day: days.lowerBound, before: days.upperBound)
      recent += try search.find(query, &listing)
    }
    let all = Set(try search.find(.all, &listing))
    listing.takeCount(all.count)
    let known = (question.known + question.leaving).sorted()
    listing.compare(known, with: all)
    let wanted = Set(known.filter(all.contains)).union(recent)
    let before = listing.expected
    try fetchMetadata(wanted.sorted())
    let gone = before - listing.expected
    listing.miss(wanted.count - listing.messages.count - gone)
  }

  /// One search for each flag: a sixteenth of the octets of a FETCH of all flags (RFC 4731).
  ///
  /// False where the answers cannot be all of the truth, so that another way has to be taken.
  private mutating func searchFlags() throws(SyncFailure) -> Bool {
    let system: [(SearchQuery, SystemFlags)] = [
      (.seen, .seen), (.answered, .answered), (.flagged, .flagged), (.deleted, .deleted),
      (.draft, .draft),
    ]
    let keywords = listing.keywords
    let queries = [.all] + system.map(\.0) + keywords.map { SearchQuery.keyword($0) }
    guard let found = try search.findTogether(queries, &listing),
      found[0].count >= listing.expected
    else { return false }
    var flags: [UInt32: MessageFlags] = [:]
    for uid in found[0] { flags[uid] = MessageFlags() }
    for (uids, flag) in zip(found[1...], system.map(\.1)) {
      for uid in uids { flags[uid]?.system.insert(flag) }
    }
    for (uids, keyword) in zip(found[(1 + system.count)...], keywords) {
      let flag = MessageFlags([.keyword(keyword)])
      for uid in uids { flags[uid] = flags[uid]?.union(flag) }
    }
    listing.applyFlags(flags)
    return true
  }

  /// Size and date of messages.
  private mutating func fetchMetadata(_ uids: [UInt32]) throws(SyncFailure) {
    // Servers hang up on a line that is too long, and UIDs may lie scattered.
    let tags = UIDSet(sortedUIDs: uids).pieces(ofAtMost: 100_000).map {
      connection.send(.uidFetch(.uids($0), FetchItem.metadata, changedSince: nil))
    }
    for tag in tags { try replies.finishFetch(tag) }
  }
}

extension MailboxQuestion {
  /// How many known messages are asked for anew: one of them may be gone, and of those that are not there nothing is told.
  static let checkedCount = 4

  /// From here on messages are asked for anew: the last known ones too, so that a server that gave their UIDs to other messages
  /// is found out.
  fileprivate var firstToCheck: UInt32 {
    let uidNext = token?.uidNext ?? 1
    return max(1, min(uidNext, known.suffix(Self.checkedCount).first ?? uidNext))
  }
}
