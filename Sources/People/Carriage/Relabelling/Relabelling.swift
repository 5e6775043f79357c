package import Configuration
internal import Maildir
package import MailModel
internal import Octets
package import Platform
internal import RestorePlan
package import Restoration
package import SyncPlan
internal import SyncState

/// Links the messages of a former Maildir of an account into its new one, where labels are tags instead of folders, or the reverse.
///
/// Each message is there once in each folder; killed anywhere, it can be run again.
package struct Relabelling {
  private let source: MaildirSource
  private let account: Account
  private let partial: PartialFiles
  private let places: LabelPlaces
  private let isDryRun: Bool
  private let interruption: Interruption
  private let progress: (Int) -> Void
  private let observe: (Path, ImportFlaw) -> Void

  /// Files that become durable together.
  private static let batch = 500

  /// From a Maildir that ``RelabelCheck`` found right.
  ///
  /// - Parameters:
  ///   - source: the former Maildir.
  ///   - account: the account as it is configured now.
  ///   - configured: all accounts there are.
  ///   - places: the mailboxes of its server.
  ///   - isDryRun: whether nothing is written.
  ///   - interruption: ends it early.
  ///   - progress: told how many messages were read, now and then.
  ///   - observe: told of each file that is left out.
  package init(
    _ source: MaildirSource,
    to account: Account,
    among configured: [Account],
    _ places: [LabelPlace],
    isDryRun: Bool,
    interruption: Interruption,
    progress: @escaping (Int) -> Void,
    observe: @escaping (Path, ImportFlaw) -> Void
  ) {
    (self.source, self.account, self.isDryRun) = (source, account, isDryRun)
    partial = PartialFiles(configured, roots: [source.root])
    self.places = LabelPlaces(places)
    (self.interruption, self.progress, self.observe) = (interruption, progress, observe)
  }

  /// Does it, under the lock of the account.
  ///
  /// - Throws: why it cannot go on; what is in place by then stays, and the same command adds the rest.
  package func relabel() throws(Explanation) -> RelabelCounts {
    do throws(SystemError) {
      return try work()
    } catch {
      throw Explanation(
        .cannotCreate,
        place: account.maildir.display,
        error.isOutOfSpace ? "no room on the disk" : error.description,
        hint: "the same command adds the rest"
      )
    }
  }

  private func work() throws(SystemError) -> RelabelCounts {
    var counts = RelabelCounts()
    let reading = try read(&counts)
    guard !interruption.isRequested else {
      counts.isInterrupted = true
      return counts
    }
    let plan = plan(reading, &counts)
    var folders = RelabelFolders(account)
    for directory in places.all.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      try folders.look(at: directory, reading.keys, interruption)
      if !isDryRun { try folders.removeLeftovers(in: directory) }
    }
    try carryOut(plan, reading, &folders, &counts)
    return counts
  }

  private func read(_ counts: inout RelabelCounts) throws(SystemError) -> RelabelReading {
    var reading = RelabelReading(
      places,
      partial,
      RelabelCheck.store(of: source.root),
      interruption,
      observe: observe
    )
    for entry in source.skipped { observe(entry.path, .skipped(entry.reason)) }
    for folder in source.folders where !interruption.isRequested {
      try reading.read(folder)
      progress(reading.count.read)
    }
    counts.read = reading.count.read + source.skipped.count
    counts.left = reading.count.left + source.skipped.count
    counts.messages = reading.messages.count
    counts.copies = counts.read - counts.left - counts.messages
    counts.octets = reading.messages.reduce(0) { $0 + $1.size }
    counts.differing = reading.messages.count { $0.flagsDiffer }
    return reading
  }

  private func plan(_ reading: RelabelReading, _ counts: inout RelabelCounts) -> RelabelPlan {
    var plan = RelabelPlan(account.sync.labels, places, folders: reading.folders.map(\.meaning))
    var messages = reading.messages
    var comeBack = 0
    for (key, meaning) in reading.removed {
      guard let number = key.flatMap(reading.message) else {
        comeBack += 1
        continue
      }
      plan.add(&messages[number], removedFrom: meaning)
    }
    for message in messages { plan.add(message) }
    counts.unplaced = plan.unplaced
    counts.returning = plan.returning + comeBack
    return plan
  }

  private func carryOut(
    _ plan: RelabelPlan,
    _ reading: RelabelReading,
    _ folders: inout RelabelFolders,
    _ counts: inout RelabelCounts
  ) throws(SystemError) {
    var batch: [RelabelFolders.Delivered] = []
    for step in plan.steps {
      guard !folders.holds(step) else {
        counts.there += 1
        continue
      }
      guard !isDryRun else {
        counts.added += 1
        continue
      }
      guard !interruption.isRequested else {
        counts.isInterrupted = true
        break
      }
      let folder = reading.folders[step.copy.folder].path
      guard let delivered = try folders.deliver(step, from: folder) else {
        observe(step.copy.file.path(in: folder), .changed)
        counts.changed += 1
        continue
      }
      batch.append(delivered)
      if batch.count == Self.batch { try place(&batch, &folders, &counts) }
    }
    try place(&batch, &folders, &counts)
  }

  private func place(
    _ batch: inout [RelabelFolders.Delivered],
    _ folders: inout RelabelFolders,
    _ counts: inout RelabelCounts
  ) throws(SystemError) {
    try folders.place(batch)
    counts.added += batch.count
    counts.copied += batch.count { $0.isCopied }
    batch = []
  }
}
