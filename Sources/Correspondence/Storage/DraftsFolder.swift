package import CommandLine
package import Configuration
internal import Glibc
internal import MailModel
internal import Maildir
package import Octets
package import Platform
internal import SyncState

/// The folder of an account in which messages lie that are still being written.
///
/// A sync brings what is put there to the server, and takes away from it what goes.
package struct DraftsFolder: Sendable {
  private let account: Account
  private let directory: Path

  /// The folder of an account: the one that the configuration names, else the one that the server said is for that in the last
  /// sync, else one that is called Drafts.
  ///
  /// - Throws: that the account has none; one that is named is made, as is one of an account without a server.
  package init(of account: Account) throws(Explanation) {
    self.account = account
    let tree = FolderTree(root: account.maildir, layout: account.layout)
    let found = try explaining(.cannotCreate, place: account.name) {
      () throws(SystemError) -> Path? in
      if let named = account.roles[.drafts] { return try Self.path(of: named, tree) }
      if let told = account.toldRoles()[.drafts] {
        let path = try Self.path(of: told, tree)
        let status = try FileSystem.status(Subdirectory.cur.path(in: path))
        if status?.kind == .directory { return path }
      }
      if let found = try Self.find(tree) { return found }
      return account.server == nil ? try Self.path(of: [UInt8](ascii: "Drafts"), tree) : nil
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
    directory = found
  }

  /// Whether a file lies there.
  func contains(_ file: MessageFile) -> Bool {
    let place = file.path.parent.parent
    guard let real = try? FileSystem.realPath(directory) else { return false }
    return place == directory || (try? FileSystem.realPath(place)) == real
  }

  private static func path(of name: [UInt8], _ tree: FolderTree) throws(SystemError) -> Path {
    let levels = name.split(separator: ASCII.slash).map { [UInt8]($0) }
    guard let relative = tree.naming.directory(for: levels) else {
      throw SystemError(operation: "mkdir", path: Path(name), code: ENAMETOOLONG)
    }
    return tree.path(of: relative)
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
  ///   - interruption: keeps it from being put there as long as it is being written; nil where nothing does.
  /// - Returns: its file, and whether searches find it.
  /// - Throws: what keeps it from being written, or read; then it is not there.
  package func put(
    _ message: any OctetSource,
    _ interruption: Interruption? = nil
  ) throws(Explanation) -> Placed {
    try place(try write(message, interruption))
  }

  /// A draft that is written, and not yet to be seen.
  package struct Written: Sendable {
    fileprivate let message: DeliveredMessage

    /// What its file can be found by.
    package var name: [UInt8] { message.temporaryName }
  }

  /// A draft that is in its place.
  package struct Placed: Sendable {
    /// Its file.
    package let file: Path
    /// Why searches do not find it yet; nil where they do.
    package let unindexed: Explanation?
  }

  /// Writes a draft, so that it can be placed there.
  ///
  /// - Throws: what keeps it from being written, or read.
  package func write(
    _ message: any OctetSource,
    _ interruption: Interruption? = nil
  ) throws(Explanation) -> Written {
    try WholeMessage.check(message, "not put into Drafts")
    do {
      return Written(message: try deliver(message, interruption))
    } catch let error as SourceError {
      throw Explanation(reading: error)
    } catch {
      throw failure(error)
    }
  }

  /// Places a draft there that is written, and has the index find it; durable when it returns.
  ///
  /// - Returns: its file, and whether searches find it.
  /// - Throws: what keeps it from being placed; then it is not there.
  package func place(_ draft: Written) throws(Explanation) -> Placed {
    do {
      return try commit(draft.message)
    } catch {
      throw failure(error)
    }
  }

  /// The file of a draft that was placed there, whatever was done to its flags; nil where it is not there any more.
  package func file(named name: [UInt8]) -> Path? {
    let files = (try? MaildirScan.scan(directory))?.files ?? FileTable()
    return files.first { $0.name.base == name }?.path(in: directory)
  }

  /// Makes a draft that was found durable, with its name; whether it is.
  package func synchronise(_ file: Path) -> Bool {
    let isDone: Void? = try? FileSystem.synchroniseFile(file)
    let isNamed: Void? = try? FileSystem.synchroniseDirectory(file.parent)
    return isDone != nil && isNamed != nil
  }

  private func failure(_ error: any Error) -> Explanation {
    Explanation(.cannotCreate, place: account.name, "\(error)")
  }

  private func deliver(
    _ message: any OctetSource,
    _ interruption: Interruption?
  ) throws -> DeliveredMessage {
    for subdirectory in Subdirectory.allCases {
      try FileSystem.makeDirectories(subdirectory.path(in: directory))
    }
    try removeLeftovers(before: Clock.now() - Self.leftoverAge)
    var delivery = MaildirDelivery(to: directory, temporaryName: Self.base())
    var pieces = message.pieces
    while let piece = try pieces.next() {
      // A delivery that is dropped leaves no file.
      try interruption?.check("write", directory)
      try delivery.write(piece)
    }
    return try delivery.finish()
  }

  private func commit(_ delivered: DeliveredMessage) throws -> Placed {
    let name = FileName(base: delivered.temporaryName, flags: [.draft, .seen])
    let placement = Placement(message: delivered, subdirectory: .cur, name: name)
    let outcomes = try MaildirCommit.commit([placement], synchronising: .each)
    guard outcomes.first?.isInPlace == true else {
      throw SystemError(operation: "rename", path: delivered.temporaryPath, code: EEXIST)
    }
    return Placed(
      file: Subdirectory.cur.path(in: directory).appending(name.octets),
      unindexed: account.isIndexed ? index(name) : nil
    )
  }

  private func index(_ name: FileName) -> Explanation? {
    let folder = [UInt8](directory.octets.dropFirst(account.maildir.octets.count + 1))
    let file = ScannedFile(name: name, subdirectory: .cur)
    return IndexNote.take([.added(folder: folder, file)], of: account)
  }

  /// No message is written for longer than that, in seconds: the 36 hours of maildir(5).
  private static let leftoverAge: Int64 = 36 * 3600

  /// Removes what is left in tmp of drafts that were being written when a program was killed.
  private func removeLeftovers(before moment: Int64) throws(SystemError) {
    let temporaries = Subdirectory.tmp.path(in: directory)
    var files: [Path] = []
    try FileSystem.entries(of: temporaries) { name, kind in
      guard kind == .regular, name.suffix(Self.suffix.count).elementsEqual(Self.suffix) else {
        return
      }
      files.append(temporaries.appending([UInt8](name)))
    }
    for file in files {
      guard let status = try FileSystem.status(file, followingLinks: false),
        status.fingerprint.modified / 1_000_000_000 < moment
      else { continue }
      try? FileSystem.remove(file)
    }
  }

  /// How the names of drafts end.
  private static let suffix = [UInt8](ascii: ".draft")

  /// A name that no other file has; not one of Magnum's notices, which no sync uploads.
  private static func base() -> [UInt8] {
    let nanoseconds = Clock.nowNanoseconds()
    let seconds = nanoseconds / 1_000_000_000
    let micro = nanoseconds / 1000 % 1_000_000
    let random = String(UInt64.random(in: 0...(.max)), radix: 36)
    return [UInt8]("\(seconds).M\(micro)P\(getpid())R\(random)".utf8) + suffix
  }
}
