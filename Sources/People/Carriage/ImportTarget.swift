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
  let tree: FolderTree
  /// Whether labels tell the folders of an account.
  package let isByLabels: Bool
  /// Folders that are not there yet, each with the directories that were made for it, the innermost first.
  var unused: [(folder: ImportFolder, directories: [Path])] = []
  private var known: [[[UInt8]]: ImportFolder] = [:]
  private var roles: [MailboxRole: ImportFolder] = [:]

  /// The place that `--to` names: `ACCOUNT/FOLDER`, or a path that begins with `/`, `~/`, `./` or `../`; where labels tell the
  /// folders, `ACCOUNT` alone.
  ///
  /// - Throws: that there is no such account, or that it names no folder; that a path leads into the Maildirs of an account.
  package init(
    _ name: String,
    _ configuration: Configuration,
    byLabels isByLabels: Bool = false
  ) throws(Explanation) {
    self.isByLabels = isByLabels
    if let path = Self.path(name) {
      guard !isByLabels else { throw Self.namesFolder(name) }
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
    guard !isByLabels || levels.isEmpty else { throw Self.namesFolder(name) }
    guard isByLabels || !levels.isEmpty else {
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

  private static func namesFolder(_ name: String) -> Explanation {
    Explanation(
      .usage,
      place: name,
      "labels tell the folders; name the account alone",
      hint: "such as --to work; without --folders-from labels all goes to one folder"
    )
  }

  private static func path(_ name: String) -> Path? {
    if name.hasPrefix("~/") {
      return Environment.homeDirectory.appending([UInt8](name.utf8.dropFirst(2)))
    }
    guard ["/", "./", "../"].contains(where: { name.hasPrefix($0) }) else { return nil }
    return Path(argument: name)
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
  package var asked: [ImportFolder] { Array(known.values) + Array(roles.values) }

  private func find(_ below: [[UInt8]]) throws(Explanation) -> ImportFolder {
    guard let folders, let account else { return try findInMaildir(below) }
    if isByLabels { return try folder(for: .archive) }
    return try find(levels + below, account, folders)
  }

  private func findInMaildir(_ below: [[UInt8]]) throws(Explanation) -> ImportFolder {
    let name = below.isEmpty ? [[UInt8](ascii: "x")] : below
    guard let named = tree.naming.directory(for: name) else {
      throw Self.impossible(below, root.display)
    }
    let directory = below.isEmpty ? [] : named
    return ImportFolder(
      directory: directory,
      path: tree.path(of: directory),
      name: below.isEmpty ? [ASCII.dot] : [UInt8](below.joined(separator: [ASCII.slash])),
      holdsDrafts: false
    )
  }

  private func find(
    _ all: [[UInt8]],
    _ account: Account,
    _ folders: AccountFolders
  ) throws(Explanation) -> ImportFolder {
    let all = Self.spellingInbox(all)
    guard !all.contains(where: { $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) }) else {
      throw Self.impossible(all, account.name)
    }
    let name = [UInt8](all.joined(separator: [ASCII.slash]))
    let isInbox = name.elementsEqual("INBOX".utf8)
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

  /// Levels with the inbox in its one spelling: below any other a sync uploads nothing.
  private static func spellingInbox(_ levels: [[UInt8]]) -> [[UInt8]] {
    let inbox = [UInt8](ascii: "INBOX")
    guard let first = levels.first, first.equalsCaseless(inbox) else { return levels }
    return [inbox] + levels.dropFirst()
  }

  /// The folder of a role, or the one that is made for it.
  ///
  /// - Throws: as ``folder(_:)``.
  func folder(for role: MailboxRole) throws(Explanation) -> ImportFolder {
    if let folder = roles[role] { return folder }
    guard let folders, let account else { throw Self.impossible([], root.display) }
    var name = account.roles[role] ?? Self.usualNames[role] ?? [UInt8](ascii: "Archive")
    if role != .inbox, let found = try folders.folder(for: role) {
      name = tree.naming.name(of: found)
    }
    let levels = name.split(separator: ASCII.slash).map { [UInt8]($0) }
    let folder = try find(levels, account, folders)
    roles[role] = folder
    return folder
  }

  private static let usualNames: [MailboxRole: [UInt8]] = [
    .inbox: [UInt8](ascii: "INBOX"), .archive: [UInt8](ascii: "Archive"),
    .sent: [UInt8](ascii: "Sent"), .drafts: [UInt8](ascii: "Drafts"),
    .trash: [UInt8](ascii: "Trash"), .junk: [UInt8](ascii: "Junk"),
  ]

  private static func impossible(_ levels: [[UInt8]], _ place: String) -> Explanation {
    let name = Printable.text([UInt8](levels.joined(separator: [ASCII.slash])), limit: 200)
    return Explanation(.data, place: place, "no folder can have the name \(name)")
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
