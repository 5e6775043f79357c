internal import Maildir
internal import Platform
internal import SyncState

/// Messages of one mailbox or several that become durable, visible and recorded together, in this order.
///
/// Used by one thread.
final class DeliveryFlight {
  /// What a mailbox has in the flight.
  private struct Lot {
    let committer: DeliveryCommitter
    var batch: DownloadBatch
    var failure: SystemError?
  }

  /// Messages at most.
  private static let countLimit = 2000
  /// Octets at most.
  private static let octetLimit = 32 << 20
  /// Seconds from the first message to the last, so that a slow link shows progress.
  private static let secondsLimit = 2.0
  /// Names that are tried for a message whose own is taken by a different file.
  private static let nameAttempts = 3

  private var lots: [Lot] = []
  private var count = 0
  private var octets = 0
  private var deadline = Deadline.never

  /// Adds a message that lies in tmp, and commits all where it is time to.
  func add(_ item: DownloadBatch.Item, of committer: DeliveryCommitter) {
    if lots.isEmpty { deadline = .after(seconds: Self.secondsLimit) }
    // Mailboxes come one after the other.
    let place = lots.lastIndex { $0.committer === committer } ?? lots.endIndex
    if place == lots.endIndex {
      let batch = DownloadBatch(
        isDrafts: committer.isDrafts,
        arrivalKeyword: committer.arrivalKeyword
      )
      lots.append(Lot(committer: committer, batch: batch))
    }
    lots[place].batch.add(item)
    count += 1
    octets += item.file.size
    if count >= Self.countLimit || octets >= Self.octetLimit || deadline.isPast { commit() }
  }

  /// Gives every message its place and records it; all is durable when its committer is told of it.
  func commit() {
    guard !lots.isEmpty else { return }
    var lots = lots
    (self.lots, count, octets) = ([], 0, 0)
    do throws(SystemError) {
      // First: what came counts, whatever becomes of it.
      try lots[0].committer.meter?.save()
      try Self.announce(lots)
      Self.place(&lots)
      Self.record(&lots)
    } catch {
      for index in lots.indices { lots[index].failure = error }
    }
    for lot in lots { lot.committer.recordOutcome(lot.batch.end, lot.failure) }
  }

  private static func announce(_ lots: [Lot]) throws(SystemError) {
    guard let arriving = lots[0].committer.arriving else { return }
    let batch = lots.compactMap { $0.committer.newMessages(of: $0.batch.open) }
    if !batch.isEmpty { try arriving(batch) }
  }

  private static func place(_ lots: inout [Lot]) {
    for attempt in 0..<nameAttempts {
      let placements = lots.map { lot in
        lot.failure == nil ? lot.batch.placements(lot.committer.journal, attempt: attempt) : []
      }
      guard placements.contains(where: { !$0.isEmpty }) else { return }
      var results = MaildirCommit.commit(Array(placements.joined()))[...]
      for (index, own) in placements.enumerated() {
        do throws(SystemError) {
          try lots[index].batch.applyResults(zip(own, results.prefix(own.count)))
        } catch {
          lots[index].failure = error
        }
        results = results.dropFirst(own.count)
      }
    }
  }

  private static func record(_ lots: inout [Lot]) {
    let open = lots.indices.filter { lots[$0].failure == nil }
    let errors = SharedJournal.record(
      open.map { (lots[$0].committer.journal, lots[$0].batch.end.records) }
    )
    for (index, error) in zip(open, errors) { lots[index].failure = error }
  }
}
