import MailModel
import Maildir
import Platform
import TestSupport
import Testing

@testable import Folders

/// The folder of a mailbox gets another place, and no other folder ever gives way to it.
@Suite struct FolderMoveTests {
  private let folder: TempDirectory
  private var source: Path { Path(folder["Work"]) }
  private var target: Path { Path(folder["Past/Work"]) }

  init() throws { folder = try TempDirectory("move") }

  /// Whose folder stands in the old and in the new place, 0 for none, and what comes of a move of that of mailbox 1.
  @Test(arguments: [
    (1, 0, true, 0, 1), (1, 2, false, 1, 2), (1, 1, true, 1, 1), (0, 1, true, 0, 1),
    (0, 2, false, 0, 2), (0, 0, false, 0, 0),
  ])
  func moves(_ old: UInt64, _ new: UInt64, _ isMoved: Bool, _ here: UInt64, _ there: UInt64) throws
  {
    for (owner, path) in [(old, source), (new, target)] where owner != 0 {
      try FileSystem.makeDirectories(path)
      try OwnershipMarker(path).set(owner)
    }
    #expect(try FolderMove(source, target).renameFolder(markedAs: 1) == isMoved)
    #expect(try OwnershipMarker(source).owner() ?? 0 == here)
    #expect(try OwnershipMarker(target).owner() ?? 0 == there)
  }

  /// A folder that nothing tells the owner of stays as well.
  @Test func aFolderWithoutAMarkerStays() throws {
    for path in [source, target] { try FileSystem.makeDirectories(path) }
    try OwnershipMarker(source).set(1)
    #expect(try !FolderMove(source, target).renameFolder(markedAs: 1))
    #expect(try OwnershipMarker(source).owner() == 1)
  }

  /// A run may look at all mailboxes only where none is withheld, and none came that no one has seen.
  @Test func whatIsWithheldIsNotSeen() {
    var outcome = FolderSync.Outcome()
    #expect(outcome.isComplete && outcome.seesAll)
    outcome.withhold(7, as: nil)
    #expect(!outcome.isComplete && !outcome.seesAll)
    #expect(outcome.withheld == [7] && outcome.withheldNames.isEmpty)
    outcome.withhold(8, as: MailboxName(wire: Array("A".utf8)))
    #expect(outcome.withheldNames == [MailboxName(wire: Array("A".utf8))])
    var unseen = FolderSync.Outcome()
    unseen.hasUnseen = true
    #expect(unseen.isComplete && !unseen.seesAll)
  }
}
