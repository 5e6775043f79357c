internal import MIME
internal import MailModel
package import MailStore
package import Mailboxes
internal import MessageContent
internal import Octets
package import SyncPlan
package import SyncState

/// Fetches the large ones of messages without their attachments: header, texts and small parts, in one round trip for many.
///
/// What cannot be fetched so is left to anyone who fetches the others.
package struct PartialDownload {
  /// What it came to.
  package struct Outcome {
    /// Messages that are not to be fetched now, by UID: they are here, or deferred by the daily limit.
    package fileprivate(set) var settled: Set<UInt32> = []
    /// Messages that wait for another day.
    package fileprivate(set) var left = LeftMessages()
  }

  /// A message and how it is fetched.
  private struct Item {
    let message: RemoteMessage
    let plan: PartialPlan
    /// What the limit of the day was asked for.
    var asked: UInt64 { plan.keptSize + PartialDownload.usualHeader }
  }

  /// Messages whose structures are asked for at once.
  private static let structureCount = 500
  /// Messages, and octets of their texts and small parts, that are asked for at once.
  private static let batchCount = 50
  private static let batchOctets: UInt64 = 4 << 20
  /// What the headers of a message are taken to have where it counts, in octets.
  private static let usualHeader: UInt64 = 16 << 10
  /// Tells its files in tmp from those of other committers.
  private static let number = 63

  private let target: DownloadTarget
  private let reference: MailboxReference
  private let seals: PartialSeals
  private let sizeLimit: UInt64
  private let committer: DeliveryCommitter
  private let isForDrafts: Bool
  /// What it came to, also where it fails in the midst.
  package private(set) var outcome = Outcome()

  /// A download of messages of a mailbox above so many octets.
  ///
  /// - Parameters:
  ///   - mailbox: the mailbox; nothing else uses it and its journal meanwhile.
  ///   - sizeLimit: the octets of RFC822.SIZE above which messages are fetched so.
  ///   - seals: what the files are sealed with.
  ///   - allowance: which of the messages may be fetched today, nil for all.
  ///   - arriving: takes the new ones before they are recorded; nil where nothing does.
  ///   - report: takes what happens.
  package init(
    of mailbox: OpenMailbox,
    above sizeLimit: UInt64,
    _ seals: PartialSeals,
    allowance: FetchAllowance?,
    arriving: ArrivalObserver? = nil,
    report: @escaping @Sendable (SyncEvent.Kind) -> Void
  ) {
    target = DownloadTarget(mailbox, allowance, arriving: arriving, report)
    reference = mailbox.reference
    isForDrafts = mailbox.mailbox.role == .drafts
    self.seals = seals
    self.sizeLimit = sizeLimit
    committer = DeliveryCommitter(target, number: Self.number)
  }

  /// What was fetched; complete once `fetchMessages` returned or failed.
  package var result: DownloadResult { committer.result }

  /// Whether a message is fetched so, if it can be.
  private func isWanted(_ message: RemoteMessage) -> Bool {
    guard let size = message.size, size > sizeLimit, !isForDrafts else { return false }
    return !message.flags.system.contains(.draft)
  }

  /// Fetches those of the messages that are so large; what came is durable and recorded when it returns.
  package mutating func fetchMessages(
    _ messages: PlannedDownloads.Messages,
    over store: any MailStore
  ) throws(SyncFailure) {
    let wanted = messages.filter(isWanted)
    var failure: SyncFailure?
    do throws(SyncFailure) {
      for start in stride(from: 0, to: wanted.count, by: Self.structureCount) {
        let end = min(start + Self.structureCount, wanted.count)
        try fetch(Array(wanted[start..<end]), over: store)
      }
    } catch {
      failure = error
    }
    // Also where the connection broke: what came counts.
    try committer.finish()
    if let failure { throw failure }
  }

  private mutating func fetch(
    _ messages: [RemoteMessage],
    over store: any MailStore
  ) throws(SyncFailure) {
    let structures = try store.structures(of: messages.map(\.uid), in: reference)
    var batch: [Item] = []
    var octets: UInt64 = 0
    for message in messages {
      guard let size = message.size, let structure = structures[message.uid],
        let plan = PartialPlan(structure, size: size)
      else { continue }
      let item = Item(message: message, plan: plan)
      guard allows(item) else {
        outcome.left.add(message)
        outcome.settled.insert(message.uid)
        continue
      }
      if batch.count == Self.batchCount || octets + item.asked > Self.batchOctets, !batch.isEmpty {
        try fetch(batch, store)
        (batch, octets) = ([], 0)
      }
      batch.append(item)
      octets += item.asked
    }
    if !batch.isEmpty { try fetch(batch, store) }
  }

  private func allows(_ item: Item) -> Bool {
    guard let allowance = target.allowance, allowance.counts(item.message.uid) else { return true }
    return allowance.meter.ask(item.asked)
  }

  private mutating func fetch(_ batch: [Item], _ store: any MailStore) throws(SyncFailure) {
    defer {
      for item in batch where target.allowance?.counts(item.message.uid) == true {
        target.allowance?.meter.finishRequest(item.asked)
      }
    }
    let orders = batch.map { item in
      SectionOrder(
        uid: item.message.uid,
        sections: item.plan.wanted.map { SectionOrder.Section($0.section, limit: $0.limit) }
      )
    }
    let answers = try store.sections(orders, in: reference)
    let items = batch.keyed(by: \.message.uid)
    for answer in answers {
      countOctets(answer)
      guard let item = items[answer.message.uid] else { continue }
      try makeFile(answer, item)
    }
  }

  private func countOctets(_ answer: FetchedSections) {
    guard target.allowance?.counts(answer.message.uid) == true else { return }
    let octets = answer.sections.values.reduce(UInt64(0)) { $0 + UInt64($1.count) }
    target.allowance?.meter.addOctets(octets)
  }

  /// Makes the file; left to be fetched whole where it cannot be made, or the message is a draft by now.
  private mutating func makeFile(_ answer: FetchedSections, _ item: Item) throws(SyncFailure) {
    let message = answer.message
    guard isWanted(message), let size = message.size, size == item.message.size,
      let header = answer.sections[Array("header".utf8)]
    else { return }
    let mark = seals.mark(size: size, messageID: HeaderFacts(wire: header).messageID)
    guard let file = item.plan.file(answer.sections, mark: mark.value) else { return }
    committer.begin()
    try committer.receiveOctets(file[...])
    try committer.end()
    try committer.deliver(message, .partial(name: mark.name))
    outcome.settled.insert(message.uid)
  }
}
