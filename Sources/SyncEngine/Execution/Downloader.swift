internal import IMAP
internal import MailModel
internal import Maildir
internal import MessageContent
internal import Octets
internal import Platform
internal import SyncPlan

/// Fetches messages into files: streams them to tmp, and commits them batch by batch.
struct Downloader: ~Copyable {
  /// What was fetched.
  struct Result {
    var messages = 0
    /// Those of them that are new to the user.
    var new = 0
    var octets: UInt64 = 0
    var failed = 0
    /// Whether every message is here or known to be gone.
    var isComplete = true
  }

  /// Octets and messages that one FETCH asks for at most.
  private static let chunkOctets: UInt64 = 4 << 20
  private static let chunkMessages = 500
  /// FETCH commands on their way at once.
  private static let flight = 4
  private static let items: [FetchItem] = [.uid, .flags, .internalDate, .size, .body]

  private let context: AccountContext
  private let mailbox: MirroredMailbox
  private let journal: Journal
  private let connection: Connection
  private let directory: Path

  private var result = Result()
  private var open: [UInt32: RemoteMessage] = [:]
  private var refused: [UIDSet] = []
  private var batch = DownloadBatch()
  private var delivery: MaildirDelivery?
  private var content = ContentBox()
  private var delivered: (file: DeliveredMessage, identity: ContentIdentity)?
  private var deliveries = 0
  private var expunged = 0

  init(
    _ context: AccountContext,
    _ mailbox: MirroredMailbox,
    _ journal: Journal,
    _ connection: Connection
  ) {
    self.context = context
    self.mailbox = mailbox
    self.journal = journal
    self.connection = connection
    directory = context.path(of: mailbox)
  }

  /// Fetches the messages in about the given order.
  ///
  /// - Throws: `SyncFailure`; what was fetched whole is durable and recorded all the same.
  mutating func run(_ messages: [RemoteMessage]) throws(SyncFailure) -> Result {
    announce(messages)
    for message in messages { open[message.uid] = message }
    do throws(SyncFailure) {
      try fetch(Self.chunks(messages))
      try retryOneByOne()
      try explainLeftovers()
    } catch {
      dropUnfinished()
      try commit()
      throw error
    }
    try commit()
    return result
  }

  /// Leaves nothing in tmp of a message that did not come to its end, be it only the last parenthesis.
  private mutating func dropUnfinished() {
    delivery = nil
    if let body = delivered.take() { try? discard(body.file) }
  }

  private func announce(_ messages: [RemoteMessage]) {
    context.report(.state(.bodies))
    context.report(
      .expected(
        messages: messages.count,
        octets: messages.reduce(0) { $0 + ($1.size ?? 0) }
      )
    )
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
    var flying: [Tag: UIDSet] = [:]
    while !waiting.isEmpty || !flying.isEmpty {
      while flying.count < Self.flight, let chunk = waiting.popFirst() {
        let command = Command.uidFetch(.uids(chunk), Self.items, changedSince: nil)
        flying[connection.send(command)] = chunk
      }
      let event = try connection.nextEvent()
      if case .tagged(let tag, let response) = event, let chunk = flying[tag] {
        flying[tag] = nil
        if response.kind != .ok { refused.append(chunk) }
      } else {
        try take(event)
      }
    }
  }

  /// A server that refuses a whole FETCH because of one message gives the others when asked for each.
  private mutating func retryOneByOne() throws(SyncFailure) {
    if !open.isEmpty { result.isComplete = false }
    let uids = open.keys.filter { uid in refused.contains { $0.contains(uid) } }
    for uid in uids.sorted() {
      let set = UIDSet(sortedUIDs: [uid])
      let response = try perform(.uidFetch(.uids(set), Self.items, changedSince: nil))
      if open[uid] != nil, response.kind != .ok { fail(uid, .notGiven(response)) }
    }
  }

  /// Reports what the server left out without a word.
  ///
  /// If it was removed in the meantime, the server says so now, and the next run knows.
  private mutating func explainLeftovers() throws(SyncFailure) {
    guard !open.isEmpty else { return }
    _ = try perform(.noop)
    guard open.count > expunged else { return }
    for uid in open.keys.sorted() { fail(uid, .notGiven(nil)) }
  }

  private mutating func perform(_ command: Command) throws(SyncFailure) -> StatusResponse {
    try connection.perform(command) { (event: Event) throws(SyncFailure) in try take(event) }
  }

