package import Configuration
internal import Correspondence
package import MailModel
internal import Maildir
internal import Octets
package import Platform
internal import SyncState
internal import Triage

/// Where messages are brought in: a folder of an account, or a Maildir of no account.
package final class ImportTarget {
  /// The account; nil for a Maildir of none.
  package let account: Account?
  /// The root of the Maildirs.
  package let root: Path
  private let levels: [[UInt8]]
  private let folders: AccountFolders?
  private let tree: FolderTree
  private var known: [[[UInt8]]: ImportFolder] = [:]

  /// The place that `--to` names: `ACCOUNT/FOLDER`, or a path that begins with `/`, `~/`, `./` or `../`.
  ///
  /// - Throws: that there is no such account, or that it names no folder; that a path leads into the Maildirs of an account.
  package init(_ name: String, _ configuration: Configuration) throws(Explanation) {
    if let path = Self.path(name) {
      account = nil
      root = path
      levels = []
      folders = nil
      tree = FolderTree(root: path, layout: .verbatim)
      try Self.checkOutside(path, configuration)
      return
    }
    let parts = name.utf8.split(
      separator: ASCII.slash,
      maxSplits: 1,
      omittingEmptySubsequences: false
    )
    let word = String(decoding: parts[0], as: UTF8.self)
    guard let found = configuration.account(named: word) else {
      var unknown = Explanation(unknownAccount: word, known: configuration.accounts.map(\.name))
      unknown.hint = [unknown.hint, "the path of a Maildir begins with / or ./"].compactMap { $0 }
        .joined(separator: "; ")
      throw unknown
    }
    let levels = (parts.dropFirst().first ?? "".utf8[...]).split(separator: ASCII.slash)
      .map { [UInt8]($0) }
    guard !levels.isEmpty else {
      throw Explanation(
        .usage,
        place: name,
        "no folder is named",
        hint: "name one, such as \(word)/Archive; it is made where there is none"
      )
    }
    account = found
    root = found.maildir
    self.levels = levels
    let folders = AccountFolders(found)
    self.folders = folders
    tree = folders.tree
  }

  private static func path(_ name: String) -> Path? {
    if name.hasPrefix("~/") {
      return Environment.homeDirectory.appending([UInt8](name.utf8.dropFirst(2)))
    }
    guard ["/", "./", "../"].contains(where: { name.hasPrefix($0) }) else { return nil }
    return Path(argument: name)
  }

  private static func checkOutside(
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

  // MARK: Folders

  /// The folder of some levels below the one that is named; made only by ``make(_:)``.
  ///
  /// - Throws: that no folder can have that name, or that no sync would upload what is put there.
  package func folder(_ below: [[UInt8]]) throws(Explanation) -> ImportFolder {
    if let folder = known[below] { return folder }
    let folder = try find(below)
    known[below] = folder
    return folder
  }

  /// All folders that were asked for.
  package var asked: [ImportFolder] { Array(known.values) }

  private func find(_ below: [[UInt8]]) throws(Explanation) -> ImportFolder {
    guard let folders, let account else {
      let relative = below.joined(separator: [ASCII.slash])
      guard tree.naming.directory(for: below.isEmpty ? [[UInt8](ascii: "x")] : below) != nil else {
        throw Self.impossible(below, root.display)
      }
      let directory = below.isEmpty ? [] : tree.naming.directory(for: below) ?? []
      return ImportFolder(
        directory: directory,
        path: tree.path(of: directory),
        name: below.isEmpty ? [UInt8](ascii: ".") : [UInt8](relative),
        holdsDrafts: false
      )
    }
    let all = levels + below
    guard !all.contains(where: { $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) }) else {
      throw Self.impossible(all, account.name)
    }
    let name = [UInt8](all.joined(separator: [ASCII.slash]))
    let isInbox = all.count == 1 && name.equalsCaseless("INBOX")
    let existing = isInbox ? folders.inbox : try folders.existing(name)
    let canonical = folders.names.canonical(name)
    let parts = canonical.split(separator: ASCII.slash).map { [UInt8]($0) }
    guard let directory = existing ?? tree.naming.directory(for: parts) else {
      throw Self.impossible(all, account.name)
    }
    try checkSynced(directory, name, isThere: existing != nil, account, folders)
    return ImportFolder(
      directory: directory,
      path: tree.path(of: directory),
      name: name,
      holdsDrafts: try folders.role(of: directory) == .drafts
    )
  }

  private static func impossible(_ levels: [[UInt8]], _ place: String) -> Explanation {
    let name = Printable.text([UInt8](levels.joined(separator: [ASCII.slash])), limit: 200)
    return Explanation(.data, place: place, "no folder can have the name \(name)")
  }

  /// Refuses a folder whose messages would stay here alone.
  private func checkSynced(
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

  /// Makes a folder that is not there; durable on return.
  package func make(_ folder: ImportFolder) throws(SystemError) {
    let hasCur = try FileSystem.status(Subdirectory.cur.path(in: folder.path)) != nil
    guard !hasCur else { return }
    if account == nil { try FileSystem.makeDirectories(root) }
    try tree.create(folder.directory)
  }

  /// The folders whose messages do not count as there: Trash and Junk, unless messages are brought in there.
  package func uncounted() throws(Explanation) -> Set<[UInt8]> {
    guard let folders else { return [] }
    var found: Set<[UInt8]> = []
    for role in [MailboxRole.trash, .junk] {
      if let folder = try folders.folder(for: role) { found.insert(folder) }
    }
    return found.subtracting(asked.map(\.directory))
  }

  /// All folders that are there, relative to the root.
  func present() throws(SystemError) -> [[UInt8]] {
    try tree.maildirs(passingOverUnreadable: true).maildirs
  }

  /// Where what is known of the account lies; nil for a Maildir of none.
  var stateDirectory: Path? {
    account.map { StateDirectory.path(root: $0.maildir, layout: $0.layout) }
  }

  /// The path of a folder relative to the root.
  func path(of directory: [UInt8]) -> Path { tree.path(of: directory) }
}

/// A folder into which messages are brought.
package struct ImportFolder: Hashable, Sendable {
  /// Relative to the root.
  package let directory: [UInt8]
  package let path: Path
  /// As people know it, without the account.
  package let name: [UInt8]
  package let holdsDrafts: Bool
}
