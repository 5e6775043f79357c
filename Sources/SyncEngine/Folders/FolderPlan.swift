internal import Configuration
internal import IMAP
internal import Maildir
internal import Octets

/// Decides what is to be done to mailboxes and folders as a whole: a pure function.
///
/// A folder's mark and a mailbox's UIDVALIDITY tell a rename from a removal. What policy does not allow is
/// left as it is; what to say of it is up to those who go through the mailboxes afterwards.
struct FolderPlan {
  /// What decides.
  struct Rules {
    var settings: SyncSettings
    var tree: FolderTree
    /// Whether the server may be changed.
    var isWriting: Bool
    /// Whether a mailbox of that name takes part in the run.
    var isWanted: ([UInt8]) -> Bool
  }

  /// In the order of execution: what contains others comes first.
  private(set) var steps: [FolderStep] = []

  private let rules: Rules
  private let folders: [[UInt8]: FoundFolder]
  private let known: [Summary.Entry]
  private let listed: [MailboxName: (path: MailboxPath, directory: [UInt8])]

  init(
    _ listing: MailboxListing.Result,
    known: [[UInt8]: Summary.Entry],
    folders: [FoundFolder],
    rules: Rules
  ) {
    self.rules = rules
    self.folders = Dictionary(
      folders.map { ($0.directory, $0) },
      uniquingKeysWith: { first, _ in first }
    )
    self.known = known.values.sorted {
      $0.header.mailbox.lexicographicallyPrecedes($1.header.mailbox)
    }
    listed = Self.listed(listing.entries, known, folders, rules.tree)
    let renamed = planServerRenames(listing, known)
    planGone(except: renamed)
    planMissing(folders)
    planNew(folders)
  }

  private static func listed(
    _ entries: [ListEntry],
    _ known: [[UInt8]: Summary.Entry],
    _ folders: [FoundFolder],
    _ tree: FolderTree
  ) -> [MailboxName: (path: MailboxPath, directory: [UInt8])] {
    var listed: [MailboxName: (path: MailboxPath, directory: [UInt8])] = [:]
    let existing = Dictionary(
      folders.map { ($0.directory, $0.owner ?? 0) },
      uniquingKeysWith: { first, _ in first }
    )
    // A folder that another tool made under its own spelling is the mailbox's, and no new one.
    let choice = DirectoryChoice(tree: tree, existing: existing)
    var taken = choice.ownDirectories(entries).union(known.values.map(\.header.directory))
    for entry in entries where entry.isSelectable {
      let path = MailboxPath(entry.name, delimiter: entry.delimiter)
      let directory =
        known[entry.name.wire]?.header.directory
        ?? choice.directory(for: path, id: .max, taken: taken)
      guard let directory else { continue }
      taken.insert(directory)
      listed[entry.name] = (path, directory)
    }
    return listed
  }

  private func isListed(_ entry: Summary.Entry) -> Bool {
    listed[MailboxName(wire: entry.header.mailbox)] != nil
  }

  // MARK: Changed on the server

  /// A mailbox that is gone and a new one with the same UIDVALIDITY and no fewer UIDs are one, where there is no other.
  private mutating func planServerRenames(
    _ listing: MailboxListing.Result,
    _ known: [[UInt8]: Summary.Entry]
  ) -> Set<UInt64> {
    guard rules.settings.create.includesLocal else { return [] }
    var renamed: Set<UInt64> = []
    for entry in self.known where !isListed(entry) {
      let candidates = listing.status.values.filter {
        known[$0.name.wire] == nil && isSame($0, entry)
      }
      let rivals = self.known.filter {
        !isListed($0) && $0.header.validity == entry.header.validity
      }
      guard candidates.count == 1, rivals.count == 1, let name = candidates.first?.name,
        let place = listed[name], isFree(place.directory, for: entry)
      else { continue }
      steps.append(.renameHere(entry, name: name, directory: place.directory))
      renamed.insert(entry.header.id)
    }
    return renamed
  }

  private func isSame(_ status: MailboxStatus, _ entry: Summary.Entry) -> Bool {
    guard let uidNext = status.uidNext, let messages = status.messages else { return false }
    return status.uidValidity == entry.header.validity && uidNext >= entry.header.uidNext
      && (entry.messages == 0) == (messages == 0)
  }

  /// Whether the folder could stand there, or stands there already after a crash.
  private func isFree(_ directory: [UInt8], for entry: Summary.Entry) -> Bool {
    guard let found = folders[directory] else { return true }
    return found.owner == entry.header.id
  }

  private mutating func planGone(except renamed: Set<UInt64>) {
    for entry in known where !isListed(entry) && !renamed.contains(entry.header.id) {
      if !hasFolder(entry) {
        steps.append(.forget(entry))
      } else if rules.settings.remove.includesLocal {
        steps.append(.removeHere(entry))
      }
    }
  }

  /// Whether a folder is here that is the mailbox's by its place or by its mark.
  private func hasFolder(_ entry: Summary.Entry) -> Bool {
    folders[entry.header.directory] != nil
      || folders.values.contains { $0.owner == entry.header.id }
  }

  // MARK: Changed here

  private mutating func planMissing(_ found: [FoundFolder]) {
    guard rules.isWriting else { return }
    for entry in known where isListed(entry) && folders[entry.header.directory] == nil {
      let places = found.filter { $0.owner == entry.header.id }
      if places.count == 1, let path = rules.tree.components(of: places[0].directory) {
        guard rules.settings.create.includesRemote, !isDirectoryListed(places[0].directory)
        else { continue }
        steps.append(.renameThere(entry, directory: places[0].directory, path: path))
      } else if places.isEmpty, rules.settings.remove.includesRemote {
        steps.append(.removeThere(entry))
      }
    }
  }

  private mutating func planNew(_ found: [FoundFolder]) {
    guard rules.isWriting, rules.settings.create.includesRemote else { return }
    let owned = Set(known.map(\.header.directory))
    for folder in found where !owned.contains(folder.directory) {
      guard !isDirectoryListed(folder.directory),
        let path = rules.tree.components(of: folder.directory),
        rules.isWanted(Array(path.joined(separator: [ASCII.slash])))
      else { continue }
      if folder.owner != nil {
        // A mailbox that was renamed, or one that the server lost: nothing is made of it anew.
        continue
      }
      // Under its first name here another tool may have meant any mailbox of the server by it.
      if folder.wasSynced, known.isEmpty {
        steps.append(.leave(directory: folder.directory))
      } else {
        steps.append(.makeThere(directory: folder.directory, path: path))
      }
    }
  }

  private func isDirectoryListed(_ directory: [UInt8]) -> Bool {
    listed.values.contains { $0.directory == directory }
  }
}
