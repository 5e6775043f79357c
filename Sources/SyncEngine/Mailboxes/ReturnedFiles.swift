internal import MailStore
internal import Maildir
internal import Octets
internal import Platform
internal import SyncPlan
internal import SyncState

/// Finds files that came back to the mailbox whose UID they bear, while another mailbox's map still has them.
///
/// Somebody moved or copied them home: they tell nothing of the UID in their names.
struct ReturnedFiles {
  private let context: AccountContext
  private let group: [OpenMailbox]

  /// A search among mailboxes that are planned together, and in the maps of the others.
  init(_ context: AccountContext, _ group: [OpenMailbox]) {
    self.context = context
    self.group = group
  }

  /// Notes in each mailbox of the group which of its files are such.
  func note(_ outcome: inout StepOutcome) throws(SyncFailure) {
    for mailbox in group {
      let strangers = mailbox.local.strangers(beside: mailbox.state)
      guard !strangers.isEmpty else { continue }
      let known = group.filter { $0 !== mailbox }
      let here = strangers.filter { name in known.contains { $0.state.uid(of: name) != nil } }
      mailbox.returned = OctetSet(here)
      let rest = strangers.filter { !mailbox.returned.contains($0) }
      if !rest.isEmpty { try noteOthers(rest, mailbox) }
      if !mailbox.awaited.isEmpty { outcome[mailbox].isComplete = false }
    }
  }

  /// A mailbox outside the group that has the file no more learns of it in the next run; until then it is nobody's.
  private func noteOthers(_ names: [[UInt8]], _ mailbox: OpenMailbox) throws(SyncFailure) {
    let own = Set(group.map(\.mailbox.id))
    let headers = try attempt { () throws(SystemError) in try context.store.headers() }
    for header in headers where !own.contains(header.id) {
      let stored = try attempt { () throws(SystemError) in try context.store.open(header.id) }
      guard case .present(let journal) = stored else { continue }
      let claimed = names.filter { journal.state.uid(of: $0) != nil }
      guard !claimed.isEmpty else { continue }
      let there = try files(context.tree.path(of: header.directory))
      for name in claimed {
        if there.contains(name) {
          mailbox.returned.insert(name)
        } else {
          mailbox.awaited.insert(name)
        }
      }
    }
  }

  private func files(_ directory: Path) throws(SyncFailure) -> OctetSet {
    do throws(SystemError) {
      return OctetSet(try MaildirScan.scan(directory).files.map(\.name.base))
    } catch {
      guard error.isNotFound else { throw .system(error) }
      return []
    }
  }
}
