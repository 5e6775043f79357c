internal import MailStore
internal import Maildir
internal import Octets
internal import Platform
internal import SyncPlan
internal import SyncState

/// Finds files that came back to the mailbox whose UID they bear, while another mailbox's map still has them.
///
/// They were moved or copied back: they tell nothing of the UID in their names.
struct ReturnedFiles {
  private let context: MailboxContext
  private let group: [OpenMailbox]

  /// A search among mailboxes that are planned together, and in the maps of the others.
  init(_ context: MailboxContext, _ group: [OpenMailbox]) {
    self.context = context
    self.group = group
  }

  /// Those of one mailbox.
  struct Found {
    /// Files that bear a UID of the mailbox and are another mailbox's by now: copies, or on their way home.
    var names: OctetSet = []
    /// Those whose other mailbox is to be seen first, in the next run.
    var awaited: OctetSet = []
  }

  /// The files of the group that are such, by mailbox; a mailbox that has none may be left out.
  func find() throws(SyncFailure) -> [UInt64: Found] {
    var all: [UInt64: Found] = [:]
    for mailbox in group {
      let strangers = mailbox.local.strangers(mailbox.difference, mailbox.state).map(\.name)
      guard SyncRule.keys.isOn, !strangers.isEmpty else { continue }
      let known = group.filter { $0 !== mailbox }
      let keys = Set(group.flatMap { Self.keys(of: mailbox, in: $0.state) })
      let here = strangers.filter { name in
        known.contains { $0.state.uid(of: name) != nil }
          || MessageKey(baseName: name).map(keys.contains) ?? false
      }
      var found = Found(names: OctetSet(here))
      let rest = strangers.filter { !found.names.contains($0) }
      if !rest.isEmpty { try addOthers(rest, &found) }
      all[mailbox.mailbox.id] = found
    }
    return all
  }

  /// The keys of a mailbox in names on record, its own too: other programs add to a name, and a draft that was sent anew has
  /// another UID than its name says.
  private static func keys(of mailbox: OpenMailbox, in state: MailboxState) -> [MessageKey] {
    state.messages.values.compactMap { MessageKey(baseName: $0.name) }
      .filter { $0.mailbox == mailbox.mailbox.id }
  }

  /// A mailbox outside the group that has the file no more learns of it in the next run; until then it is nobody's.
  private func addOthers(_ names: [[UInt8]], _ found: inout Found) throws(SyncFailure) {
    let own = Set(group.map(\.mailbox.id))
    let headers = try attempt { () throws(SystemError) in try context.store.headers() }
    for header in headers where !own.contains(header.id) {
      let stored = try attempt { () throws(SystemError) in try context.store.state(of: header.id) }
      guard let state = stored else { continue }
      let claimed = names.filter { state.uid(of: $0) != nil }
      guard !claimed.isEmpty else { continue }
      let there = try files(context.tree.path(of: header.directory))
      for name in claimed {
        if there.contains(name) {
          found.names.insert(name)
        } else {
          found.awaited.insert(name)
        }
      }
    }
  }

  private func files(_ directory: Path) throws(SyncFailure) -> OctetSet {
    let scan = try attempt { () throws(SystemError) in try MaildirScan.scanIfPresent(directory) }
    return OctetSet(scan?.files.map(\.name.base) ?? [])
  }
}
