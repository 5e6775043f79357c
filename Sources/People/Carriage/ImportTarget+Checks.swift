internal import Configuration
internal import Maildir
internal import MailModel
internal import Octets
internal import Platform
internal import SyncState
internal import Triage

// Places that are refused.
extension ImportTarget {
  /// Refuses the path of a Maildir that belongs to an account.
  static func checkOutside(
    _ path: Path,
    _ configuration: Configuration
  ) throws(Explanation) {
    var existing = path
    while (try? FileSystem.status(existing)) ?? nil == nil, existing != existing.parent {
      existing = existing.parent
    }
    if let kind = (try? FileSystem.status(existing)) ?? nil, kind.kind != .directory {
      throw Explanation(.cannotCreate, place: existing.display, "this is no directory")
    }
    let real = (try? FileSystem.realPath(existing)) ?? existing
    for account in configuration.accounts {
      let root = (try? FileSystem.realPath(account.maildir)) ?? account.maildir
      guard real.octets == root.octets || real.octets.starts(with: root.octets + [ASCII.slash])
      else { continue }
      throw Explanation(
        .data,
        place: path.display,
        "this directory belongs to the account '\(account.name)'",
        hint: "name the folder: --to \(account.name)/FOLDER"
      )
    }
  }

  /// Refuses a folder whose messages would stay here alone.
  func checkSynced(
    _ directory: [UInt8],
    _ name: [UInt8],
    isThere: Bool,
    _ account: Account,
    _ folders: AccountFolders
  ) throws(Explanation) {
    guard account.server != nil else { return }
    let shown = Printable.text(name, limit: 200)
    let settings = account.settings(ofFolder: directory)
    var reason: String?
    if try isDetached(directory) { reason = "lost its mailbox on the server and was kept" }
    if settings.direction == .pull { reason = "is only pulled" }
    if !account.sync.selects(folders.names.forms(of: tree.naming.name(of: directory))) {
      reason = "is not mirrored"
    }
    if !isThere, !settings.create.includesRemote {
      reason = "does not exist, and \"create\" does not allow to make its mailbox"
    }
    guard let reason else { return }
    throw Explanation(
      .data,
      place: account.name,
      "\(shown) \(reason), so that no sync would upload the messages",
      hint: "import to a Maildir by its path, then: magnum restore --to \(account.name) PATH"
    )
  }

  private func isDetached(_ directory: [UInt8]) throws(Explanation) -> Bool {
    do throws(SystemError) {
      return try OwnershipMarker(tree.path(of: directory)).isDetached()
    } catch {
      throw Explanation(.noInput, error.description)
    }
  }
}
