internal import IMAP
internal import MailModel
internal import Octets
internal import SyncPlan

/// Reads the server's side of one mailbox, in as few flights as its capabilities allow.
///
/// Where only pulling is allowed it is EXAMINE, never SELECT: that changes nothing, not even `\Recent`.
struct RemoteReader {
  /// What the last run knew, where its word still counts.
  struct Known {
    var validity: UInt32
    var uidNext: UInt32
    var modSequence: UInt64
    /// The UIDs of the map, ascending.
    var uids: [UInt32]

    /// From here on messages are asked for anew: the last known one too, so that a server that gave its
    /// UID to another message is found out.
    var firstToCheck: UInt32 { max(1, min(uidNext, uids.last ?? uidNext)) }
  }

  /// A question that was sent before anybody looked what is here.
  private struct Question {
    let header: MailboxHeader
    let opening: Tag
    let fetch: Tag

    /// Whether its answer tells what changed since the last run.
    func fits(_ known: Known?) -> Bool {
      known?.validity == header.validity && known?.uidNext == header.uidNext
        && known?.modSequence == header.modSequence
    }
  }

  private static let metadata: [FetchItem] = [.uid, .flags, .internalDate, .size]

  private let session: MailboxSession
  private let name: MailboxName
  private let isQuickResync: Bool
  private let isConditional: Bool
  private let search: UIDSearch
  private var question: Question?
  private var listing = RemoteListing()

  init(_ session: MailboxSession, _ name: MailboxName) {
    self.session = session
    self.name = name
    isQuickResync = session.isQuickResync
    isConditional =
      session.isQuickResync || session.connection.capabilities.contains("CONDSTORE")
    search = UIDSearch(session.connection)
  }

  private var connection: Connection { session.connection }

  /// Has the server begin to tell what changed since a complete run, so that it answers while others look what is here.
  ///
  /// Only the last message, and those that are new, are asked for: all below UIDNEXT are known.
  mutating func ask(since header: MailboxHeader) throws(SyncFailure) {
    guard isQuickResync, header.modSequence > 0 else { return }
    let (opening, fetch) = sendQuickResync(
      header.validity,
      header.modSequence,
      from: max(1, header.uidNext - min(1, header.uidNext))
    )
    question = Question(header: header, opening: opening, fetch: fetch)
    try connection.flush()
  }

  /// What changed since the last run, or everything where that cannot be told.
  ///
  /// `since` limits unknown messages to those of that day (seconds since 1970) or later; nil is all.
  mutating func read(known: Known?, since: Int64?) throws(SyncFailure) -> RemoteMailbox {
    let isAnswered = try finishQuestion(known)
    if let known, known.modSequence > 0, isConditional {
      listing.isPartial = true
      if !isAnswered {
        if isQuickResync { try readQuickResync(known) } else { try readConditional(known, since) }
      }
      // NOMODSEQ: the mailbox keeps no modification sequences any more (RFC 7162 §3.1.2.2).
      if listing.mailbox.modSequence == 0 {
        try readAnew(known, since)
      } else if isQuickResync {
        try checkCount(known, isWindowed: since != nil)
      }
    } else {
      try readEverything(known, since)
    }
    var mailbox = listing.mailbox
    guard known.map({ $0.validity == mailbox.validity }) ?? true else { return mailbox }
    try fetchMetadata(listing.undated(but: Set(known?.uids ?? [])))
    mailbox = listing.mailbox
    mailbox.view = listing.view
    return mailbox
  }

  // MARK: Since the last run

  /// Takes the answer to what was asked before, and forgets it where it is of no use.
  ///
  /// Gives whether it is.
  private mutating func finishQuestion(_ known: Known?) throws(SyncFailure) -> Bool {
    guard let question = question.take() else { return false }
    try finishOpening(question.opening)
    try finishFetch(question.fetch)
    if question.fits(known) { return true }
    listing.forget()
    return false
  }

  private mutating func readQuickResync(_ known: Known) throws(SyncFailure) {
    let (opening, fetch) = sendQuickResync(
      known.validity,
      known.modSequence,
      from: known.firstToCheck
    )
    try finishOpening(opening)
    try finishFetch(fetch)
  }

  private func sendQuickResync(
    _ validity: UInt32,
    _ modSequence: UInt64,
    from first: UInt32
  ) -> (opening: Tag, fetch: Tag) {
    let parameter = SelectParameter.qresync(
      validity: validity,
      modSequence: modSequence,
      knownUIDs: nil
    )
    let opening = connection.send(session.opening(name, parameter))
    let fetch = connection.send(.uidFetch(.from(first), Self.metadata, changedSince: nil))
    return (opening, fetch)
  }

  private mutating func readAnew(_ known: Known, _ since: Int64?) throws(SyncFailure) {
    listing.forget()
    listing.isPartial = false
    try readEverything(known, since)
  }

