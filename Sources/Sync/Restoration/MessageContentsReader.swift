internal import MailStore
internal import MessageContent
internal import Platform
internal import RestorePlan
internal import SyncPlan
internal import SyncState
internal import Hashing

/// Fetches messages, and keeps of each what it holds as hashes.
struct MessageContentsReader {
  /// A message as it was fetched.
  struct Found {
    let message: RemoteMessage
    let content: WireContent
  }

  /// What is fetched between two looks whether the run shall end.
  private static let batch = (messages: 200, octets: UInt64(16 << 20))

  private let store: any MailStore
  private let mailbox: MailboxReference
  /// Counts what is fetched; nil where the account does not limit it.
  private let meter: FetchMeter?

  init(_ store: any MailStore, _ mailbox: MailboxReference, _ meter: FetchMeter?) {
    self.store = store
    self.mailbox = mailbox
    self.meter = meter
  }

  /// What messages are and hold, by UID; those that the server does not give are left out.
  func read(
    _ messages: [RemoteMessage],
    isEnded: () -> Bool
  ) throws(SyncFailure) -> [UInt32: Found] {
    let sink = ContentSink()
    var batch: [RemoteMessage] = []
    var octets: UInt64 = 0
    for (index, message) in messages.enumerated() {
      batch.append(message)
      octets += min(message.size ?? 0, 1 << 40)
      let isFull = batch.count >= Self.batch.messages || octets >= Self.batch.octets
      guard isFull || index == messages.count - 1 else { continue }
      if isEnded() { throw .interrupted }
      let order = FetchOrder(batch, in: mailbox, into: sink)
      let results = try store.fetch([order])
      try noteFetched(octets)
      for case .failed(let failure) in results { throw failure }
      (batch, octets) = ([], 0)
    }
    return sink.found
  }

  private func noteFetched(_ octets: UInt64) throws(SyncFailure) {
    guard let meter else { return }
    meter.addOctets(octets)
    do throws(SystemError) {
      try meter.save()
    } catch {
      throw .system(error)
    }
  }
}

private final class ContentSink: MessageSink {
  private(set) var found: [UInt32: MessageContentsReader.Found] = [:]
  private var hash: SHA256?
  private var reader = WireContentReader()
  private var content: WireContent?

  func begin() {
    hash = SHA256()
    reader = WireContentReader()
  }

  func receiveOctets(_ octets: ArraySlice<UInt8>) {
    hash?.update(octets)
    reader.readOctets(octets)
  }

  func end() {
    content = nil
    guard let octets = hash.take()?.finish(), let digest = WireDigest(octets) else { return }
    content = WireContent(digest: digest, identity: reader.finish().identity)
  }

  func deliver(_ message: RemoteMessage) {
    guard let content = content.take() else { return }
    found[message.uid] = MessageContentsReader.Found(message: message, content: content)
  }

  func discard() { content = nil }

  func finishOrder() {}

  func fail(_ uid: UInt32, _ problem: MessageProblem) {}
}
