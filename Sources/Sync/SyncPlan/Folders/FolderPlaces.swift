import Octets

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
