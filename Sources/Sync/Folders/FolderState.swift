internal import MailModel
internal import MailStore
internal import Maildir
internal import Octets
internal import SyncPlan

/// Tells the observer what happens to folders.
struct FolderState {
  private let context: FolderContext

  init(_ context: FolderContext) {
    self.context = context
  }

  /// A step was done; in a dry run, it would be.
  ///
  /// Gives whether nothing is left undone by it.
  @discardableResult
  func announce(_ step: FolderStep) -> Bool {
    switch step {
    case .clearMarker, .forget: return true
    case .makeThere(_, let path): tell(display(path), .made(.server))
    case .renameThere(let entry, _, let path):
      tell(display(path), .renamed(.server, from: name(entry.directory)))
    case .renameHere(let entry, let name, _, let directory):
      if directory != entry.directory {
        tell(self.name(directory), .renamed(.local, from: self.name(entry.directory)))
      } else if name != entry.name {
        let now = MailboxPath(name, delimiter: nil).display
        report(mailbox(entry), .renamedThere(now, folder: context.tree.path(of: directory)))
      }
    case .removeThere(let entry): tell(name(entry.directory), .removed(.server))
    case .removeHere(let entry, _): tell(name(entry.directory), .removed(.local))
    case .detach(_, let directory), .detachUnrecorded(_, let directory):
      tell(name(directory), .detached)
    case .keepHere(let entry, let directory):
      if isNamed(entry) {
        report(mailbox(entry), .goneFromServer(context.tree.path(of: directory)))
      }
      return !isNamed(entry)
    case .keepThere(let entry, let directory):
      if isNamed(entry) {
        report(mailbox(entry), .folderElsewhere(context.tree.path(of: directory)))
      }
      return !isNamed(entry)
    case .leave(let directory):
      report(name(directory), .unknownFolder(context.tree.path(of: directory)))
      return false
    case .refuse(let directory, let obstacle):
      report(name(directory), .folderRefused(context.tree.path(of: directory), obstacle))
      return false
    }
    return true
  }

  /// A mailbox for a folder could not be made or renamed.
  func report(_ path: [[UInt8]], _ failure: SyncFailure) {
    context.report(.problem(mailbox: display(path), failure))
  }

  /// A step failed.
  func report(_ step: FolderStep, _ failure: SyncFailure) {
    context.report(.problem(mailbox: name(step.directory), failure))
  }

  private func report(_ mailbox: String, _ problem: MailboxProblem) {
    context.report(.problem(mailbox: mailbox, .mailbox(problem)))
  }

  private func tell(_ mailbox: String, _ change: FolderChange) {
    context.report(.changed(mailbox: mailbox, change))
  }

  /// Whether the mailbox takes part in the run.
  private func isNamed(_ entry: KnownMailbox) -> Bool {
    context.isWanted(context.tree.naming.name(of: entry.directory))
  }

  private func mailbox(_ entry: KnownMailbox) -> String {
    name(entry.directory)
  }

  private func name(_ directory: [UInt8]) -> String {
    Printable.text(context.tree.naming.name(of: directory))
  }

  private func display(_ path: [[UInt8]]) -> String {
    Printable.text(Array(path.joined(separator: [ASCII.slash])))
  }
}
