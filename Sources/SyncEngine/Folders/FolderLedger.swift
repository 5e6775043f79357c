internal import IMAP
internal import Maildir
internal import Octets

/// Tells the observer what happens to folders.
struct FolderLedger {
  private let context: AccountContext

  init(_ context: AccountContext) {
    self.context = context
  }

  /// A step was done; in a dry run, it would be.
  func announce(_ step: FolderStep) {
    switch step {
    case .makeThere(_, let path): tell(path, .made(.server))
    case .renameThere(let entry, _, let path): tell(path, .renamed(.server, from: name(entry)))
    case .renameHere(let entry, _, let directory):
      tell(context.tree.components(of: directory) ?? [], .renamed(.local, from: name(entry)))
    case .removeThere(let entry): tell(entry, .removed(.server))
    case .removeHere(let entry): tell(entry, .removed(.local))
    case .forget: break
    case .leave(let directory):
      let path = context.tree.path(of: directory)
      report(context.tree.components(of: directory) ?? [], .mailbox(.unknownFolder(path)))
    }
  }

  /// Something did not work out.
  func report(_ path: [[UInt8]], _ failure: SyncFailure) {
    context.report(.problem(mailbox: display(path), failure))
  }

  private func tell(_ path: [[UInt8]], _ change: FolderChange) {
    context.report(.folder(mailbox: display(path), change))
  }

  private func tell(_ entry: Summary.Entry, _ change: FolderChange) {
    context.report(.folder(mailbox: name(entry), change))
  }

  private func name(_ entry: Summary.Entry) -> String {
    display(context.tree.components(of: entry.header.directory) ?? [])
  }

  private func display(_ path: [[UInt8]]) -> String {
    Printable.text(Array(path.joined(separator: [ASCII.slash])))
  }
}
