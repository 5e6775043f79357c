internal import MailStore
internal import Maildir
internal import Octets
internal import Platform
internal import SyncPlan
internal import SyncState

/// Finds files that bear a UID of their mailbox, while a map has their names for another message.
///
/// They were moved or copied back, or are drafts that were sent anew: they tell nothing of the UID in their names.
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
    let strangers = group.map { ($0, $0.local.strangers($0.difference, $0.state).map(\.name)) }
      .filter { !$0.1.isEmpty }
    guard SyncRule.keys.isOn, !strangers.isEmpty else { return [:] }
    let keys = keys(among: Set(strangers.flatMap(\.1).compactMap { MessageKey(baseName: $0) }))
    var all: [UInt64: Found] = [:]
    for (mailbox, names) in strangers {
      let isRecorded = { (name: [UInt8]) in MessageKey(baseName: name).map(keys.contains) ?? false }
      var found = Found(names: OctetSet(names.filter(isRecorded)))
      let rest = names.filter { !found.names.contains($0) }
      if !rest.isEmpty { try addOthers(rest, &found) }
      all[mailbox.mailbox.id] = found
    }
    return all
  }

  /// Those of the keys that names on record in the group have.
  ///
  /// Not the whole names: other programs add to these. A draft that was sent anew has another UID than its name says, and is on
  /// record in its own mailbox.
  private func keys(among wanted: Set<MessageKey>) -> Set<MessageKey> {
    var found: Set<MessageKey> = []
    for mailbox in group {
      for record in mailbox.state.messages.values {
        guard let key = MessageKey(baseName: record.name), wanted.contains(key) else { continue }
        found.insert(key)
      }
    }
    return found
  }

  /// A mailbox outside the group that lacks the file learns of it in the next run; until then it belongs to none.
  private func addOthers(_ names: [[UInt8]], _ found: inout Found) throws(SyncFailure) {
    let own = Set(group.map(\.mailbox.id))
    let headers = try attempt(context.store.headers())
    for header in headers where !own.contains(header.id) {
      let stored = try attempt(context.store.state(of: header.id))
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
    let scan = try attempt(MaildirScan.scanIfPresent(directory))
    return OctetSet(scan?.files.map(\.name.base) ?? [])
  }
}
