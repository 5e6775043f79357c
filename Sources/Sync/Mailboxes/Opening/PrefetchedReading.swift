internal import MailModel
internal import Maildir
internal import Platform
package import SyncState

/// Reads what is here of mailboxes whose files changed, in a thread of its own, while a connection is made and logged in.
///
/// What it read of a Maildir is used only where the fingerprints of that are the same afterwards.
package struct PrefetchedReading {
  private let reader: PrefetchReader
  private let thread: Thread?

  /// Begins to read those mailboxes of the run whose directories are not as the last run left them.
  package init(_ summary: Summary, _ context: MailboxContext) {
    let reader = PrefetchReader(context)
    let entries = summary.entries.values.filter(context.includes)
      .sorted { $0.header.directory.lexicographicallyPrecedes($1.header.directory) }
    self.reader = reader
    thread =
      entries.isEmpty
      ? nil
      : try? Thread.spawn(name: "prefetch") {
        for entry in entries where !reader.isOver { reader.read(entry) }
      }
  }

  /// Ends; what was not taken is let go.
  package func end() {
    stop()
    reader.bases.removeAll()
  }

  /// The mailboxes that were read by now because their files changed, by their ids.
  func found() -> [UInt64: BaseCache.Content] { reader.bases.contents() }

  /// What was read of a mailbox, once, if its Maildir has these fingerprints at present; nil where it was not read, or has
  /// changed since.
  func takeBase(_ mailbox: MirroredMailbox, _ now: MaildirFingerprints?) -> MailboxBase? {
    stop()
    let base = reader.bases.takeBase(of: mailbox.id)
    guard let base, base.directory == mailbox.directory, let now, base.local.fingerprints == now
    else { return nil }
    return base
  }

  /// What is being read is read to its end, and nothing after it.
  private func stop() {
    reader.stop()
    thread?.join()
  }
}

/// What the thread of that reading does.
private struct PrefetchReader: Sendable {
  /// A directory that changes once more within this time (nanoseconds) may show the times of the change before: no clock of a
  /// file system that counts in fractions of a second ticks more slowly.
  private static let tick: Int64 = 20_000_000

  let bases = BaseCache()
  private let context: MailboxContext
  /// Whether no further mailbox is to be read.
  private let over = Monitor(false)

  init(_ context: MailboxContext) {
    self.context = context
  }

  var isOver: Bool { over.withLock { $0 } }

  func stop() { over.update { $0 = true } }

  func read(_ entry: Summary.Entry) {
    let (id, directory) = (entry.header.id, entry.header.directory)
    let path = context.tree.path(of: directory)
    guard let found = MaildirFingerprints(of: path), found != entry.fingerprints else { return }
    guard waitForTick(after: max(found.new.changed, found.cur.changed)), !isOver,
      let base = try? MailboxBase(id, directory, context),
      base.local.fingerprints == found
    else { return }
    bases.put(base, of: id)
  }

  /// Waits until later changes are sure to have another time than that (nanoseconds since 1970), or no further mailbox is to be
  /// read.
  ///
  /// False where that takes too long.
  private func waitForTick(after moment: Int64) -> Bool {
    let age = Clock.nowNanoseconds() - moment
    // The file system may count in whole seconds.
    if moment % 1_000_000_000 == 0, age < 2_000_000_000 { return false }
    guard age < Self.tick else { return true }
    over.wait(deadline: .after(seconds: Double(Self.tick) / 1e9)) { $0 }
    return true
  }
}
