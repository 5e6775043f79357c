internal import IMAP
internal import MailModel
internal import MailStore
internal import Platform
internal import SyncPlan

/// Fetches messages of one mailbox.
struct MessageFetch {
  /// Octets and messages that one FETCH asks for at most.
  private static let chunkOctets: UInt64 = 4 << 20
  private static let chunkMessages = 500
  /// FETCH commands on their way at once, and as long as it is not known whether the connection is slow.
  private static let flight = 4
  private static let firstFlight = 2
  private static let items: [FetchItem] = [.uid, .flags, .internalDate, .size, .body]

  private let connection: Connection
  private let sink: any MessageSink
  private let wanted: [RemoteMessage]
  private let more: (() -> [RemoteMessage])?

  private var open: [UInt32: RemoteMessage] = [:]
  /// What the server refused, with its answers.
  private var refused: [(uids: UIDSet, response: StatusResponse)] = []
  /// What was asked for and is not answered yet, in this order.
  private var awaited: [(tag: CommandTag, uids: UIDSet)] = []
  /// Whether every message that has an answer was delivered, or is known to be gone.
  private(set) var isComplete = true
  /// How many were delivered, how many had been when one was refused alone last, and how many were refused so since.
  private var delivered = 0
  private var refusedAt: Int?
  private var refusedInRow = 0
  private var expunged = 0
  /// What the server said is gone, where messages are taken that it may have said that of.
  private var vanished: [UIDSet] = []
  /// The octets that came of a message of which it is not known yet which it is; nil where none is complete.
  private var body: UInt64?
  private var octets: UInt64 = 0
  /// How fast a connection is that may be compressed; nil where that is decided, or where there is little to fetch.
  private var rate: FetchRate?
  /// Those that came with far fewer octets than the server says they have; true once they were asked for again.
  private var cut: [UInt32: Bool] = [:]

  /// A fetch of the messages of an order; their mailbox is to be open by the time at which anything is asked or taken.
  init(_ connection: Connection, _ order: FetchOrder) {
    self.connection = connection
    sink = order.sink
    wanted = order.messages
    more = order.more
    if more != nil, connection.offersCompression { rate = FetchRate() }
    for message in wanted { open[message.uid] = message }
  }

  /// Fetches them in about their order; gives whether every one was delivered or is known to be gone.
  mutating func fetchMessages() throws(SyncFailure) -> Bool {
    try fetch(Self.chunks(wanted))
    return try mend()
  }

  private var all: UIDSet { UIDSet(sortedUIDs: wanted.map(\.uid).sorted()) }

  /// The command that asks for all of the messages at once.
  var command: Command {
    .uidFetch(.uids(all), Self.items, changedSince: nil)
  }

  /// Reads the answer to that command; gives whether anything is left to ask for.
  mutating func readAnswer(_ tag: CommandTag) throws(SyncFailure) -> Bool {
    let response = try finish(tag, all)
    if response.kind != .ok { refused = [(all, response)] }
    return !open.isEmpty
  }

  /// Asks for what did not come; gives whether every message was delivered or is known to be gone.
  mutating func mend() throws(SyncFailure) -> Bool {
    try askAgain()
    try retryRefused()
    try explainLeftovers()
    return isComplete
  }

  /// Nothing more comes over the connection: of what was asked for first the message of the lowest UID was to come next.
  func noteBreak() {
    for (_, uids) in awaited {
      guard let uid = open.keys.filter(uids.contains).min() else { continue }
      return sink.noteBreak(over: uid)
    }
  }

  // MARK: Commands

  private static func chunks(_ messages: [RemoteMessage]) -> [UIDSet] {
    var chunks: [UIDSet] = []
    var uids: [UInt32] = []
    var octets: UInt64 = 0
    for message in messages {
      let size = message.size ?? 0
      if !uids.isEmpty, uids.count == chunkMessages || octets + size > chunkOctets {
        chunks.append(UIDSet(sortedUIDs: uids.sorted()))
        (uids, octets) = ([], 0)
      }
      uids.append(message.uid)
      octets += size
    }
    if !uids.isEmpty { chunks.append(UIDSet(sortedUIDs: uids.sorted())) }
    return chunks
  }

  private mutating func fetch(_ chunks: [UIDSet]) throws(SyncFailure) {
    var waiting = chunks[...]
    while true {
      try compressIfSlow()
      while awaited.count < room, let chunk = waiting.popFirst() ?? nextChunk() {
        awaited.append((send(chunk), chunk))
      }
      if awaited.isEmpty { return }
      let event = try connection.nextEvent()
      if case .tagged(let tag, let response) = event,
        let index = awaited.firstIndex(where: { $0.tag == tag })
      {
        let chunk = awaited.remove(at: index).uids
        if response.kind != .ok { refused.append((chunk, response)) }
      } else {
        try handleEvent(event)
      }
    }
  }

  /// How many commands may be on their way now; none while what was asked for is to come before the connection is compressed.
  private var room: Int {
    guard let rate else { return Self.flight }
    return rate.isSlow == nil ? Self.firstFlight : 0
  }

  /// Compresses a connection that proved to be slow, once nothing is on its way.
  private mutating func compressIfSlow() throws(SyncFailure) {
    guard let isSlow = rate?.isSlow else { return }
    if isSlow {
      guard awaited.isEmpty else { return }
      try connection.compress()
    }
    rate = nil
  }