  /// Holds what the server told of changes against how many messages it has.
  ///
  /// More than were told of: an earlier run was not shown all of them, so they are asked for. Fewer: removals were not told,
  /// or messages are not shown; nothing is concluded, and the next run asks again from where this one did. Messages before a
  /// window are not known, so that with one nothing can be said.
  private mutating func checkCount(_ known: Known, isWindowed: Bool) throws(SyncFailure) {
    guard !isWindowed, known.validity == listing.mailbox.validity else { return }
    let surplus = listing.surplus(over: known.uids)
    if surplus < 0 { return listing.miss(-surplus) }
    guard surplus > 0 else { return }
    let all = try search.find(.all, &listing)
    listing.keep(all)
    try fetchMetadata(listing.unlisted(of: all, but: known.uids))
    listing.miss(listing.surplus(over: known.uids))
  }

  private mutating func readConditional(_ known: Known, _ since: Int64?) throws(SyncFailure) {
    let opening = connection.send(session.opening(name, .condstore))
    let changed = connection.send(
      .uidFetch(.from(1), [.uid, .flags], changedSince: known.modSequence)
    )
    let new = connection.send(
      .uidFetch(.from(known.firstToCheck), Self.metadata, changedSince: nil)
    )
    try finishOpening(opening)
    guard listing.mailbox.modSequence > 0 else {
      for tag in [changed, new] { _ = try connection.finish(tag) }
      return
    }
    try finishFetch(changed)
    try finishFetch(new)
    let base = Set(known.uids)
    let unknown = listing.messages.keys.count { !base.contains($0) }
    guard listing.expected != known.uids.count + unknown else { return }
    let all = Set(try search.find(.all, &listing))
    listing.takeCount(all.count)
    if listing.mailbox.missing == 0 { listing.compare(known.uids, with: all) }
    // What an earlier run was not shown.
    if since == nil { try fetchMetadata(listing.unlisted(of: all, but: known.uids)) }
  }

  // MARK: Everything

  private mutating func readEverything(_ known: Known?, _ since: Int64?) throws(SyncFailure) {
    let parameter: SelectParameter? = isConditional && !isQuickResync ? .condstore : nil
    if let since { return try readWindow(known, since, parameter) }
    let opening = connection.send(session.opening(name, parameter))
    let isEmpty = known?.uids.isEmpty ?? true
    if !isEmpty, search.isExtended {
      try finishOpening(opening)
      if try searchFlags() { return }
      try finishFetch(connection.send(.uidFetch(.from(1), [.uid, .flags], changedSince: nil)))
    } else {
      let items = isEmpty ? Self.metadata : [.uid, .flags]
      let fetch = connection.send(.uidFetch(.from(1), items, changedSince: nil))
      try finishOpening(opening)
      try finishFetch(fetch)
    }
    listing.takeCount(listing.messages.count)
  }

  private mutating func readWindow(
    _ known: Known?,
    _ since: Int64,
    _ parameter: SelectParameter?
  ) throws(SyncFailure) {
    try finishOpening(connection.send(session.opening(name, parameter)))
    let recent = try search.find(.since(day: since), &listing)
    let all = Set(try search.find(.all, &listing))
    listing.takeCount(all.count)
    let wanted = Set((known?.uids ?? []).filter(all.contains)).union(recent)
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
    listing.take(flags)
    return true
  }

  /// Size and date of messages.
  private mutating func fetchMetadata(_ uids: [UInt32]) throws(SyncFailure) {
    // Servers hang up on a line that is too long, and UIDs may lie scattered.
    let tags = UIDSet(sortedUIDs: uids).pieces(ofAtMost: 100_000).map {
      connection.send(.uidFetch(.uids($0), Self.metadata, changedSince: nil))
    }
    for tag in tags { try finishFetch(tag) }
  }

  // MARK: Replies

  private mutating func finishOpening(_ tag: Tag) throws(SyncFailure) {
    listing.beginOpening()
    let response = try connection.finish(tag) { event in
      switch event {
      // Without QRESYNC such a line is of no question of ours.
      case .fetch where !isQuickResync, .vanished where !isQuickResync: return
      default: listing.takeOpening(event)
      }
    }
    guard response.kind == .ok else {
      throw .commandRefused(command: session.isWriting ? "SELECT" : "EXAMINE", response)
    }
    listing.endOpening(response.code)
    session.didOpen(name)
  }

  private mutating func finishFetch(_ tag: Tag) throws(SyncFailure) {
    let response = try connection.finish(tag) { event in listing.take(event) }
    // Some servers call `1:*` a bad set where there is no message.
    guard response.kind == .ok || listing.mailbox.exists == 0 else {
      throw .commandRefused(command: "UID FETCH", response)
    }
  }
}
