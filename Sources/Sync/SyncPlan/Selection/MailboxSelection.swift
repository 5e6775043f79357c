package import MailModel

/// Decides which of the server's mailboxes are mirrored, and where.
package struct MailboxSelection {
  /// What decides.
  package struct Rules {
    private let roles: [MailboxRole: [UInt8]]
    fileprivate let naming: FolderNaming
    private let includesViews: Bool
    private let isWanted: ([UInt8]) -> Bool
    fileprivate let existing: [[UInt8]: UInt64]
    fileprivate let makeID: () -> UInt64

    /// The rules of an account.
    ///
    /// - Parameters:
    ///   - roles: mailboxes by configuration, with slashes between the levels.
    ///   - naming: how directories are named.
    ///   - includesViews: whether mailboxes that only show messages of others are mirrored.
    ///   - isWanted: whether configuration and command line choose the mailbox of that name.
    ///   - existing: the Maildirs that no mailbox on record has, relative to the root, with the ids that their markers
    ///     name; 0 where there is none. Only mailboxes without a record ask for them.
    ///   - makeID: gives a new mailbox its id.
    package init(
      roles: [MailboxRole: [UInt8]],
      naming: FolderNaming,
      includesViews: Bool,
      isWanted: @escaping ([UInt8]) -> Bool,
      existing: [[UInt8]: UInt64],
      makeID: @escaping () -> UInt64
    ) {
      self.roles = roles
      self.naming = naming
      self.includesViews = includesViews
      self.isWanted = isWanted
      self.existing = existing
      self.makeID = makeID
    }

    fileprivate func finder(_ mailboxes: [ServerMailbox]) -> RoleFinder {
      RoleFinder(mailboxes, configured: roles)
    }

    /// Views double every message that lives elsewhere, so the user has to ask for them.
    fileprivate func select(_ mailbox: ServerMailbox) -> Bool {
      mailbox.isSelectable && (includesViews || !mailbox.isView) && isWanted(mailbox.path.joined)
    }
  }

  /// Where a mailbox is mirrored.
  package struct Place: Hashable, Sendable {
    /// The mailbox's own id.
    package let id: UInt64
    /// The Maildir, relative to the account's root.
    package let directory: [UInt8]

    package init(id: UInt64, directory: [UInt8]) {
      self.id = id
      self.directory = directory
    }
  }

  /// A mailbox that is mirrored.
  package struct Choice: Hashable, Sendable {
    /// The mailbox, as the server lists it.
    package let mailbox: ServerMailbox
    /// What it is for; nil for an ordinary one.
    package let role: MailboxRole?
    /// Where it is mirrored.
    package let place: Place

    package init(mailbox: ServerMailbox, role: MailboxRole?, place: Place) {
      (self.mailbox, self.role, self.place) = (mailbox, role, place)
    }
  }

  /// Why a mailbox cannot be mirrored.
  package enum Obstacle: Hashable, Sendable {
    /// No folder can be made of its name.
    case unusableName
    /// The Maildir, relative to the root, is another mailbox's.
    case directoryTaken([UInt8])
  }

  /// In the order of work: INBOX, then by name.
  package private(set) var choices: [Choice] = []
  /// The mailboxes that cannot be mirrored.
  package private(set) var refusals: [(mailbox: MailboxPath, obstacle: Obstacle)] = []

  private let rules: Rules
  /// The directories of mailboxes that are on record.
  private let recorded: Set<[UInt8]>
  /// Those, and all that by their names are a mailbox's own or were chosen for one.
  private var taken: Set<[UInt8]>
  private var ids: Set<UInt64>

  /// Chooses among the mailboxes of a server; `known` are those on record, by their names on the wire.
  package init(_ mailboxes: [ServerMailbox], known: [[UInt8]: Place], rules: Rules) {
    self.rules = rules
    recorded = Set(known.values.map(\.directory))
    ids = Set(known.values.map(\.id))
    taken = DirectoryChoice.ownDirectories(mailboxes, rules.naming).union(recorded)
    let finder = rules.finder(mailboxes)
    var seen: Set<MailboxName> = []
    for mailbox in mailboxes where seen.insert(mailbox.name).inserted && rules.select(mailbox) {
      addMailbox(mailbox, finder.role(of: mailbox), known[mailbox.name.wire])
    }
    refuseSharedDirectories()
    choices.sort { Self.precedes($0.mailbox, $1.mailbox) }
  }

  private mutating func addMailbox(_ mailbox: ServerMailbox, _ role: MailboxRole?, _ known: Place?)
  {
    let choice = DirectoryChoice(naming: rules.naming, existing: rules.existing)
    guard let directory = known?.directory ?? choice.directory(for: mailbox, taken: taken),
      rules.naming.components(of: directory) != nil || DirectoryChoice.isSafe(directory)
    else { return refusals.append((mailbox.path, .unusableName)) }
    guard known != nil || !recorded.contains(directory) else {
      return refusals.append((mailbox.path, .directoryTaken(directory)))
    }
    taken.insert(directory)
    let place = known ?? Place(id: newID(directory), directory: directory)
    choices.append(Choice(mailbox: mailbox, role: role, place: place))
  }

  /// The one that the directory's marker names where no mailbox has it, since its files may bear it in their names.
  private mutating func newID(_ directory: [UInt8]) -> UInt64 {
    let marked = rules.existing[directory] ?? 0
    if marked != 0, ids.insert(marked).inserted { return marked }
    var id = rules.makeID()
    while !ids.insert(id).inserted { id = rules.makeID() }
    return id
  }

  private mutating func refuseSharedDirectories() {
    let shared = Dictionary(grouping: choices, by: \.place.directory).filter { $0.value.count > 1 }
    for choice in choices where shared[choice.place.directory] != nil {
      refusals.append((choice.mailbox.path, .directoryTaken(choice.place.directory)))
    }
    choices.removeAll { shared[$0.place.directory] != nil }
  }

  private static func precedes(_ left: ServerMailbox, _ right: ServerMailbox) -> Bool {
    if left.name.isInbox != right.name.isInbox { return left.name.isInbox }
    return left.path.joined.lexicographicallyPrecedes(right.path.joined)
  }
}