  /// Messages that were not on order when the fetch began; those that are gone since are left out.
  private mutating func nextChunk() -> UIDSet? {
    while let messages = more?(), !messages.isEmpty {
      let there = messages.filter { message in !vanished.contains { $0.contains(message.uid) } }
      guard !there.isEmpty else { continue }
      for message in there { open[message.uid] = message }
      return UIDSet(sortedUIDs: there.map(\.uid).sorted())
    }
    return nil
  }

  /// What came far too short is asked for once more, and taken as it comes then.
  private mutating func askAgain() throws(SyncFailure) {
    for uid in cut.keys.sorted() where open[uid] != nil {
      cut[uid] = true
      _ = try ask(for: [uid])
    }
  }

  /// A server that refuses a whole FETCH because of one message gives the others when asked for fewer.
  private mutating func retryRefused() throws(SyncFailure) {
    if !open.isEmpty { isComplete = false }
    var waiting = refused.reversed().map { (uids: left(of: $0.uids), response: $0.response) }
    refused = []
    while let (uids, response) = waiting.popLast() {
      guard uids.count > 1 else {
        if let uid = uids.first { try refuse(uid, response) }
        continue
      }
      let middle = uids.count / 2
      var halves: [(uids: [UInt32], response: StatusResponse)] = []
      for half in [uids[..<middle], uids[middle...]] {
        let response = try ask(for: Array(half))
        if response.kind != .ok { halves.append((left(of: Array(half)), response)) }
      }
      waiting += halves.reversed()
    }
  }

  private func left(of uids: UIDSet) -> [UInt32] { open.keys.filter(uids.contains).sorted() }

  private func left(of uids: [UInt32]) -> [UInt32] { uids.filter { open[$0] != nil } }

  /// The server gives a message not even alone.
  ///
  /// Where it gives none of several it cannot serve the account now.
  private mutating func refuse(_ uid: UInt32, _ response: StatusResponse) throws(SyncFailure) {
    fail(uid, .notGiven(ServerReply(response)))
    guard ServerLimit.isPassing(response) else { return }
    if refusedAt != delivered { (refusedAt, refusedInRow) = (delivered, 0) }
    refusedInRow += 1
    guard refusedInRow >= (delivered == 0 ? 2 : 8) else { return }
    throw .notNow(ServerReply(response), .pause(seconds: nil), until: nil)
  }

  /// Reports what the server left out without a word.
  ///
  /// If it was removed in the meantime, the server says so now, and the next run knows.
  private mutating func explainLeftovers() throws(SyncFailure) {
    guard !open.isEmpty else { return }
    _ = try finish(connection.send(.noop), UIDSet())
    guard open.count > expunged else { return }
    let uids = open.keys.sorted()
    // Messages that were taken late may have gone before the server told this connection of anything.
    let there = more == nil ? nil : try ContentQueries(connection).flags(uids)
    for uid in uids where there.map({ $0[uid] != nil }) ?? true { fail(uid, .notGiven(nil)) }
  }

  private mutating func ask(for uids: [UInt32]) throws(SyncFailure) -> StatusResponse {
    let uids = UIDSet(sortedUIDs: uids)
    return try finish(send(uids), uids)
  }

  private func send(_ uids: UIDSet) -> CommandTag {
    connection.send(.uidFetch(.uids(uids), Self.items, changedSince: nil))
  }

  /// Waits for the reply to a command that asks for these messages.
  private mutating func finish(
    _ tag: CommandTag,
    _ uids: UIDSet
  ) throws(SyncFailure) -> StatusResponse {
    awaited = [(tag, uids)]
    let response = try connection.finish(tag) { (event: Event) throws(SyncFailure) in
      try handleEvent(event)
    }
    awaited = []
    return response
  }

  private mutating func fail(_ uid: UInt32, _ problem: MessageProblem) {
    open[uid] = nil
    isComplete = false
    sink.fail(uid, problem)
  }

  // MARK: Events

  private mutating func handleEvent(_ event: Event) throws(SyncFailure) {
    switch event {
    case .bodyBegin:
      octets = 0
      try sink.begin()
    case .bodyChunk(let chunk):
      octets += UInt64(chunk.count)
      rate?.recordOctets(chunk.count, at: Clock.monotonicNanoseconds())
      try sink.receiveOctets(chunk)
    case .bodyEnd:
      try sink.end()
      body = octets
    case .fetch(let fetch): try finishMessage(fetch)
    case .vanished(let uids, _):
      if more != nil { vanished.append(uids) }
      for uid in open.keys where uids.contains(uid) { open[uid] = nil }
    case .expunge: expunged += 1
    default: break
    }
  }

  /// Closes a message: only now is its UID known for certain.
  private mutating func finishMessage(_ fetch: Fetch) throws(SyncFailure) {
    let came = body.take()
    guard let uid = fetch.uid, let message = open[uid]?.updated(by: fetch) else {
      if came != nil { try sink.discard() }
      return
    }
    // Without its text it stays open: servers give NIL for what another client has just removed too.
    guard let came else { return }
    if message.isCut(at: came) {
      guard cut[uid] == true else {
        cut[uid] = false
        return try sink.discard()
      }
      guard came > 0 else {
        try sink.discard()
        return fail(uid, .notGiven(nil))
      }
    }
    open[uid] = nil
    delivered += 1
    try sink.deliver(message)
  }
}
