package import Configuration
internal import Glibc
package import MailModel
internal import Maildir
package import Octets
package import Platform
package import SyncState

/// The folder of an account in which messages lie that are still being written.
///
/// A sync brings what is put there to the server, and takes away from it what goes.
package struct DraftsFolder: Sendable {
  private let account: Account
  private let delivery: FolderDelivery
  private var directory: Path { delivery.directory }

  /// The folder of an account: the one that the configuration names, else the one that the server said is for that in the last
  /// sync, else one that is called Drafts.
  ///
  /// - Throws: that the account has none; one that is named is made, as is one of an account without a server.
  package init(of account: Account) throws(Explanation) {
    self.account = account
    let tree = FolderTree(root: account.maildir, layout: account.layout)
    let found = try explaining(.cannotCreate, place: account.name) {
      () throws(SystemError) -> Path? in
      if let named = account.roles[.drafts] {
        return try Self.path(of: named, tree, account.recordedNames())
      }
      if let told = account.toldRoles()[.drafts] {
        let path = try Self.path(of: told, tree, account.recordedNames())
        let status = try FileSystem.status(Subdirectory.cur.path(in: path))
        if status?.kind == .directory { return path }
      }
      if let found = try Self.find(tree) { return found }
      return account.server == nil ? try Self.path(of: [UInt8](ascii: "Drafts"), tree, .plain) : nil
    }
    guard let found else {
      throw Explanation(
        .partial,
        place: account.name,
        "there is no folder Drafts",
        hint:
          "name the mailbox in [account.\(account.name).roles], as drafts = \"Drafts\"; one that is not there is made"
      )
    }
    delivery = FolderDelivery(to: found, of: account, flags: [.draft, .seen], suffix: ".draft")
  }

  /// Whether a file lies there.
  package func contains(_ file: MessageFile) -> Bool {
    let place = file.path.parent.parent
    guard let real = try? FileSystem.realPath(directory) else { return false }
    return place == directory || (try? FileSystem.realPath(place)) == real
  }

  /// The folder of a name in either form: one that is there, else the likeliest.
  private static func path(
    of name: [UInt8],
    _ tree: FolderTree,
    _ names: MailboxNames
  ) throws(SystemError) -> Path {
    let found = names.meanings(of: name).compactMap { name -> Path? in
      let levels = name.split(separator: ASCII.slash).map { [UInt8]($0) }
      return tree.naming.directory(for: levels).map(tree.path)
    }
    guard let likeliest = found.first else {
      throw SystemError(operation: "mkdir", path: Path(name), code: ENAMETOOLONG)
    }
    for path in found where try FileSystem.status(path) != nil { return path }
    return likeliest
  }

  private static func find(_ tree: FolderTree) throws(SystemError) -> Path? {
    let named = try tree.maildirs().maildirs.filter { relative in
      let name = tree.naming.name(of: relative)
      return name.split(separator: ASCII.slash).last?.equalsCaseless("Drafts") ?? false
    }
    // The outermost: one below another folder is that folder's.
    return named.min { ($0.count, $0.lexicographicallyPrecedes($1) ? 0 : 1) < ($1.count, 1) }
      .map { tree.path(of: $0) }
  }

  /// Puts a draft there, and has the index find it; durable when it returns.
  ///
  /// - Parameters:
  ///   - message: the draft.
  ///   - partial: tells whether it lacks attachments.
  ///   - interruption: keeps it from being put there as long as it is being written; nil where nothing does.
  /// - Returns: its file, and whether searches find it.
  /// - Throws: what keeps it from being written, or read; then it is not there.
  package func put(
    _ message: any OctetSource,
    _ partial: PartialFiles,
    _ interruption: Interruption? = nil
  ) throws(Explanation) -> FolderDelivery.Placed {
    try place(try write(message, partial, interruption))
  }

  /// Writes a draft, so that it can be placed there.
  ///
  /// - Throws: what keeps it from being written, or read.
  package func write(
    _ message: any OctetSource,
    _ partial: PartialFiles,
    _ interruption: Interruption? = nil
  ) throws(Explanation) -> FolderDelivery.Written {
    try partial.checkWhole(message, "not put into Drafts")
    return try delivery.write(message, interruption)
  }

  /// Places a draft there that is written, and has the index find it; durable when it returns.
  ///
  /// - Returns: its file, and whether searches find it.
  /// - Throws: what keeps it from being placed; then it is not there.
  package func place(_ draft: FolderDelivery.Written) throws(Explanation) -> FolderDelivery.Placed {
    try delivery.place(draft)
  }

  /// The file of a draft that was placed there, whatever was done to its flags; nil where it is gone.
  package func file(named name: [UInt8]) -> Path? {
    (try? CurrentPath.find(Subdirectory.cur.path(in: directory).appending(name))) ?? nil
  }

  /// Makes a draft that was found durable, with its name; whether it is.
  package func synchronise(_ file: Path) -> Bool {
    let isDone: Void? = try? FileSystem.synchroniseFile(file)
    let isNamed: Void? = try? FileSystem.synchroniseDirectory(file.parent)
    return isDone != nil && isNamed != nil
  }
}
