package import MailModel
internal import Octets

/// Decides what is to be done to mailboxes and folders as a whole: a pure function.
///
/// A folder's marker tells its rename from a removal, a mailbox's UIDVALIDITY does on the server. What policy does not
/// allow stays as it is, and a step says so wherever mail that comes to it would be skipped.
package struct FolderPlan {
  /// What is allowed of one mailbox and its folder.
  package struct Sides: Sendable {
    /// Where they may be made.
    package var creates: FolderSide
    /// Where they may be removed.
    package var removes: FolderSide
    /// Whether the folder stays, detached, where the server has the mailbox no more.
    package var keepsFolders: Bool

    package init(creates: FolderSide, removes: FolderSide, keepsFolders: Bool) {
      self.creates = creates
      self.removes = removes
      self.keepsFolders = keepsFolders
    }
  }

  /// What decides.
  package struct Rules {
    /// What is allowed of a mailbox of that name and its folder.
    package var sides: ([UInt8]) -> Sides
    package var naming: FolderNaming
    /// What mailboxes are called here, and what they were in the last run.
    package var names: (now: MailboxNames, former: MailboxNames)
    /// Folders that earlier runs left to a person, see ``FolderPlan/left``.
    package var left: Set<[UInt8]>
    /// Whether it is lost which folders earlier runs left to a person.
    package var hasForgotten: Bool
    /// Whether the server may be changed.
    package var isWriting: Bool
    /// Whether a mailbox of that name takes part in the run.
    package var isWanted: ([UInt8]) -> Bool

    package init(
      sides: @escaping ([UInt8]) -> Sides,
      naming: FolderNaming,
      names: (now: MailboxNames, former: MailboxNames) = (.plain, .plain),
      left: Set<[UInt8]> = [],
      hasForgotten: Bool = false,
      isWriting: Bool,
      isWanted: @escaping ([UInt8]) -> Bool
    ) {
      self.sides = sides
      self.naming = naming
      self.names = names
      self.left = left
      self.hasForgotten = hasForgotten
      self.isWriting = isWriting
      self.isWanted = isWanted
    }
  }

  /// In the order of execution.
  package private(set) var steps: [FolderStep] = []
  /// The folders that some tool synced and that stand for no mailbox of the server.
  ///
  /// Whose they are cannot be told, and what they hold was on a server. They are left until a person renames or removes them, or the server has a mailbox of their name.
  package private(set) var left: Set<[UInt8]> = []

  private let rules: Rules
  private let here: FolderPlaces
  private let known: [KnownMailbox]
  private let renamed: [UInt64: MailboxName]
  private let naming: MailboxNaming
  /// The directories of mailboxes that were renamed on the server.
  private var directories: [MailboxName: [UInt8]] = [:]
  private let listed: [MailboxName: Listed]

  /// A mailbox that the server lists.
  private struct Listed {
    let mailbox: ServerMailbox
    let directory: [UInt8]
    var path: MailboxPath { mailbox.path }
  }

  private typealias There = FolderOrder.Move<MailboxName, FolderStep>

  /// A plan for what was listed and found; `renamed` has the names of mailboxes that the server renamed.
  package init(
    _ mailboxes: [ServerMailbox],
    known: [KnownMailbox],
    folders: [FoundFolder],
    renamed: [UInt64: MailboxName],
    rules: Rules
  ) {
    self.rules = rules
    self.renamed = renamed
    here = FolderPlaces(folders, known)
    naming = MailboxNaming(mailboxes, rules.names.now)
    self.known = known.sorted { $0.name.wire.lexicographicallyPrecedes($1.name.wire) }
    listed = Self.listed(mailboxes, known, here, rules.naming)
    steps = folders.filter(\.isCopy).map { .clearMarker(directory: $0.directory) }
    planKnown()
    planNew(folders)
  }

  private static func listed(
    _ mailboxes: [ServerMailbox],
    _ known: [KnownMailbox],
    _ here: FolderPlaces,
    _ naming: FolderNaming
  ) -> [MailboxName: Listed] {
    var listed: [MailboxName: Listed] = [:]
    // A folder that another tool made under its own spelling is the mailbox's, and no new one.
    let choice = DirectoryChoice(naming: naming, existing: here.free)
    var taken = DirectoryChoice.ownDirectories(mailboxes, naming)
    taken.formUnion(known.map(\.directory))
    let recorded = Dictionary(first: known.map { ($0.name, $0.directory) })
    for mailbox in mailboxes where mailbox.isSelectable {
      let directory = recorded[mailbox.name] ?? choice.directory(for: mailbox, taken: taken)
      guard let directory else { continue }
      taken.insert(directory)
      listed[mailbox.name] = Listed(mailbox: mailbox, directory: directory)
    }
    return listed
  }

  // MARK: Mailboxes on record

  private mutating func planKnown() {
    var movesThere: [There] = []
    var others: [FolderStep] = []
    for entry in known {
      let place = here.place(of: entry)
      if let name = renamed[entry.id], let target = listed[name]?.directory {
        if let move = planRenamed(entry, place, name, target) { movesThere.append(move) }
      } else if listed[entry.name] == nil {
        others.append(stepForGone(entry, place))
      } else if let target = newDirectory(of: entry, place) {
        steps.append(
          .renameHere(
            entry,
            name: entry.name,
            from: here.directory(of: entry),
            directory: target
          )
        )
        directories[entry.name] = target
      } else if case .elsewhere(let directory) = place {
        if let step = moveBack(entry, directory) {
          steps.append(step)
        } else if isOwnName(directory, of: entry) {
          // It was renamed after its mailbox, which it had not followed.
          steps.append(
            .renameHere(entry, name: entry.name, from: directory, directory: directory)
          )
          directories[entry.name] = directory
        } else if let move = moveThere(entry, directory) {
          movesThere.append(move)
        } else {
          steps.append(.keepThere(entry, directory: directory))
        }
      } else if place == .missing, rules.isWriting, sides(of: entry).removes.includesRemote,
        isWanted(entry)
      {
        others.append(.removeThere(entry))
      }
    }
    planMovesThere(movesThere)
    steps += others
  }

  /// What becomes of a mailbox that the server has no more.
  private func stepForGone(_ entry: KnownMailbox, _ place: FolderPlaces.Place) -> FolderStep {
    let directory: [UInt8]
    let sides = sides(of: entry)
    switch place {
    case .replaced where sides.keepsFolders && isWanted(entry): directory = entry.directory
    // Without its marker a folder is a new one.
    case .missing, .replaced, .taken: return .forget(entry)
    case .inPlace: directory = entry.directory
    case .elsewhere(let other): directory = other
    }
    if sides.keepsFolders, isWanted(entry) { return .detach(entry, directory: directory) }
    return sides.removes.includesLocal && isWanted(entry)
      ? .removeHere(entry, directory: directory) : .keepHere(entry, directory: directory)
  }

  private func isWanted(_ entry: KnownMailbox) -> Bool { rules.isWanted(name(of: entry)) }

  private func sides(of entry: KnownMailbox) -> Sides { rules.sides(name(of: entry)) }

  private func name(of entry: KnownMailbox) -> [UInt8] {
    listed[entry.name]?.path.joined ?? rules.naming.name(of: entry.directory)
  }

  // MARK: Renamed on the server

  /// Has the folder follow its mailbox, where it may and finds its place free.
  ///
  /// Elsewhere it stays where it is and is the mailbox's under its new name: then the mailbox follows a folder that was
  /// renamed too, in the way that is returned.
  private mutating func planRenamed(
    _ entry: KnownMailbox,
    _ place: FolderPlaces.Place,
    _ name: MailboxName,
    _ target: [UInt8]
  ) -> There? {
    let source = here.directory(of: entry)
    let new = listed[name]?.path.joined ?? rules.naming.name(of: target)
    let isFollowing = source == target || rules.sides(new).creates.includesLocal
    if isFollowing, !target.isEmpty, isFree(target, for: entry) {
      steps.append(.renameHere(entry, name: name, from: source, directory: target))
      directories[name] = target
      return nil
    }
    var renamed = entry
    renamed.name = name
    renamed.directory = source ?? entry.directory
    let directory = renamed.directory
    steps.append(.renameHere(entry, name: name, from: source, directory: directory))
    directories[name] = directory
    guard case .elsewhere = place else { return nil }
    return moveThere(renamed, directory)
  }

  /// The new place of a folder whose mailbox is called otherwise here by now, as the configuration says; nil where it stays.
  ///
  /// A folder that another tool named in its own way keeps that name as long as the mailbox has the same one.
  private func newDirectory(of entry: KnownMailbox, _ place: FolderPlaces.Place) -> [UInt8]? {
    let isHalted = if case .elsewhere(let other) = place { FolderHalt.isOne(other) } else { false }
    guard place == .inPlace || place == .replaced || isHalted,
      let mailbox = listed[entry.name]?.mailbox,
      !entry.name.isInbox
    else { return nil }
    let former = rules.names.former.path(of: mailbox.serverPath)
    guard former != mailbox.path, let target = rules.naming.directory(for: mailbox.path.components),
      !DirectoryChoice.spellings(of: mailbox.path, rules.naming).contains(entry.directory)
    else { return nil }
    return target
  }

  /// Whether the folder of a mailbox may go there: nothing stands there, or it goes away too, or is the only folder that
  /// the mailbox can have.
  private func isFree(_ target: [UInt8], for entry: KnownMailbox) -> Bool {
    guard let occupant = here.folders[target] else { return true }
    guard let owner = occupant.owner, here.isOwned(occupant) else {
      let source = here.directory(of: entry)
      return source == nil || source == target
    }
    return owner == entry.id || renamed[owner] != nil
  }

  /// The way back of a folder that a killed run left half way.
  private func moveBack(_ entry: KnownMailbox, _ directory: [UInt8]) -> FolderStep? {
    let target = entry.directory
    guard FolderHalt.isOne(directory), here.folders[target] == nil else { return nil }
    return .renameHere(entry, name: entry.name, from: directory, directory: target)
  }

  // MARK: Renamed here

  /// Whether a directory is what the folder of a mailbox would be called that came today.
  private func isOwnName(_ directory: [UInt8], of entry: KnownMailbox) -> Bool {
    guard case .mailbox(let path) = rules.naming.meaning(of: directory) else { return false }
    return listed[entry.name]?.path.components == canonical(path)
  }

  /// The path of a mailbox, for either form of its name.
  private func canonical(_ path: [[UInt8]]) -> [[UInt8]] {
    let name = MailboxPath(components: path).joined
    let canonical = rules.names.now.canonical(name)
    return canonical == name ? path : MailboxPath(joined: canonical).components
  }

  /// The mailbox's way to its folder's new name; nil where it may not go there.
  private func moveThere(_ entry: KnownMailbox, _ directory: [UInt8]) -> There? {
    // RENAME of the inbox moves its mail and leaves it where it is.
    guard rules.isWriting, sides(of: entry).creates.includesRemote, !entry.name.isInbox,
      case .mailbox(let path) = rules.naming.meaning(of: directory), !Self.isLikeInbox(path),
      let name = naming.name(for: path)
    else { return nil }
    let step = FolderStep.renameThere(entry, directory: directory, path: path)
    return There(item: step, from: entry.name, to: name)
  }

  /// Names that exist are waited for where they are given up, and never taken.
  private mutating func planMovesThere(_ wanted: [There]) {
    var moves = wanted
    while let blocked = moves.firstIndex(where: { move in
      listed[move.to] != nil && !moves.contains { $0.from == move.to }
    }) {
      keepThere(moves.remove(at: blocked))
    }
    let (ordered, circular) = FolderOrder.ordered(moves)
    for move in circular { keepThere(move) }
    steps += ordered.map(\.item)
  }

  private mutating func keepThere(_ move: There) {
    // One that has its folder on record there is none the worse.
    guard case .renameThere(let entry, let directory, _) = move.item,
      directory != entry.directory
    else { return }
    steps.append(.keepThere(entry, directory: directory))
  }

  /// Whether servers would take the name for the inbox, or for something below it, though it is written otherwise.
  private static func isLikeInbox(_ path: [[UInt8]]) -> Bool {
    path[0].equalsCaseless("INBOX") && !path[0].elementsEqual("INBOX".utf8)
  }

  // MARK: New here

  private mutating func planNew(_ found: [FoundFolder]) {
    var kept: Set<[UInt8]> = []
    var names = Set(listed.values.map(\.path.components))
    let leaving = Set(
      steps.compactMap { if case .renameThere(let entry, _, _) = $0 { entry.name } else { nil } }
    )
    for (name, place) in listed where !leaving.contains(name) {
      kept.insert(directories[name] ?? place.directory)
    }
    for case .detach(_, let directory) in steps { kept.insert(directory) }
    for name in leaving { if let path = listed[name]?.path { names.remove(path.components) } }
    let others = found.filter {
      !here.isOwned($0) && !$0.isDetached && !kept.contains($0.directory)
    }
    left = Set(others.filter(isLeft).map(\.directory))
    guard rules.isWriting else { return }
    for folder in others {
      if let step = stepForNew(folder, &names) { steps.append(step) }
    }
  }

  /// Whether a folder that stands for no mailbox of the server is left to a person.
  private func isLeft(_ folder: FoundFolder) -> Bool {
    guard case .mailbox(let path) = rules.naming.meaning(of: folder.directory),
      !Self.isLikeInbox(path)
    else { return false }
    if rules.left.contains(folder.directory) { return true }
    // Under its first name here another tool may have meant any mailbox of the server by it.
    return known.isEmpty && (folder.wasSynced || folder.owner != nil)
      || rules.hasForgotten && folder.wasSynced
  }

  /// What becomes of a folder that stands for no mailbox of the server; nil where it takes no part in the run.
  private func stepForNew(_ folder: FoundFolder, _ names: inout Set<[[UInt8]]>) -> FolderStep? {
    let directory = folder.directory
    let sides = rules.sides(rules.naming.name(of: directory))
    guard sides.creates.includesRemote, rules.isWanted(rules.naming.name(of: directory)) else {
      return nil
    }
    switch rules.naming.meaning(of: directory) {
    case .noName: return .refuse(directory: directory, .noName)
    case .hidden: return .refuse(directory: directory, .hidden)
    case .mailbox(let path):
      if Self.isLikeInbox(path) { return .refuse(directory: directory, .inboxSpelling) }
      // Records were lost, and what was on the server is not to go there again.
      if !known.isEmpty, sides.keepsFolders, folder.holdsOwn, let owner = folder.owner {
        return .detachUnrecorded(owner: owner, directory: directory)
      }
      if left.contains(directory) { return .leave(directory: directory) }
      guard names.insert(canonical(path)).inserted else {
        return .refuse(directory: directory, .nameExists)
      }
      return .makeThere(directory: directory, path: path)
    }
  }
}
