internal import MailModel
internal import Maildir
internal import Platform
package import SyncState

/// Reads what is here of mailboxes whose files changed, in a thread of its own, while a connection is made and logged in.
///
/// What it read of a Maildir is used only where the fingerprints of that are the same afterwards.
///
/// Used by the thread that made it. Sendable all the same, for its own thread: a base is left by that, and taken out once.
package final class EarlyReading: @unchecked Sendable {
  private struct Item {
    let base: MailboxBase
    let directory: [UInt8]
  }

  private struct Progress: @unchecked Sendable {
    var items: [UInt64: Item] = [:]
    /// Whether no further mailbox is to be read.
    var isOver = false
  }

  /// A directory that changes once more within this time (nanoseconds) may show the times of the change before: no clock of a
  /// file system that counts in fractions of a second ticks more slowly.
  private static let tick: Int64 = 20_000_000

  private let context: MailboxContext
  private let progress = Monitor(Progress())
  private var thread: Thread?

  /// Begins to read those mailboxes of the run whose directories are not as the last run left them.
  package init(_ summary: Summary, _ context: MailboxContext) {
    self.context = context
    let entries = summary.entries.values.filter { entry in
      let name = context.tree.naming.name(of: entry.header.directory)
      return context.isMirrored(name) && context.isWanted(name)
    }.sorted { $0.header.directory.lexicographicallyPrecedes($1.header.directory) }
    guard !entries.isEmpty else { return }
    thread = try? Thread.spawn(name: "early reading") { [self] in
      for entry in entries where !isOver { read(entry) }
    }
  }

  /// Ends; what was not taken is let go.
  package func end() {
    stop()
    progress.withLock { $0.items = [:] }
  }

  /// What was read of a mailbox, once, if its Maildir has these fingerprints at present; nil where it was not read, or has
  /// changed since.
  func take(_ mailbox: MirroredMailbox, _ now: MaildirFingerprints?) -> MailboxBase? {
    stop()
    let item = progress.withLock { $0.items.removeValue(forKey: mailbox.id) }
    guard let item, item.directory == mailbox.directory, let now,
      item.base.local.fingerprints == now
    else { return nil }
    return item.base
  }

  /// What is being read is read to its end, and nothing after it.
  private func stop() {
    progress.update { $0.isOver = true }
    thread?.join()
  }

  private var isOver: Bool { progress.withLock { $0.isOver } }

  private func read(_ entry: Summary.Entry) {
    let (id, directory) = (entry.header.id, entry.header.directory)
    let path = context.tree.path(of: directory)
    guard let found = MaildirFingerprints(of: path), found != entry.fingerprints else { return }
    guard waitForTick(after: max(found.new.changed, found.cur.changed)), !isOver,
      let base = try? MailboxBase(id, directory, context),
      base.local.fingerprints == found
    else { return }
    progress.withLock { $0.items[id] = Item(base: base, directory: directory) }
  }

  /// Waits until what changes from then on is sure to have another time than that (nanoseconds since 1970), or no further
  /// mailbox is to be read; false where that takes too long.
  private func waitForTick(after moment: Int64) -> Bool {
    let age = Clock.nowNanoseconds() - moment
    // The file system may count in whole seconds.
    if moment % 1_000_000_000 == 0, age < 2_000_000_000 { return false }
    guard age < Self.tick else { return true }
    progress.wait(deadline: .after(seconds: Double(Self.tick) / 1e9)) { $0.isOver }
    return true
  }
}
