package import MailModel
internal import Octets

/// One thing to be done to a mailbox or folder as a whole.
package enum FolderStep: Hashable, Sendable {
  /// Take away a marker that came with a copy of another folder.
  case clearMarker(directory: [UInt8])
  /// Rename a folder as its mailbox was renamed; nil where it has none.
  case renameHere(KnownMailbox, name: MailboxName, from: [UInt8]?, directory: [UInt8])
  /// Rename a mailbox as its folder was renamed.
  case renameThere(KnownMailbox, directory: [UInt8], path: [[UInt8]])
  /// Drop the record of a mailbox that is gone on both sides, or whose folder was given up for it.
  case forget(KnownMailbox)
  /// Remove a folder whose mailbox was removed.
  case removeHere(KnownMailbox, directory: [UInt8])
  /// Remove a mailbox whose folder was removed.
  case removeThere(KnownMailbox)
  /// Make a mailbox for a folder that is only here.
  case makeThere(directory: [UInt8], path: [[UInt8]])
  /// Keep a folder whose mailbox was removed, with all that is in it, and drop the record of the mailbox.
  case detach(KnownMailbox, directory: [UInt8])
  /// Keep a folder whose mailbox neither the server nor a record has, with all that is in it.
  case detachUnrecorded(owner: UInt64, directory: [UInt8])
  /// Leave a folder whose mailbox the server has no more.
  case keepHere(KnownMailbox, directory: [UInt8])
  /// Leave a mailbox whose folder was renamed, which the server is not to follow.
  case keepThere(KnownMailbox, directory: [UInt8])
  /// A folder that some tool synced stands under a name that no mailbox has: whose it is cannot be told.
  case leave(directory: [UInt8])
  /// A folder of which no mailbox can be made.
  case refuse(directory: [UInt8], FolderObstacle)

  /// The folder that the step is about, or stood.
  package var directory: [UInt8] {
    switch self {
    case .clearMarker(let directory), .renameHere(_, _, _, let directory),
      .renameThere(_, let directory, _), .removeHere(_, let directory),
      .makeThere(let directory, _), .detach(_, let directory),
      .detachUnrecorded(_, let directory),
      .keepHere(_, let directory), .keepThere(_, let directory),
      .leave(let directory), .refuse(let directory, _):
      directory
    case .forget(let mailbox), .removeThere(let mailbox): mailbox.directory
    }
  }
}

/// Why no mailbox is made of a folder.
package enum FolderObstacle: Hashable, Sendable {
  /// The layout of the account has no name for it.
  case noName
  /// A level of its name begins with a dot.
  case hidden
  /// Its name is that of the inbox, in other letters.
  case inboxSpelling
  /// A mailbox of its name exists, which has another folder.
  case nameExists
  /// The server calls the mailbox that it made something else.
  case otherName
}

/// The place where a folder stands while others change places with it, relative to the root.
package enum FolderHalt {
  private static let prefix = Array(".magnum-moving-".utf8)

  /// The place for the folder of a mailbox.
  package static func directory(for mailbox: UInt64) -> [UInt8] {
    prefix + Hex.digits(mailbox)
  }

  /// Whether a directory is such a place.
  package static func isOne(_ directory: [UInt8]) -> Bool {
    directory.starts(with: prefix)
  }
}

/// Orders renames so that each finds its new name free.
enum FolderOrder {
  /// One rename.
  struct Move<Name: Hashable, Item> {
    var item: Item
    /// What it gives up.
    var from: Name
    var to: Name
  }

  /// The moves in an order in which no name is taken twice, and those that only change names with each other.
  static func ordered<Name: Hashable, Item>(
    _ moves: [Move<Name, Item>]
  ) -> (ordered: [Move<Name, Item>], circular: [Move<Name, Item>]) {
    var waiting = moves
    var ordered: [Move<Name, Item>] = []
    while let next = waiting.indices.first(where: { isFree($0, waiting) }) {
      ordered.append(waiting.remove(at: next))
    }
    return (ordered, waiting)
  }

  private static func isFree<Name: Hashable, Item>(
    _ index: Int,
    _ moves: [Move<Name, Item>]
  ) -> Bool {
    moves.indices.allSatisfy { $0 == index || moves[$0].from != moves[index].to }
  }
}
