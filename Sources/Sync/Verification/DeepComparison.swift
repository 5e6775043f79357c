internal import MailModel
internal import MailStore
internal import Maildir
internal import MessageContent
internal import MirrorCheck
internal import Octets
internal import Platform
internal import SyncPlan
internal import SyncState
internal import Hashing

/// Fetches messages again and compares them with their files, octet by octet.
struct DeepComparison {
  /// What it finds.
  enum Event {
    /// So many messages of the mailbox are compared by now.
    case compared(Int)
    /// These wait for another day, since the account limits what is fetched in one.
    case left([BaseRecord])
    case difference(MirrorDifference)
  }

  /// What is fetched before what was compared is remembered.
  private static let batch = (messages: 200, octets: UInt64(16 << 20))

  private let store: any MailStore
  private let reading: MailboxReading
  private let rate: Int?
  /// Counts what is fetched; nil where the account does not limit it.
  private let meter: FetchMeter?
  private let interruption: Interruption

  init(
    _ store: any MailStore,
    _ reading: MailboxReading,
    rate: Int?,
    _ meter: FetchMeter?,
    _ interruption: Interruption
  ) {
    self.meter = meter
    self.store = store
    self.reading = reading
    self.rate = rate
    self.interruption = interruption
  }

  /// Compares those of the messages that no run before compared; they are sorted by UID.
  ///
  /// What was compared is durable in the progress after each batch.
  ///
  /// - Returns: the UIDs of those whose octets are the same, here and in the run that was interrupted.
  func compareMessages(
    _ records: [BaseRecord],
    _ mailbox: UInt64,
    _ progress: inout DeepProgress,
    _ tell: (Event) -> Void
  ) throws(SyncFailure) -> Set<UInt32> {
    guard let validity = reading.reference.identity.validity else { return [] }
    var compared = progress.compared(in: mailbox, validity).intersection(records.map(\.uid))
    var rest = records.filter { !compared.contains($0.uid) }[...]
    while !rest.isEmpty {
      guard !interruption.isRequested else { throw .interrupted }
      let batch = allowed(Self.batch(of: rest))
      guard !batch.isEmpty else {
        tell(.left(Array(rest)))
        break
      }
      rest = rest.dropFirst(batch.count)
      compared.formUnion(try compare(Array(batch), tell))
      do throws(SystemError) {
        try progress.recordCompared(compared, in: mailbox, validity)
      } catch {
        throw .system(error)
      }
      tell(.compared(records.count - rest.count))
    }
    return compared
  }

  private static func batch(of records: ArraySlice<BaseRecord>) -> ArraySlice<BaseRecord> {
    var octets: UInt64 = 0
    return records.prefix(batch.messages).prefix { record in
      defer { octets += record.size ?? 0 }
      return octets < batch.octets
    }
  }

  /// As many of them as may be fetched today.
  private func allowed(_ records: ArraySlice<BaseRecord>) -> ArraySlice<BaseRecord> {
    guard let meter else { return records }
    var count = 0
    for record in records {
      guard meter.ask(record.size) else { break }
      count += 1
    }
    return records.prefix(count)
  }

  private func noteFetched(_ records: [BaseRecord], _ octets: Int) throws(SyncFailure) {
    guard let meter else { return }
    for record in records { meter.finishRequest(record.size) }
    meter.addOctets(UInt64(octets))
    do throws(SystemError) {
      try meter.save()
    } catch {
      throw .system(error)
    }
  }

  /// The UIDs of those whose octets are the same.
  private func compare(
    _ records: [BaseRecord],
    _ tell: (Event) -> Void
  ) throws(SyncFailure) -> [UInt32] {
    let start = Clock.monotonicNanoseconds()
    let sink = DigestSink()
    let messages = records.map {
      RemoteMessage(uid: $0.uid, flags: $0.flags, size: $0.size, date: $0.date)
    }
    let order = FetchOrder(messages, in: reading.reference, into: sink)
    let results = try store.fetch([order])
    try noteFetched(records, sink.octets)
    for case .failed(let failure) in results { throw failure }
    pause(sink.octets, since: start)
    let there = try unanswered(records, sink)
    var equal: [UInt32] = []
    for record in records {
      switch there.contains(record.uid) ? .different(.notGiven) : comparison(record, sink) {
      case .equal: equal.append(record.uid)
      case .different(let kind):
        tell(.difference(MirrorDifference(uid: record.uid, name: record.name, kind)))
      case .gone: break
      }
    }
    return equal
  }

  /// The UIDs of messages of which nothing came, and that the server still has.
  private func unanswered(
    _ records: [BaseRecord],
    _ sink: DigestSink
  ) throws(SyncFailure) -> Set<UInt32> {
    let silent = records.map(\.uid).filter { sink.digests[$0] == nil }
    guard !silent.isEmpty else { return [] }
    return Set(try store.flags(of: silent, in: reading.reference).keys)
  }

  private enum Comparison {
    case equal
    case different(MirrorDifference.Kind)
    /// Removed on one side meanwhile: the next run says so.
    case gone
  }

  private func comparison(_ record: BaseRecord, _ sink: DigestSink) -> Comparison {
    if sink.failed.contains(record.uid) { return .different(.notGiven) }
    guard let there = sink.digests[record.uid] else { return .gone }
    do throws(SystemError) {
      guard let here = try digest(record) else { return .gone }
      return here == there ? .equal : .different(.octets)
    } catch {
      return error.isNotFound ? .gone : .different(.unreadable(error.description))
    }
  }

  /// The SHA-256 of what its file holds; nil where it is gone.
  private func digest(_ record: BaseRecord) throws(SystemError) -> [UInt8]? {
    guard let seen = reading.paths[record.name],
      let path = try CurrentPath.find(record.name, in: reading.directory, seenAt: seen)
    else { return nil }
    var reader = try WireReader(path)
    var hash = SHA256()
    while true {
      let octets = try reader.next(atMost: .max)
      if octets.isEmpty { return hash.finish() }
      hash.update(octets)
    }
  }

  /// Waits as long as the rate asks for.
  private func pause(_ octets: Int, since start: Int64) {
    guard let rate, rate > 0 else { return }
    let due = Double(octets) / Double(rate)
    let left = due - Double(Clock.monotonicNanoseconds() - start) / 1e9
    if left > 0 { _ = interruption.sleep(seconds: left) }
  }
}

/// Takes messages and keeps their SHA-256 alone.
private final class DigestSink: MessageSink {
  private(set) var digests: [UInt32: [UInt8]] = [:]
  /// What the server listed and did not give.
  private(set) var failed: Set<UInt32> = []
  private(set) var octets = 0
  private var hash: SHA256?
  private var digest: [UInt8]?

  func begin() { hash = SHA256() }

  func receiveOctets(_ octets: ArraySlice<UInt8>) {
    hash?.update(octets)
    self.octets += octets.count
  }

  func end() { digest = hash.take()?.finish() }

  func deliver(_ message: RemoteMessage) { digests[message.uid] = digest }

  func discard() { digest = nil }

  func finishOrder() {}

  func fail(_ uid: UInt32, _ problem: MessageProblem) { failed.insert(uid) }
}