  private mutating func fail(_ uid: UInt32, _ problem: MessageProblem) {
    open[uid] = nil
    result.failed += 1
    result.isComplete = false
    context.report(.problem(mailbox: mailbox.path.display, .message(uid: uid, problem)))
  }

  // MARK: Events

  private mutating func take(_ event: Event) throws(SyncFailure) {
    switch event {
    case .bodyBegin: beginDelivery()
    case .bodyChunk(let octets):
      do throws(SystemError) {
        try delivery?.write(octets)
      } catch {
        throw .system(error)
      }
    case .bodyEnd: try endDelivery()
    case .fetch(let fetch): try take(fetch)
    case .vanished(let uids, _): drop(uids)
    case .expunge: expunged += 1
    default: break
    }
  }

  private mutating func drop(_ uids: UIDSet) {
    for uid in open.keys where uids.contains(uid) { open[uid] = nil }
  }

  private mutating func beginDelivery() {
    deliveries += 1
    let key = MessageKey(
      validity: journal.state.header.validity,
      uid: UInt32(truncatingIfNeeded: deliveries),
      mailbox: mailbox.id
    )
    content = ContentBox()
    let content = content
    delivery = MaildirDelivery(
      to: directory,
      temporaryName: Array("fetch.".utf8) + key.text,
      observer: { content.take($0) }
    )
  }

  private mutating func endDelivery() throws(SyncFailure) {
    guard let ended = delivery.take() else { return }
    do throws(SystemError) {
      delivered = (try ended.finish(), content.finish())
    } catch {
      throw .system(error)
    }
  }

  /// Closes a message: only now is its UID known for certain.
  private mutating func take(_ fetch: Fetch) throws(SyncFailure) {
    let body = delivered
    delivered = nil
    guard let uid = fetch.uid, var message = open[uid] else {
      if let body { try discard(body.file) }
      return
    }
    guard let body else {
      if fetch.bodyIsNil { fail(uid, .notGiven(nil)) }
      return
    }
    guard !body.file.containsNUL else {
      try discard(body.file)
      return fail(uid, .containsNUL)
    }
    open[uid] = nil
    try setArrival(body.file, fetch.internalDate ?? message.date)
    if let flags = fetch.flags { message.flags = MessageFlags(flags) }
    message.date = fetch.internalDate ?? message.date
    message.size = fetch.size ?? message.size
    batch.add(DownloadBatch.Item(message: message, file: body.file, identity: body.identity))
    if batch.isFull { try commit() }
  }

  /// Other programs take a file's time for the message's arrival.
  private func setArrival(_ file: DeliveredMessage, _ date: Int64?) throws(SyncFailure) {
    guard let date else { return }
    try attempt { () throws(SystemError) in try FileSystem.setTimes(file.temporaryPath, date) }
  }

  /// A message that nobody asked for.
  private func discard(_ file: DeliveredMessage) throws(SyncFailure) {
    try attempt { () throws(SystemError) in try FileSystem.remove(file.temporaryPath) }
  }

  // MARK: Batches

  private mutating func commit() throws(SyncFailure) {
    guard !batch.isEmpty else { return }
    let full = batch
    batch = DownloadBatch()
    let journal = journal
    let isDrafts = mailbox.role == .drafts
    let outcome = try attempt { () throws(SystemError) in
      let outcome = try full.commit(journal.state, isDrafts: isDrafts)
      try journal.record(outcome.records)
      return outcome
    }
    let new = mailbox.isForArrivals ? outcome.unseen : 0
    result.messages += outcome.messages
    result.new += new
    result.octets += outcome.octets
    for (uid, path) in outcome.taken { fail(uid, .nameTaken(path)) }
    context.report(
      .fetched(
        mailbox: mailbox.path.display,
        messages: outcome.messages,
        new: new,
        octets: outcome.octets
      )
    )
  }
}

/// Holds the content reader of the message that is being delivered, shared with the delivery's observer.
private final class ContentBox {
  private var reader: ContentReader? = ContentReader()

  /// Takes the next octets of the message.
  func take(_ octets: UnsafeRawBufferPointer) {
    reader?.take(octets)
  }

  /// The identity of what was taken; empty when asked twice.
  func finish() -> ContentIdentity {
    reader.take()?.finish() ?? ContentIdentity(messageID: 0, bodyHigh: 0, bodyLow: 0, header: 0)
  }
}
