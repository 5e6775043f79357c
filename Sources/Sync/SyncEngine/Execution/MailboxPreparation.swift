internal import Mailboxes
internal import Maildir
internal import Octets
internal import Platform
internal import MailStore
internal import SyncPlan
internal import SyncState

/// Makes the directories of mailboxes that have none, marks them as theirs, and writes their first maps.
///
/// Each step is done in all mailboxes, and is durable in all of them before the next: directories; cur, which makes them complete;
/// markers; maps. Where a step fails in a mailbox, that one has no further steps.
struct MailboxPreparation {
  private struct Item {
    let mailbox: OpenMailbox
    /// Whether its directory is marked as its own.
    let isMarked: Bool
    /// What waits beside its place.
    var marker: AtomicFile.Draft?
    var map: AtomicFile.Draft?
    var failure: SystemError?
  }

  private let tree: FolderTree
  private var items: [Item]

  /// `isElsewhere` says of which mailboxes the directory is another one's.
  init(_ tree: FolderTree, _ mailboxes: [OpenMailbox], isElsewhere: (OpenMailbox) -> Bool) {
    self.tree = tree
    items = mailboxes.map { Item(mailbox: $0, isMarked: !isElsewhere($0)) }
  }

  /// Prepares them; gives those in which it failed, and why.
  mutating func prepare() -> [(mailbox: OpenMailbox, failure: SystemError)] {
    let tree = tree
    perform { (item) throws(SystemError) in
      guard item.mailbox.local.isMissing else { return Unflushed() }
      return try tree.beginCreating(item.mailbox.mailbox.directory)
    }
    perform { (item) throws(SystemError) in try Self.write(&item, tree) }
    perform { (item) throws(SystemError) in
      guard let marker = item.marker else { return Unflushed() }
      try marker.place()
      item.marker = nil
      return Unflushed(directory: item.mailbox.directory)
    }
    perform { (item) throws(SystemError) in
      guard let map = item.map else { return Unflushed() }
      try map.place()
      return Unflushed(directory: map.path.parent)
    }
    perform { (item) throws(SystemError) in
      guard item.map.take() != nil else { return Unflushed() }
      try item.mailbox.journal.beginWithPlacedMap()
      return Unflushed()
    }
    return items.compactMap { item in item.failure.map { (item.mailbox, $0) } }
  }

  private static func write(_ item: inout Item, _ tree: FolderTree) throws(SystemError) -> Unflushed
  {
    let mailbox = item.mailbox
    var changes = Unflushed()
    if mailbox.local.isMissing { changes = try tree.endCreating(mailbox.mailbox.directory) }
    try MaildirCommit.removeLeftovers(in: mailbox.directory, mailbox: mailbox.mailbox.id)
    if item.isMarked {
      item.marker = try OwnershipMarker(mailbox.directory).draft(of: mailbox.mailbox.id)
    }
    item.map = try mailbox.journal.draftFirstMap()
    for draft in [item.marker, item.map].compactMap({ $0 }) { changes.add(file: draft.temporary) }
    return changes
  }

  /// Does a step, and makes durable what it changed.
  private mutating func perform(_ step: (inout Item) throws(SystemError) -> Unflushed) {
    var changes: [Unflushed] = []
    for index in items.indices {
      guard items[index].failure == nil else {
        changes.append(Unflushed())
        continue
      }
      do throws(SystemError) {
        changes.append(try step(&items[index]))
      } catch {
        changes.append(Unflushed())
        fail(index, error)
      }
    }
    for (index, error) in Unflushed.flush(changes).enumerated() {
      if let error { fail(index, error) }
    }
  }

  /// Nothing is left beside the places of a mailbox in which it failed.
  private mutating func fail(_ index: Int, _ error: SystemError) {
    items[index].failure = items[index].failure ?? error
    items[index].marker.take()?.discard()
    items[index].map.take()?.discard()
  }
}
