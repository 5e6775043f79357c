internal import MailModel
internal import MailStore
internal import Maildir
internal import Octets
internal import Platform
internal import SyncPlan
internal import SyncState

/// Files that were moved out of the folders of mailboxes which the server no longer has.
///
/// Before the mailbox was removed, the messages may have been moved there too. What is on record of them tells that the files
/// are no new ones, until the mailboxes they lie in were looked at.
struct MovedFiles {
  private let context: FolderContext

  init(_ context: FolderContext) {
    self.context = context
  }

  /// Whether the step gives up the record of such a mailbox, and files that are on record are not in its folder.
  ///
  /// True where that cannot be told.
  func mayBeOf(_ step: FolderStep, _ listing: ServerListing) -> Bool {
    guard let mailbox = Self.mailbox(givenUpBy: step),
      listing[mailbox.name]?.isSelectable != true
    else { return false }
    return mayBe(of: mailbox, step.directory)
  }

  /// Whether files that are on record of a mailbox which the server no longer has are not in its folder.
  ///
  /// True where that cannot be told.
  func mayBe(of mailbox: KnownMailbox, _ directory: [UInt8]) -> Bool {
    guard context.rules.pushes else { return false }
    do throws(SystemError) {
      return try isAnyMissing(mailbox, directory)
    } catch {
      return true
    }
  }

  /// The messages on record of a mailbox whose files lie where this run does not look, as far as names tell; nil where that
  /// cannot be told.
  func outOfSight(_ state: MailboxState) throws(SyncFailure) -> Set<UInt32>? {
    guard !state.messages.isEmpty else { return [] }
    return try attempt { () throws(SystemError) in
      let names = OctetSet(state.messages.values.map(\.name))
      guard let places = try NameSearch(context.trees).places(of: names) else { return nil }
      let seen = Set(try context.tree.maildirs().maildirs.filter(isSeen).map(context.tree.path))
      return Set(
        places.compactMap { name, directories in
          directories.allSatisfy(seen.contains) ? nil : state.uid(of: name)
        }
      )
    }
  }

  /// Whether the mailbox of a Maildir takes part in the run.
  private func isSeen(_ directory: [UInt8]) -> Bool {
    context.isWanted(context.tree.naming.name(of: directory))
  }

  private static func mailbox(givenUpBy step: FolderStep) -> KnownMailbox? {
    switch step {
    case .forget(let mailbox), .removeHere(let mailbox, _), .detach(let mailbox, _): mailbox
    case .clearMarker, .renameHere, .renameThere, .removeThere, .makeThere, .detachUnrecorded,
      .keepHere, .keepThere, .leave, .refuse:
      nil
    }
  }

  private func isAnyMissing(_ mailbox: KnownMailbox, _ directory: [UInt8]) throws(SystemError)
    -> Bool
  {
    guard let state = try context.store.state(of: mailbox.id), !state.messages.isEmpty else {
      return false
    }
    guard let scan = try MaildirScan.scanIfPresent(context.tree.path(of: directory)) else {
      return true
    }
    return state.messages.values.contains { !isIn(scan, $0.name) }
  }

  /// Under its own name, or under that which a run gave it that was ended before it had detached the folder.
  private func isIn(_ scan: MaildirScan, _ base: [UInt8]) -> Bool {
    scan.files.contains(base: base) || scan.files.contains(base: DetachedName.base(base))
  }
}
