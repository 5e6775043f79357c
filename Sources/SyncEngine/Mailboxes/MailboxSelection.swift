internal import Configuration
internal import IMAP
internal import MailModel
internal import Maildir
internal import Octets
internal import SyncPlan

/// Decides which of the server's mailboxes are mirrored, and where: a pure function.
struct MailboxSelection {
  /// What decides.
  struct Rules {
    var settings: SyncSettings
    var roles: [MailboxRole: [UInt8]]
    /// Patterns of the command line; empty means all.
    var only: [MailboxPattern]
    var tree: FolderTree
    /// The Maildirs that no mailbox on record has, relative to the root, with the ids that their marks name; only
    /// mailboxes without an entry ask for them.
    var existing: [[UInt8]: UInt64] = [:]
    /// Gives a new mailbox its id.
    var makeID: () -> UInt64
  }

  /// In the order of work: INBOX, then by name.
  private(set) var mailboxes: [MirroredMailbox] = []
  /// Mailboxes that cannot be mirrored.
  private(set) var problems: [(mailbox: String, problem: MailboxProblem)] = []

  /// The directories of mailboxes that have an entry.
  private let recorded: Set<[UInt8]>
  /// Those, and all that by their names are a mailbox's own or were chosen for one.
  private var taken: Set<[UInt8]> = []
  /// The ids of all mailboxes.
  private var ids: Set<UInt64>

  init(
    _ entries: [ListEntry],
    status: [MailboxName: MailboxStatus],
    known: [[UInt8]: Summary.Entry],
    rules: Rules
  ) {
    let finder = RoleFinder(entries, configured: rules.roles)
    var seen: Set<MailboxName> = []
    recorded = Set(known.values.map(\.header.directory))
    ids = Set(known.values.map(\.header.id))
    taken = DirectoryChoice(tree: rules.tree, existing: [:]).ownDirectories(entries).union(recorded)
    for entry in entries where seen.insert(entry.name).inserted {
      let path = MailboxPath(entry.name, delimiter: entry.delimiter)
      let role = finder.role(of: entry)
      guard entry.isSelectable, Self.isWanted(entry, path, rules) else { continue }
      take(entry, path, role, status[entry.name], known[entry.name.wire], rules)
    }
    refuseSharedDirectories(rules.tree)
    mailboxes.sort { Self.precedes($0, $1) }
  }

  private mutating func take(
    _ entry: ListEntry,
    _ path: MailboxPath,
    _ role: MailboxRole?,
    _ status: MailboxStatus?,
    _ known: Summary.Entry?,
    _ rules: Rules
  ) {
    let choice = DirectoryChoice(tree: rules.tree, existing: rules.existing)
    let directory = known?.header.directory ?? choice.directory(for: path, taken: taken)
    guard let directory,
      rules.tree.naming.components(of: directory) != nil || DirectoryChoice.isSafe(directory)
    else {
      return problems.append((path.display, .unusableName))
    }
    guard known != nil || !recorded.contains(directory) else {
      return problems.append((path.display, .directoryTaken(rules.tree.path(of: directory))))
    }
    taken.insert(directory)
    mailboxes.append(
      MirroredMailbox(
        name: entry.name,
        path: path,
        role: role,
        directory: directory,
        id: known?.header.id ?? newID(directory, rules),
        status: status,
        entry: known
      )
    )
  }

  /// The one that the directory's mark names where no mailbox has it, since its files may bear it in their names.
  private mutating func newID(_ directory: [UInt8], _ rules: Rules) -> UInt64 {
    let marked = rules.existing[directory] ?? 0
    if marked != 0, ids.insert(marked).inserted { return marked }
    var id = rules.makeID()
    while !ids.insert(id).inserted { id = rules.makeID() }
    return id
  }

  /// Views double every message that lives elsewhere, so the user has to ask for them.
  private static func isWanted(
    _ entry: ListEntry,
    _ path: MailboxPath,
    _ rules: Rules
  ) -> Bool {
    let name = path.joined
    if !rules.only.isEmpty, !rules.only.contains(where: { $0.matches(name) }) { return false }
    if isView(entry), !rules.settings.allMail { return false }
    return rules.settings.selects(name)
  }

  /// Whether the mailbox only shows messages of others again.
  static func isView(_ entry: ListEntry) -> Bool {
    entry.has("\\All") || entry.has("\\Important") || entry.has("\\Flagged")
  }

  private mutating func refuseSharedDirectories(_ tree: FolderTree) {
    let shared = Dictionary(grouping: mailboxes, by: \.directory).filter { $0.value.count > 1 }
    for mailbox in mailboxes where shared[mailbox.directory] != nil {
      problems.append(
        (mailbox.path.display, .directoryTaken(tree.path(of: mailbox.directory)))
      )
    }
    mailboxes.removeAll { shared[$0.directory] != nil }
  }

  private static func precedes(_ left: MirroredMailbox, _ right: MirroredMailbox) -> Bool {
    if left.name.isInbox != right.name.isInbox { return left.name.isInbox }
    return left.path.joined.lexicographicallyPrecedes(right.path.joined)
  }
}
