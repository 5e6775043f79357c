package import MailModel
package import Maildir
internal import Octets
package import Platform
internal import Threads

/// The index of one Maildir, as those who change it see it.
///
/// A program that changes the Maildir calls ``apply(_:with:)`` with its changes; all others call ``scan(_:)``. Writers wait for each other; readers (``IndexReader``) do not wait.
package struct SearchIndex: Sendable {
  package let place: IndexPlace

  /// How many seconds to wait for another writer.
  package var wait = 10.0

  /// Which messages are linked by their subjects; nil: those that they link in the index that is there, answers in a new one.
  ///
  /// A scan threads all mail anew where the index was made otherwise.
  package var subjects: SubjectThreading?

  /// When its databases become one.
  package var limits = TierLimits()

  /// Gives the time in nanoseconds since 1970.
  package var now: @Sendable () -> Int64 = { Clock.nowNanoseconds() }

  /// The time in seconds.
  var seconds: Int64 { now() / 1_000_000_000 }

  /// Ends long work between two steps.
  package var interruption = Interruption.shared

  /// Told how far a build is: messages done, of how many; called from several threads.
  package var progress: @Sendable (_ done: Int, _ total: Int) -> Void = { _, _ in }

  /// The index at a place; nothing is read yet.
  package init(_ place: IndexPlace) {
    self.place = place
  }

  /// How far ``scan(_:)`` trusts what it sees.
  package enum Trust: Hashable, Sendable {
    /// A directory whose times and inode are those of the last time has not changed.
    case fingerprints
    /// Nothing: every directory is read, and each file looked at.
    case nothing
  }

  /// Takes in what a program has done to the Maildir, without looking at anything else in it.
  ///
  /// All of it is durable on return. Changes may be repeated: what the index knows already costs nothing. Each message
  /// that is new to it is read once; a rename opens no file. A file that cannot be read is remembered, and tried again
  /// with the next changes. What the folders look like is left to the next ``scan(_:)``, which finds what these changes
  /// leave out. Where there is no index, or more is new than is in it, the Maildir is scanned at once.
  ///
  /// - Parameters:
  ///   - changes: in the order in which they happened.
  ///   - held: what a scan before them has held back, to become durable with them.
  /// - Returns: what was changed.
  /// - Throws: `locked` where another writer was too slow; what the system and the library say. What was done up to
  ///   then is kept.
  @discardableResult
  package func apply(
    _ changes: [MaildirChange],
    with held: HeldChanges? = nil
  ) throws(IndexError) -> IndexReport {
    guard let database = try current() else { return try scan() }
    let additions = changes.count { if case .added = $0 { true } else { false } }
    if try Self.outweigh(additions, database) { return try scan() }
    let conclusion = held?.conclusion ?? ScanConclusion()
    return try takeIn((held?.changes ?? []) + changes, conclusion, database)
  }

  /// Takes in what the Maildir shows to have happened; makes an index where there is none.
  ///
  /// - Returns: what was changed.
  /// - Throws: as ``apply(_:with:)``.
  @discardableResult
  package func scan(_ trust: Trust = .fingerprints) throws(IndexError) -> IndexReport {
    var held: HeldChanges?
    var report = try scan(trust, holding: &held)
    if let held { report.add(next: try apply([], with: held)) }
    return report
  }

  /// As ``scan(_:)``, but where little is to be changed nothing is written: it is held back for ``apply(_:with:)``, so that
  /// both are one commit.
  package func scan(
    _ trust: Trust = .fingerprints,
    holding held: inout HeldChanges?
  ) throws(IndexError) -> IndexReport {
    held = nil
    guard var database = try current() else {
      let isReplacing = try generation() != nil
      var report = try build()
      report.isMadeAnew = isReplacing
      return report
    }
    removeReplaced()
    if try link(database) { database = try open() }
    let known = FolderFingerprints(try database.metadata(Schema.Key.fingerprints))
    let folders = FolderTable(try database.metadata(Schema.Key.folders))
    var difference = MaildirDifference(database, folders, place.root, trust)
    let listing = try MaildirListing(
      place.root,
      unlessAs: trust == .fingerprints ? known : nil,
      now: now()
    ) { (folder, files) throws(IndexError) in try difference.compare(folder, files) }
    try difference.finish(listing)
    if try Self.outweigh(difference.additions, database) {
      // Making the index needs the memory in which the changes lie.
      var report = IndexReport(of: (consume difference).changes)
      report.take(fromBuild: try build())
      return report
    }
    var conclusion = ScanConclusion(entries: difference.renewed)
    if listing.fingerprints != known {
      conclusion.metadata.append((Schema.Key.fingerprints, listing.fingerprints.octets))
    }
    let retries = try database.metadata(Schema.Key.unread)
    var report = IndexReport()
    report.unreadable = listing.unreadable.map(\.error)
    var changes = difference.changes
    if !listing.marked.isEmpty {
      // Keywords are those of files that are known by now; what was seen of them is told with the last of it.
      if !changes.isEmpty {
        report.add(next: try takeIn(changes, ScanConclusion(), database))
        database = try open()
      }
      changes = try KeywordDifference(listing.marked, database, place.root).changes
    }
    if changes.count < HeldChanges.limit, retries.isEmpty {
      held = HeldChanges(changes, conclusion)
      return report
    }
    report.add(next: try takeIn(changes, conclusion, database))
    return report
  }

  /// Threads all messages anew where subjects are to link others than they do.
  ///
  /// - Returns: whether that was so.
  private func link(_ database: XapianDatabase) throws(IndexError) -> Bool {
    let before = try database.metadata(Schema.Key.subjects)
    let subjects = self.subjects ?? SubjectThreading(stored: before) ?? .all
    guard before != subjects.stored else { return false }
    let lock = try WriterLock.acquire(place, wait: wait)
    defer { withExtendedLifetime(lock) {} }
    let transaction = try IndexTransaction(
      Generation(place.generation(try currentGeneration())),
      place.root,
      subjects: subjects
    )
    do throws(IndexError) {
      try transaction.touchAll()
      try transaction.commit([(Schema.Key.subjects, subjects.stored)])
    } catch {
      transaction.database.cancel()
      throw error
    }
    return true
  }

  /// Which messages subjects link in an index; nil where it does not say.
  private static func threading(
    _ database: XapianDatabase
  ) throws(IndexError) -> SubjectThreading? {
    SubjectThreading(stored: try database.metadata(Schema.Key.subjects))
  }

  /// Removes generations that others have replaced for some time; where another program writes, that is left to a later run.
  private func removeReplaced() {
    guard (try? place.hasLeftovers(now: seconds)) == true,
      let lock = try? WriterLock.acquire(place, wait: 0)
    else { return }
    removeReplacedLocked()
    withExtendedLifetime(lock) {}
  }

  /// The same under the writer's lock.
  private func removeReplacedLocked() {
    guard (try? place.hasLeftovers(now: seconds)) == true, let current = try? generation() else {
      return
    }
    try? place.removeLeftovers(keeping: current, now: seconds)
  }

  /// The same of a generation of any schema.
  func threading(of number: Int) -> SubjectThreading? {
    guard let database = try? Generation(place.generation(number)).open(anySchema: true) else {
      return nil
    }
    return (try? Self.threading(database)) ?? nil
  }

  /// The index that is there; nil where there is none, or an earlier version made it: nothing is added to that.
  func current() throws(IndexError) -> XapianDatabase? {
    guard let number = try generation() else { return nil }
    do throws(IndexError) {
      let database = try Generation(place.generation(number)).open()
      return try Generation.schema(of: database) < Schema.oldestWritable ? nil : database
    } catch {
      if case .older = error { return nil }
      throw error
    }
  }

  /// Whether so much is new that making the index anew, by all processors, is less work than adding to it.
  private static func outweigh(
    _ additions: Int,
    _ database: XapianDatabase
  ) throws(IndexError) -> Bool {
    guard additions >= buildSize else { return false }
    return additions > Int(try database.counts().count)
  }

  // MARK: Batches

  /// How many changes become durable together; fewer where they bring new mail.
  private static let batchSize = 5000

  /// Fewer new messages are never worth a new index.
  private static let buildSize = 1000

  private func takeIn(
    _ changes: [MaildirChange],
    _ conclusion: ScanConclusion,
    _ database: XapianDatabase
  ) throws(IndexError) -> IndexReport {
    var report = IndexReport()
    var rest = changes[...]
    var database = database
    var isLast = false
    repeat {
      if interruption.isRequested { throw IndexError.interrupted }
      // Mail is read before the lock is taken, so that others wait for the disk alone.
      let readings = try Readings(place.root, rest.prefix(Self.batchSize), database)
      let covered = rest.prefix(readings.covered)
      rest = rest[covered.endIndex...]
      isLast = rest.isEmpty && readings.postponed.isEmpty
      report.add(next: try batch(covered, readings, isLast ? conclusion : ScanConclusion()))
      if !isLast { database = try open() }
    } while !isLast
    return report
  }

  private func batch(
    _ changes: ArraySlice<MaildirChange>,
    _ readings: Readings,
    _ conclusion: ScanConclusion
  ) throws(IndexError) -> IndexReport {
    var readings = readings
    let lock = try WriterLock.acquire(place, wait: wait)
    defer { withExtendedLifetime(lock) {} }
    removeReplacedLocked()
    try makeRoom(for: readings.count)
    let transaction = try IndexTransaction(
      Generation(place.generation(try currentGeneration())),
      place.root
    )
    do throws(IndexError) {
      for change in changes { try readings.applyChange(change, into: transaction) }
      try readings.takeRetries(into: transaction)
      let unread = (Schema.Key.unread, readings.failedOctets)
      for (key, entry) in conclusion.entries { try transaction.renew(key, entry) }
      try transaction.commit(conclusion.metadata + [unread])
    } catch {
      transaction.database.cancel()
      throw error
    }
    var report = transaction.report
    report.addFailures(readings.failed.count, readings.failures)
    report.opened = readings.opened
    return report
  }

  /// Has the databases merged that are full, before messages are added.
  ///
  /// A disk without room for that does not keep the messages out.
  private func makeRoom(for additions: Int) throws(IndexError) {
    guard additions > 0 else { return }
    do throws(IndexError) {
      let tiers = try Tiers(Generation(place.generation(try currentGeneration())))
      switch try tiers.step(before: additions, limits) {
      case .nothing: break
      case .middle: try tiers.mergeIntoMiddle()
      case .whole: try compactLocked()
      }
    } catch {
      guard error.isOutOfSpace else { throw error }
    }
  }

  // MARK: Generations

  /// The number of the current generation; nil where there is none.
  func generation() throws(IndexError) -> Int? {
    do throws(SystemError) { return try place.currentGeneration() } catch { throw .system(error) }
  }

  func currentGeneration() throws(IndexError) -> Int {
    guard let number = try generation() else {
      throw .notThere("no index in \(place.directory.display)")
    }
    return number
  }

  func open() throws(IndexError) -> XapianDatabase {
    try Generation(place.generation(try currentGeneration())).open()
  }
}
