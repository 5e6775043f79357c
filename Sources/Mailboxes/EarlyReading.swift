internal import MailModel
internal import Maildir
internal import Platform
package import SyncState

/// Reads what is here of mailboxes whose files changed, in a thread of its own, while the server lets the account in.
///
/// What it read of a Maildir stands for it as long as the fingerprints of that are the same.
///
/// Sendable, since a base is left here by one thread, and taken out just once, by another one.
package final class EarlyReading: @unchecked Sendable {
  private struct Item {
    let base: MailboxBase
    let directory: [UInt8]
  }

  private struct Progress: @unchecked Sendable {
    var items: [UInt64: Item] = [:]
    /// Whether what is not read by now is no longer to be read.
    var isOver = false
  }

  /// A directory that changes once more within this time (nanoseconds) may show the times of the change before: no clock of a
  /// file system that counts in fractions of a second ticks more slowly.
  private static let tick: Int64 = 20_000_000

  private let context: MailboxContext
  private let progress = Monitor(Progress())
  private var thread: Thread?

  /// Begins to read the mailboxes that the last run left, as far as their directories are not as it left them.
  package init(_ summary: Summary, _ context: MailboxContext) {
    self.context = context
    let entries = summary.entries.values
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
    waitForTick(after: max(found.new.changed, found.cur.changed))
    guard !isOver, let base = try? MailboxBase(id, directory, context),
      base.local.fingerprints == found
    else { return }
    progress.withLock { $0.items[id] = Item(base: base, directory: directory) }
  }

  /// Until what changes from now on is sure to have another time than that (nanoseconds since 1970), or nothing more is to be
  /// read.
  private func waitForTick(after moment: Int64) {
    let rest = moment + Self.tick - Clock.nowNanoseconds()
    guard rest > 0 else { return }
    let limit = Double(min(rest, Self.tick)) / 1e9
    progress.wait(deadline: .after(seconds: limit)) { $0.isOver }
  }
}
