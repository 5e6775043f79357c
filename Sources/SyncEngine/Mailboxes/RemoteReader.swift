internal import IMAP
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
  private let isExtendedSearch: Bool
  private var question: Question?
  private var mailbox = RemoteMailbox()
  private var messages: [UInt32: RemoteMessage] = [:]
  private var vanished: [ClosedRange<UInt32>] = []
  private var keywords: [[UInt8]] = []
  /// How many messages there are: what the opening said, less what went since.
  private var expected = 0
  private var isPartial = false

  init(_ session: MailboxSession, _ name: MailboxName) {
    self.session = session
    self.name = name
    isQuickResync = session.isQuickResync
    let capabilities = session.connection.capabilities
    isConditional = session.isQuickResync || capabilities.contains("CONDSTORE")
    isExtendedSearch = capabilities.contains("ESEARCH") || capabilities.contains("IMAP4rev2")
  }

  private var connection: Connection { session.connection }

  /// Has the server begin to tell what changed since a complete run, so that it answers while others look what is here.
  ///
  /// Only the last message, and those that are new, are asked for: all below UIDNEXT are known.
  mutating func ask(since header: MailboxHeader) {
    guard isQuickResync, header.modSequence > 0 else { return }
    let (opening, fetch) = sendQuickResync(
      header.validity,
      header.modSequence,
      from: max(1, header.uidNext - min(1, header.uidNext))
    )
    question = Question(header: header, opening: opening, fetch: fetch)
  }

  /// What changed since the last run, or everything where that cannot be told.
  ///
  /// `since` limits unknown messages to those of that day (seconds since 1970) or later; nil is all.
  mutating func read(known: Known?, since: Int64?) throws(SyncFailure) -> RemoteMailbox {
    let isAnswered = try finishQuestion(known)
    if let known, known.modSequence > 0, isConditional {
      isPartial = true
      if !isAnswered {
        if isQuickResync { try readQuickResync(known) } else { try readConditional(known) }
      }
      // NOMODSEQ: the mailbox keeps no modification sequences any more (RFC 7162 §3.1.2.2).
      if mailbox.modSequence == 0 { try readAnew(known, since) }
    } else {
      try readEverything(known, since)
    }
    guard known.map({ $0.validity == mailbox.validity }) ?? true else { return mailbox }
    try completeMetadata(known?.uids ?? [])
    mailbox.view = view
    return mailbox
  }

  /// A list that is too short proves of no message that it is gone.
  private var view: RemoteView {
    let listed = Array(messages.values)
    if isPartial { return .changes(listed, vanished: UIDSet(vanished).ranges) }
    return mailbox.missing > 0 ? .changes(listed, vanished: []) : .complete(listed)
  }

  // MARK: Since the last run

  /// Takes the answer to what was asked before, and tells whether it is of use.
  ///
  /// What is not, is forgotten.
  private mutating func finishQuestion(_ known: Known?) throws(SyncFailure) -> Bool {
    guard let question = question.take() else { return false }
    try finishOpening(question.opening)
    try finishFetch(question.fetch)
    if question.fits(known) { return true }
    forget()
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
    forget()
    isPartial = false
    try readEverything(known, since)
  }

  private mutating func readConditional(_ known: Known) throws(SyncFailure) {
    let opening = connection.send(session.opening(name, .condstore))
    let changed = connection.send(
      .uidFetch(.from(1), [.uid, .flags], changedSince: known.modSequence)
    )
    let new = connection.send(
      .uidFetch(.from(known.firstToCheck), Self.metadata, changedSince: nil)
    )
    try finishOpening(opening)
    guard mailbox.modSequence > 0 else {
      for tag in [changed, new] { _ = try connection.finish(tag) }
      return
    }
    try finishFetch(changed)
    try finishFetch(new)
    let base = Set(known.uids)
    let unknown = messages.keys.filter { !base.contains($0) }.count
    guard expected != known.uids.count + unknown else { return }
    let all = Set(try search(.all))
    takeCount(all.count)
    guard mailbox.missing == 0 else { return }
    vanished = known.uids.filter { !all.contains($0) }.map { $0...$0 }
  }

  // MARK: Everything

  private mutating func readEverything(_ known: Known?, _ since: Int64?) throws(SyncFailure) {
    let parameter: SelectParameter? = isConditional && !isQuickResync ? .condstore : nil
    if let since { return try readWindow(known, since, parameter) }
    let opening = connection.send(session.opening(name, parameter))
    let isEmpty = known?.uids.isEmpty ?? true
    if !isEmpty, isExtendedSearch {
      try finishOpening(opening)
      if try searchFlags() { return }
      try finishFetch(connection.send(.uidFetch(.from(1), [.uid, .flags], changedSince: nil)))
    } else {
      let items = isEmpty ? Self.metadata : [.uid, .flags]
      let fetch = connection.send(.uidFetch(.from(1), items, changedSince: nil))
      try finishOpening(opening)
      try finishFetch(fetch)
    }
    takeCount(messages.count)
  }

  private mutating func readWindow(
    _ known: Known?,
    _ since: Int64,
    _ parameter: SelectParameter?
  ) throws(SyncFailure) {
    try finishOpening(connection.send(session.opening(name, parameter)))
    let recent = try search(.since(day: since))
    let all = Set(try search(.all))
    takeCount(all.count)
    let wanted = Set((known?.uids ?? []).filter(all.contains)).union(recent)
    let before = expected
    try fetchMetadata(wanted.sorted())
    mailbox.missing += max(0, wanted.count - messages.count - (before - expected))
  }

  /// One search for each flag: a sixteenth of the octets of a FETCH of all flags (RFC 4731).
  ///
  /// False where the answers cannot be all of the truth, so that another way has to be taken.
  private mutating func searchFlags() throws(SyncFailure) -> Bool {
    let system: [(SearchQuery, SystemFlags)] = [
      (.seen, .seen), (.answered, .answered), (.flagged, .flagged), (.deleted, .deleted),
      (.draft, .draft),
    ]
    let queries = [.all] + system.map(\.0) + keywords.map { SearchQuery.keyword($0) }
    guard let found = try searchTogether(queries), found[0].count >= expected else { return false }
    var flags: [UInt32: MessageFlags] = [:]
    for uid in found[0] { flags[uid] = MessageFlags() }
    for (uids, flag) in zip(found[1...], system.map(\.1)) {
      for uid in uids { flags[uid]?.system.insert(flag) }
    }
    for (uids, keyword) in zip(found[(1 + system.count)...], keywords) {
      let flag = FlagTranslation.flags([.keyword(keyword)])
      for uid in uids { flags[uid] = flags[uid]?.union(flag) }
    }
    for (uid, flags) in flags { messages[uid] = RemoteMessage(uid: uid, flags: flags) }
    return true
  }

  /// Size and date of messages that are new to the map.
  private mutating func completeMetadata(_ known: [UInt32]) throws(SyncFailure) {
    let base = Set(known)
    let missing = messages.values.filter { $0.date == nil && !base.contains($0.uid) }
    try fetchMetadata(missing.map(\.uid).sorted())
  }

  private mutating func fetchMetadata(_ uids: [UInt32]) throws(SyncFailure) {
    // Servers hang up on a line that is too long, and UIDs may lie scattered.
    let tags = UIDSet(sortedUIDs: uids).pieces(ofAtMost: 100_000).map {
      connection.send(.uidFetch(.uids($0), Self.metadata, changedSince: nil))
    }
    for tag in tags { try finishFetch(tag) }
  }

  // MARK: Replies

  private mutating func finishOpening(_ tag: Tag) throws(SyncFailure) {
    var found = RemoteMailbox()
    let response = try connection.finish(tag) { event in
      switch event {
      case .exists(let count): found.exists = count
      case .flags(let flags): takeKeywords(flags)
      case .status(let status) where status.code == .closed:
        // All that came before was about the mailbox of before (RFC 7162 §3.2.11).
        found = RemoteMailbox()
        forget()
      case .status(let status): Self.take(status.code, into: &found)
      case .fetch(let fetch) where isQuickResync: take(fetch)
      case .vanished(let uids, _): vanished += uids.ranges
      default: break
      }
    }
    guard response.kind == .ok else { throw refusal(response) }
    Self.take(response.code, into: &found)
    session.didOpen(name)
    mailbox = found
    expected = Int(found.exists)
  }

  private func refusal(_ response: StatusResponse) -> SyncFailure {
    .commandRefused(command: session.isWriting ? "SELECT" : "EXAMINE", response)
  }

  private mutating func forget() {
    messages = [:]
    vanished = []
  }

  private static func take(_ code: ResponseCode?, into found: inout RemoteMailbox) {
    switch code {
    case .uidValidity(let value): found.validity = value
    case .uidNext(let value): found.uidNext = value
    case .highestModSequence(let value): found.modSequence = value
    case .noModSequence: found.modSequence = 0
    case .permanentFlags(let flags): found.permanentFlags = flags
    case .readOnly: found.isReadOnly = true
    default: break
    }
  }

  private mutating func takeKeywords(_ flags: [Flag]) {
    keywords = flags.compactMap { if case .keyword(let word) = $0 { word } else { nil } }
  }

  private mutating func finishFetch(_ tag: Tag) throws(SyncFailure) {
    let response = try connection.finish(tag) { event in
      if case .fetch(let fetch) = event { take(fetch) } else { takeRemoval(event) }
    }
    // Some servers call `1:*` a bad set where there is no message.
    guard response.kind == .ok || mailbox.exists == 0 else {
      throw .commandRefused(command: "UID FETCH", response)
    }
  }

  /// A line without UID or flags tells nothing about a message that we could name.
  private mutating func take(_ fetch: Fetch) {
    guard let uid = fetch.uid, uid > 0, let flags = fetch.flags else { return }
    messages[uid] = RemoteMessage(
      uid: uid,
      flags: FlagTranslation.flags(flags),
      size: fetch.size ?? messages[uid]?.size,
      date: fetch.internalDate ?? messages[uid]?.date
    )
  }

  /// Messages that went while we read.
  private mutating func takeRemoval(_ event: Event) {
    switch event {
    case .expunge: expected -= 1
    case .vanished(let uids, let isEarlier):
      vanished += uids.ranges
      if !isEarlier { expected -= uids.count }
    default: break
    }
  }

  /// Compares how many messages a list of all has with how many there are.
  private mutating func takeCount(_ count: Int) {
    mailbox.missing = max(0, expected - count)
  }

  /// The UIDs that the query finds.
  private mutating func search(_ query: SearchQuery) throws(SyncFailure) -> [UInt32] {
    guard isExtendedSearch, let found = try searchTogether([query]) else {
      return try searchPlainly(query)
    }
    return found[0]
  }

  /// The UIDs that each query finds, all in one flight (RFC 4731); nil where one was left unanswered.
  ///
  /// Answers may overtake each other: each says which query it belongs to.
  private mutating func searchTogether(
    _ queries: [SearchQuery]
  ) throws(SyncFailure) -> [[UInt32]]? {
    let tags = queries.map { connection.send(.uidSearch($0, returningAll: true)) }
    var found: [Tag: [UInt32]] = [:]
    for tag in tags {
      let response = try connection.finish(tag) { event in
        if case .esearch(let result) = event, let owner = result.tag {
          found[owner] = uids(of: result)
        } else {
          takeRemoval(event)
        }
      }
      guard response.kind == .ok else { throw .commandRefused(command: "UID SEARCH", response) }
    }
    let answers = tags.compactMap { found[$0] }
    return answers.count == tags.count ? answers : nil
  }

  private mutating func searchPlainly(_ query: SearchQuery) throws(SyncFailure) -> [UInt32] {
    var found: [UInt32] = []
    let command = Command.uidSearch(query, returningAll: false)
    let response = try connection.perform(command) { event in
      if case .search(let uids) = event { found += uids } else { takeRemoval(event) }
    }
    guard response.kind == .ok else { throw .commandRefused(command: "UID SEARCH", response) }
    return found
  }

  /// A set may name far more UIDs than there are messages; no more than could be there are taken.
  private func uids(of result: ESearch) -> [UInt32] {
    let limit = Int(mailbox.exists) + 10_000
    return Array((result.all ?? UIDSet()).ranges.lazy.joined().prefix(limit))
  }
}
