package import Configuration
package import Correspondence
package import MailModel
package import Maildir
internal import Octets
internal import Platform
internal import SearchIndex
internal import SyncPlan
internal import SyncState

/// The folders of an account by their names and by what they are for, read when they are first asked for.
///
/// For one thread at a time.
package final class AccountFolders {
  package let account: Account
  package let tree: FolderTree
  private var known: [[UInt8]]?
  private var roles: [MailboxRole: [UInt8]?] = [:]
  private lazy var toldRoles = account.toldRoles()
  /// What the mailboxes are called here.
  package private(set) lazy var names = account.recordedNames()

  /// The folders of an account; nothing is read yet.
  package init(_ account: Account) {
    self.account = account
    tree = FolderTree(root: account.maildir, layout: account.layout)
  }

  /// The name that people know a folder by.
  package func name(_ folder: [UInt8]) -> String { Printable.text(tree.naming.name(of: folder)) }

  /// The names of a folder that patterns of the configuration are held against.
  package func forms(of folder: [UInt8]) -> [[UInt8]] {
    names.forms(of: tree.naming.name(of: folder))
  }

  /// Whether people mean a folder by a name: its path, with or without the account before it.
  func isMeant(_ folder: [UInt8], by name: [UInt8]) -> Bool {
    let name = FolderWords.trimmed(name)
    if FolderWords.names(folder, account.name).contains(name) { return true }
    if names.forms(of: tree.naming.name(of: folder)).contains(name) { return true }
    return name.equalsCaseless("INBOX") && folder == inbox
  }

  /// Whether a folder is the one of that name, or lies below it; all do below none.
  func isBelow(_ folder: [UInt8], _ name: [UInt8]) -> Bool {
    name.isEmpty || isMeant(folder, by: name)
      || FolderWords.names(folder, account.name).contains { $0.starts(with: name + [ASCII.slash]) }
  }

  /// The folder of INBOX.
  package var inbox: [UInt8] { tree.naming.directory(for: [[UInt8](ascii: "INBOX")]) ?? [] }

  /// All folders.
  func all() throws(Explanation) -> [[UInt8]] {
    if let known { return known }
    let found = try explaining(.noInput, place: account.name) { () throws(SystemError) in
      try tree.maildirs(passingOverUnreadable: true).maildirs
    }
    known = found
    return found
  }

  /// The folder of a role: by the configuration, else by what the server said, else by its name; nil where there is none.
  package func folder(for role: MailboxRole) throws(Explanation) -> [UInt8]? {
    if role == .inbox { return inbox }
    if let known = roles[role] { return known }
    let found = try find(role)
    roles[role] = .some(found)
    return found
  }

  /// Whether the server itself says that a folder is for that.
  func isTold(_ folder: [UInt8], for role: MailboxRole) throws(Explanation) -> Bool {
    guard let told = toldRoles[role] else { return false }
    return try existing(told) == folder
  }

  private func find(_ role: MailboxRole) throws(Explanation) -> [UInt8]? {
    if let named = account.roles[role] { return try existing(named) }
    if let told = toldRoles[role], let found = try existing(told) { return found }
    let named = try all().filter { folder in
      let levels = tree.naming.name(of: folder).split(separator: ASCII.slash)
      return levels.last.map { RoleFinder.isName([UInt8]($0), of: role) } ?? false
    }
    // The outermost: one below another folder is that folder's.
    return named.min {
      ($0.count, $0.lexicographicallyPrecedes($1) ? 0 : 1) < ($1.count, 1)
    }
  }

  /// What a folder is for, as far as its name or the configuration tells.
  package func role(of folder: [UInt8]) throws(Explanation) -> MailboxRole? {
    for role in [MailboxRole.inbox, .trash, .junk, .drafts, .sent, .archive, .snoozed]
    where try self.folder(for: role) == folder { return role }
    return nil
  }

  /// Whether the tag `inbox` says which messages of a folder are in the inbox, and not their place: labels are tags.
  func isLabelled(_ folder: [UInt8]) throws(Explanation) -> Bool {
    guard account.sync.labels == .tags else { return false }
    return try self.folder(for: .archive) == folder
  }

  /// The folder that sent mail lies in, and what is sent there: all of it, or, where labels are tags, what the server says so of.
  ///
  /// - Throws: why it cannot be found out.
  func sentMail() throws(Explanation) -> (folder: [UInt8], mail: SentMail)? {
    let isTagged = account.sync.labels == .tags
    return try self.folder(for: isTagged ? .archive : .sent).map { folder in
      let name = tree.naming.name(of: folder)
      return (folder, SentMail(maildir: tree.path(of: folder), folder: name, isTagged: isTagged))
    }
  }

  /// Whether a file is of a sent message.
  func isSent(_ file: TargetFile, _ tags: TagReader) throws(Explanation) -> Bool {
    guard let sent = try sentMail(), sent.folder == file.folder else { return false }
    return sent.mail.holdsSent(tags.tags(of: file))
  }

  /// Whether files of a folder may be written anew in their place.
  func mayHoldDrafts(_ folder: [UInt8]) -> Bool { mayBe(folder, for: .drafts) }

  /// Whether a folder is the one of a role, or it or one above it has a name of such; true also where that cannot be found out.
  package func mayBe(_ folder: [UInt8], for role: MailboxRole) -> Bool {
    let levels = tree.naming.name(of: folder).split(separator: ASCII.slash)
    if levels.contains(where: { RoleFinder.isName([UInt8]($0), of: role) }) { return true }
    do throws(Explanation) {
      return try self.folder(for: role) == folder
    } catch {
      return true
    }
  }

  /// The folder of a name; nil where there is no Maildir of it.
  package func existing(_ name: [UInt8]) throws(Explanation) -> [UInt8]? {
    for meaning in names.meanings(of: FolderWords.trimmed(name)) {
      let levels = meaning.split(separator: ASCII.slash).map { [UInt8]($0) }
      if let folder = tree.naming.directory(for: levels), isThere(folder) { return folder }
    }
    return try all().first { isMeant($0, by: name) }
  }

  /// Makes the folder of a name; durable on return.
  package func make(_ name: [UInt8]) throws(Explanation) -> [UInt8] {
    let name = names.canonical(FolderWords.trimmed(name))
    let levels = name.split(separator: ASCII.slash).map { [UInt8]($0) }
    guard let folder = tree.naming.directory(for: levels) else {
      throw Explanation(.data, place: account.name, "no folder can have that name")
    }
    try explaining(.cannotCreate, place: account.name) { () throws(SystemError) in
      try tree.create(folder)
    }
    known = nil
    return folder
  }

  private func isThere(_ folder: [UInt8]) -> Bool {
    let status = try? FileSystem.status(Subdirectory.cur.path(in: tree.path(of: folder)))
    return status?.kind == .directory
  }
}

extension Account {
  /// The folders, as directories below its Maildir, whose mail is out of the way: Trash, Junk, Drafts.
  ///
  /// - Throws: why they cannot be found out.
  package func specialFolders() throws(Explanation) -> Set<[UInt8]> {
    let folders = AccountFolders(self)
    var special: Set<[UInt8]> = []
    for role in [MailboxRole.trash, .junk, .drafts] {
      if let folder = try folders.folder(for: role) { special.insert(folder) }
    }
    return special
  }

  /// Its sent mail; nil where no folder has any.
  ///
  /// - Throws: why it cannot be found out.
  package func sentMail() throws(Explanation) -> SentMail? {
    try AccountFolders(self).sentMail()?.mail
  }
}
