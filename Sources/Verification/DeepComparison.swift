internal import MailModel
internal import MailStore
internal import Maildir
internal import MessageContent
internal import MirrorCheck
internal import Octets
internal import Platform
internal import SyncPlan
internal import Transport

/// Fetches messages again and compares them with their files, octet by octet.
struct DeepComparison {
  /// What it finds.
  enum Event {
    /// So many messages of the mailbox are compared by now.
    case compared(Int)
    case difference(MirrorDifference)
  }

  /// What is fetched before what was compared is remembered.
  private static let batch = (messages: 200, octets: UInt64(16 << 20))

  private let store: any MailStore
  private let reading: MailboxReading
  private let rate: Int?
  private let interruption: Interruption

  init(
    _ store: any MailStore,
    _ reading: MailboxReading,
    rate: Int?,
    _ interruption: Interruption
  ) {
    self.store = store
    self.reading = reading
    self.rate = rate
    self.interruption = interruption
  }

  /// Compares those of the messages that no run before compared; they are sorted by UID.
  ///
  /// What was compared is durable in the progress after each batch.
  func run(
    _ records: [BaseRecord],
    _ mailbox: UInt64,
    _ progress: inout DeepProgress,
    _ memory: Path,
    _ tell: (Event) -> Void
  ) throws(SyncFailure) {
    var place = progress.place(of: mailbox, reading.reference.identity.validity)
    var done = 0
    var batch: [BaseRecord] = []
    var octets: UInt64 = 0
    for (index, record) in records.enumerated() {
      if place.isCompared(record.uid) {
        done += 1
      } else {
        batch.append(record)
        octets += record.size
      }
      let isFull = batch.count >= Self.batch.messages || octets >= Self.batch.octets
      guard isFull || index == records.count - 1, !batch.isEmpty else { continue }
      guard !interruption.isRequested else { throw .interrupted }
      place.note(try compare(batch, tell), upTo: record.uid)
      progress.set(place, of: mailbox)
      let progress = progress
      try attempt { () throws(SystemError) in try progress.save(memory) }
      done += batch.count
      tell(.compared(done))
      batch = []
      octets = 0
    }
  }

  /// The UIDs of those that differ.
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
    for case .failed(let failure) in try store.fetch([order]) { throw failure }
    pause(sink.octets, since: start)
    var unequal: [UInt32] = []
    for record in records {
      // One that was expunged meanwhile is no difference of octets; the next run says that it is gone.
      guard let there = sink.digests[record.uid] else { continue }
      guard let kind = try difference(record, there) else { continue }
      unequal.append(record.uid)
      tell(.difference(MirrorDifference(uid: record.uid, name: record.name, kind)))
    }
    return unequal
  }

  private func difference(
    _ record: BaseRecord,
    _ there: [UInt8]
  ) throws(SyncFailure) -> MirrorDifference.Kind? {
    guard let path = reading.paths[record.name] else { return nil }
    do throws(SystemError) {
      var reader = try WireReader(path)
      var hash = SHA256()
      while true {
        let octets = try reader.next(atMost: .max)
        if octets.isEmpty { break }
        hash.update(octets)
      }
      return hash.finish() == there ? nil : .octets
    } catch {
      // Flags changed meanwhile, or the file went: the next run sees it.
      return error.isNotFound ? nil : .unreadable(error.description)
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
  private(set) var octets = 0
  private var hash: SHA256?
  private var digest: [UInt8]?

  func begin() { hash = SHA256() }

  func take(_ octets: ArraySlice<UInt8>) {
    hash?.update(octets)
    self.octets += octets.count
  }

  func end() { digest = hash.take()?.finish() }

  func deliver(_ message: RemoteMessage) { digests[message.uid] = digest }

  func discard() { digest = nil }

  func conclude() {}

  func fail(_ uid: UInt32, _ problem: MessageProblem) {}
}
