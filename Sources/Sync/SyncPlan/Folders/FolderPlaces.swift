package import MailModel
internal import Octets

/// Where the folders of mailboxes are.
package struct FolderPlaces {
  /// Where one mailbox's folder is.
  package enum Place: Hashable, Sendable {
    /// Where the record has it, with its marker.
    case inPlace
    /// Elsewhere, with its marker.
    case elsewhere([UInt8])
    /// Another folder, without a marker, stands where the record has it.
    case replaced
    /// Another mailbox's folder stands where the record has it.
    case taken
    /// There is none.
    case missing
  }

  /// All folders, by their directories.
  package let folders: [[UInt8]: FoundFolder]

  private let owned: [UInt64: [UInt8]]
  private let recorded: Set<UInt64>

  /// Folders of which no two bear the same marker, beside the mailboxes on record.
  package init(_ found: [FoundFolder], _ known: some Collection<KnownMailbox>) {
    folders = found.keyed(by: \.directory)
    owned = Dictionary(
      first: found.compactMap { folder in folder.owner.map { ($0, folder.directory) } }
    )
    recorded = Set(known.map(\.id))
  }

  /// Where the folder of a mailbox is.
  package func place(of mailbox: KnownMailbox) -> Place {
    if let directory = owned[mailbox.id] {
      return directory == mailbox.directory ? .inPlace : .elsewhere(directory)
    }
    guard let folder = folders[mailbox.directory] else { return .missing }
    return isOwned(folder) ? .taken : .replaced
  }

  /// The directory of the mailbox's folder; nil where it has none.
  package func directory(of mailbox: KnownMailbox) -> [UInt8]? {
    switch place(of: mailbox) {
    case .inPlace, .replaced: mailbox.directory
    case .elsewhere(let directory): directory
    case .taken, .missing: nil
    }
  }

  /// Whether a mailbox on record owns the folder.
  package func isOwned(_ folder: FoundFolder) -> Bool {
    folder.owner.map(recorded.contains) ?? false
  }

  /// The folders that no mailbox on record owns, with the ids that their markers name; 0 where there is none.
  package var free: [[UInt8]: UInt64] {
    folders.filter { !isOwned($0.value) }.mapValues { $0.owner ?? 0 }
  }
}

/// A Maildir below an account's root.
package struct FoundFolder: Hashable, Sendable {
  /// What tells an original from its copy.
  package struct Traits: Hashable, Sendable {
    /// The directory `cur`; nil where it cannot be looked at.
    package let cur: FileIdentity?
    /// When the marker was last changed, in nanoseconds since 1970: a rename of the folder leaves it as it is.
    package let marked: Int64

    package init(cur: FileIdentity?, marked: Int64) {
      self.cur = cur
      self.marked = marked
    }
  }

  /// Relative to the root.
  package let directory: [UInt8]
  /// The id of the mailbox that it was marked for; nil where it bears no marker, or one that is another folder's.
  package var owner: UInt64?
  /// Whether its marker came with a copy of another folder, so that it says nothing.
  package var isCopy = false
  /// Whether names of files show that some tool synced them.
  package var wasSynced = false
  /// Whether files bear keys of the mailbox that it was marked for, which is not on record: they were on the server.
  package var holdsOwn = false
  /// Whether its mailbox was removed on the server and all of its files are detached, so that no mailbox is made for it.
  package var isDetached = false

  package init(directory: [UInt8], owner: UInt64? = nil) {
    self.directory = directory
    self.owner = owner
  }
}
