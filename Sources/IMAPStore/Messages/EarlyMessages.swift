internal import IMAP
internal import MailModel
internal import MailStore
internal import SyncPlan

/// New messages of a mailbox whose octets came with the answer to what changed in it, so that they need not be asked for.
///
/// The server was asked for no more than the first octets of each: one that is longer is fetched later, like all others, and
/// what came of it was in vain. So the first octets of all of them together are limited too.
struct EarlyMessages {
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

  /// What asks for as many messages as a question says are likely to be new; nil where it says none.
  static func command(for question: MailboxQuestion, limit: Int) -> Command? {
    let count = question.newMessages
    guard let first = question.token?.uidNext, first > 0, count > 0 else { return nil }
    let (last, isOver) = first.addingReportingOverflow(count - 1)
    return .uidFetch(
      .uids(UIDSet([first...(isOver ? .max : last)])),
      [.uid, .flags, .internalDate, .size, .section([], limit: limit)],
      changedSince: nil
    )
  }

  private struct Content {
    let fetch: Fetch
    let octets: [UInt8]
  }

  /// The mailbox, as it was opened.
  private(set) var identity: MailboxIdentity?
  private var contents: [UInt32: Content] = [:]
  /// The octets of a message that come just now; nil where there are more of them than anybody asked for.
  private var octets: [UInt8]? = []

  /// Takes an event of the answer.
  mutating func take(_ event: Event) {
    switch event {
    case .bodyBegin(let size): octets = size <= Self.octetLimit ? [] : nil
    case .bodyChunk(let chunk): octets?.append(contentsOf: chunk)
    case .fetch(let fetch):
      defer { octets = [] }
      guard fetch.hasBody, let uid = fetch.uid, let octets, fetch.size == UInt64(octets.count),
        contents.count < Self.countLimit
      else { return }
      contents[uid] = Content(fetch: fetch, octets: octets)
    case .vanished(let uids, _):
      contents = contents.filter { !uids.contains($0.key) }
    default: break
    }
  }

  /// The answer is complete; the mailbox is this one.
  mutating func conclude(_ identity: MailboxIdentity) {
    self.identity = identity
  }

  /// Gives what is here of an order to its sink; what is left of it is to be asked for.
  mutating func serve(_ order: FetchOrder) throws(SyncFailure) -> FetchOrder {
    guard let identity else { return order }
    do throws(SyncFailure) {
      try order.mailbox.check(identity)
    } catch {
      return order
    }
    let left = order.messages.filter { contents[$0.uid] == nil }
    // In the order in which a server gives what it is asked for.
    for message in order.messages.sorted(by: { $0.uid < $1.uid }) {
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
    if !content.octets.isEmpty { try sink.take(content.octets[...]) }
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
