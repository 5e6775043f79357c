internal import MailModel
internal import MailStore
internal import Octets
internal import Platform
internal import SyncState

/// What the connections of a run know of the labels of an account.
final class LabelFacts: Sendable {
  private struct Knowledge: Sendable {
    var mailboxes: LabelMailboxes?
    /// What is to be remembered once it is on record.
    var seen: ServerTraits.LabelReading?
    var named: Set<[UInt8]> = []
    /// Whether the server has no labels now, though it had some.
    var isLost = false
  }

  private let knowledge = Monitor(Knowledge())
  private let memory: ServerMemory
  private let now: @Sendable () -> Int64
  private let report: @Sendable (StoreEvent) -> Void

  init(
    _ memory: ServerMemory,
    now: @escaping @Sendable () -> Int64,
    report: @escaping @Sendable (StoreEvent) -> Void
  ) {
    (self.memory, self.now, self.report) = (memory, now, report)
  }

  /// The mailboxes that were listed last.
  var mailboxes: LabelMailboxes? { knowledge.withLock { $0.mailboxes } }

  /// Why nothing is pushed; nil where the server passed the test of its labels.
  var reasonToPull: SyncFailure? {
    if knowledge.withLock({ $0.isLost }) { return .labels(.lost) }
    return switch memory.traits.labelCheck {
    case nil: .labels(.untested)
    case .failed(_, let fact): .labels(.failed(fact))
    case .passed: nil
    }
  }

  /// Notes that the server did all that pushing needs.
  func notePassed() { memory.updateTraits { [now] in $0.labelCheck = .passed(now()) } }

  /// Notes that the server does not do what pushing needs.
  func noteFailure(_ fact: String) {
    memory.updateTraits { [now] in $0.labelCheck = .failed(now(), Array(fact.utf8)) }
  }

  /// Notes whether the server offers labels now; where it no longer does, all are read once it has them again, and pushed once it
  /// passes the test again.
  ///
  /// - Throws: `labels` where it never was seen to do all that pushing needs, nor that it does not.
  func note(offersLabels: Bool) throws(SyncFailure) {
    guard offersLabels || memory.traits.labelCheck != nil else { throw .labels(.notOffered) }
    knowledge.withLock { $0.isLost = !offersLabels }
    guard !offersLabels else { return }
    if case .passed = memory.traits.labelCheck {
      noteFailure("the server had no labels for a time")
    }
    if memory.traits.labels != nil { memory.updateTraits { $0.labels = nil } }
  }

  /// When the labels of all messages are read.
  var schedule: LabelSchedule { LabelSchedule(last: memory.traits.labels, now: now()) }

  /// The mailboxes that take part, of all that the server lists.
  ///
  /// - Throws: `labels` where one is hidden.
  func listed(_ listing: ServerListing) throws(SyncFailure) -> ServerListing {
    let (last, isDue) = (memory.traits.labels, schedule.isDue)
    let mailboxes = try LabelMailboxes(listing) { isDue || $0 != last?.digest }
    knowledge.withLock { knowledge in
      knowledge.mailboxes = mailboxes
      knowledge.seen = nil
    }
    return mailboxes.listing
  }

  /// Notes that the tags agree with the labels; `isAll` says that all labels were read.
  func noteAgreement(isAll: Bool) {
    let time = isAll ? now() : memory.traits.labels?.time
    guard let time, let digest = mailboxes?.digest else { return }
    knowledge.withLock { $0.seen = ServerTraits.LabelReading(time: time, digest: digest) }
  }

  /// All that was told is on record here.
  func recorded() {
    guard let seen = knowledge.withLock({ $0.seen.take() }) else { return }
    memory.updateTraits { $0.labels = seen }
  }

  /// Names labels that no tag can stand for, each once.
  func name(_ labels: [[UInt8]]) {
    guard !labels.isEmpty else { return }
    let new = knowledge.withLock { knowledge in
      labels.filter { knowledge.named.insert($0).inserted }
    }
    for label in new {
      report(.step("the label \(Printable.text(label, limit: 100)) cannot be a tag; left alone"))
    }
  }
}
