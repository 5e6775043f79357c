internal import IMAP
internal import MailModel
internal import MailStore
internal import SyncPlan

/// New messages of a mailbox whose octets came with the answer to what changed in it, so that they need not be asked for.
///
/// The server was asked for no more than the first octets of each: one that is longer is fetched later, like all others, and
/// what came of it was in vain. So the first octets of all of them together are limited too.
struct PrefetchedMessages {
  /// So many octets of a message are asked for at most.
  static let octetLimit = 64 << 10
  /// So many octets are asked for at once, in all mailboxes.
  static let totalLimit = 256 << 10
  /// So many messages are asked for at once, in all mailboxes.
  static let countLimit = 100

  /// How many octets of each are asked for where so many messages are new in all mailboxes; nil where none are asked for.
  static func limit(for messages: Int) -> Int? {
    guard messages > 0, messages <= countLimit else { return nil }
    return min(octetLimit, totalLimit / messages)
  }

  private struct Content {
    var fetch: Fetch
    let octets: [UInt8]
    /// The mailbox from which they came with an answer of before; nil where they came with this one.
    var origin: MailboxIdentity?

    /// Whether they may be those of a message as it is listed: what came before it was listed has to be as long as that says.
    func isOf(_ message: RemoteMessage) -> Bool {
      guard origin != nil, let size = message.size else { return true }
      return size == UInt64(octets.count)
    }
  }

  /// The mailbox, as it was opened.
  private(set) var identity: MailboxIdentity?
  private var contents: [UInt32: Content] = [:]
  /// The octets of a message that come just now; nil where there are more of them than anybody asked for.
  private var octets: [UInt8]?
  /// The messages that were asked for, and how many octets of each.
  private var asked: (uids: Set<UInt32>, limit: Int) = ([], 0)

  /// Nothing but what came with an answer of before.
  ///
  /// It is not asked for again: octets never change as long as UIDs mean the same (RFC 9051 §2.3.1.1). Flags of before are old.
  init(holding earlier: PrefetchedMessages? = nil) {
    guard let earlier, let origin = earlier.identity else { return }
    contents = earlier.contents.mapValues { content in
      var content = content
      content.fetch.flags = nil
      content.origin = origin
      return content
    }
  }

  /// What asks for as many messages as a question says are likely to be new, except for those that are here; nil where none is left.
  mutating func command(for question: MailboxQuestion, limit: Int) -> Command? {
    let count = question.newMessages
    guard let next = question.token?.uidNext, next > 0, count > 0 else { return nil }
    let (end, isOver) = next.addingReportingOverflow(count - 1)
    let missing = (next...(isOver ? .max : end)).filter { contents[$0] == nil }
    guard !missing.isEmpty else { return nil }
    asked = (Set(missing), limit)
    return .uidFetch(
      .uids(UIDSet(sortedUIDs: missing)),
      [.uid, .flags, .internalDate, .size, .section([], limit: limit)],
      changedSince: nil
    )
  }

  /// Applies an event of the answer.
  mutating func applyEvent(_ event: Event) {
    switch event {
    case .bodyBegin(let size): octets = size <= asked.limit ? [] : nil
    case .bodyChunk(let chunk): octets?.append(contentsOf: chunk)
    case .fetch(let fetch):
      defer { octets = nil }
      guard fetch.hasBody, let uid = fetch.uid, let octets, fetch.size == UInt64(octets.count),
        asked.uids.contains(uid)
      else { return }
      contents[uid] = Content(fetch: fetch, octets: octets, origin: nil)
    case .vanished(let uids, _):
      contents = contents.filter { !uids.contains($0.key) }
    default: break
    }
  }

  /// The answer is complete; the mailbox is this one.
  mutating func finishAnswer(_ identity: MailboxIdentity) {
    self.identity = identity
    contents = contents.filter { $0.value.origin.map { identity.sharesUIDs(with: $0) } ?? true }
  }

  /// Gives what is here of an order to its sink; what is left of it is to be asked for.
  mutating func serve(_ order: FetchOrder) throws(SyncFailure) -> FetchOrder {
    guard let identity else { return order }
    do throws(SyncFailure) {
      try order.mailbox.check(identity)
    } catch {
      return order
    }
    let here = order.messages.filter { contents[$0.uid]?.isOf($0) == true }
    let served = Set(here.map(\.uid))
    let left = order.messages.filter { !served.contains($0.uid) }
    // In the order in which a server gives what it is asked for.
    for message in here.sorted(by: { $0.uid < $1.uid }) {
      guard let content = contents.removeValue(forKey: message.uid) else { continue }
      try Self.deliver(content, message, to: order.sink)
    }
    return FetchOrder(left, in: order.mailbox, into: order.sink, more: order.more)
  }

  private static func deliver(
    _ content: Content,
    _ message: RemoteMessage,
    to sink: any MessageSink
  ) throws(SyncFailure) {
    try sink.begin()
    if !content.octets.isEmpty { try sink.receiveOctets(content.octets[...]) }
    try sink.end()
    try sink.deliver(message.updated(by: content.fetch))
  }
}

extension RemoteMessage {
  /// The message with what the server told of it together with its octets.
  func updated(by fetch: Fetch) -> RemoteMessage {
    var message = self
    if let flags = fetch.flags { message.flags = MessageFlags(flags) }
    message.date = fetch.internalDate ?? message.date
    message.size = fetch.size ?? message.size
    return message
  }
}
