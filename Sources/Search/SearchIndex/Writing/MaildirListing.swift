internal import MailModel
internal import Maildir
internal import Octets
internal import Platform

/// All files of a Maildir, and what its directories looked like before they were read.
struct MaildirListing {
  private(set) var fingerprints = FolderFingerprints()
  /// The folders whose file of keywords may say something else than before.
  private(set) var marked: [[UInt8]] = []
  /// The directories that could not be read; what is known of mail in them stays.
  private(set) var unreadable: [(folder: [UInt8], error: SystemError)] = []

  /// The files of a folder.
  struct Files {
    /// Whether they are those in new alone, since cur is as it was.
    let areNew: Bool
    let table: FileTable
    /// Those whose base name another one in the table has, and the symbolic links that lead to files.
    let others: [ScannedFile]

    /// The base names of the others.
    let namesakes: OctetSet

    init(areNew: Bool, table: FileTable, others: [ScannedFile]) {
      self.areNew = areNew
      self.table = table
      self.others = others
      namesakes = OctetSet(others.map(\.name.base))
    }

    /// Whether the base name of a file in the table is that of another one as well.
    func hasNamesake(_ position: Int) -> Bool {
      !namesakes.isEmpty && namesakes.contains(table.base(at: position))
    }

    /// Files of the table, and all others, each made when it is asked for, with its inode as far as the directory tells it; 0 is
    /// that of no file, for one that has to be looked at.
    func files(at positions: [Int]) -> some Sequence<(file: ScannedFile, inode: UInt32?)> {
      let first = positions.lazy.map { position in
        let inode = hasNamesake(position) ? 0 : table.inode(at: position)
        return (file: table[position], inode: inode)
      }
      let last = others.lazy.map { (file: $0, inode: UInt32?.some(0)) }
      return [AnySequence(first), AnySequence(last)].joined()
    }
  }

  /// Reads folders.
  ///
  /// - Parameters:
  ///   - root: the root of the folders.
  ///   - known: what the directories looked like before; what still looks so is not read.
  ///   - now: the time in nanoseconds since 1970.
  ///   - take: takes the files of a folder that was read; folders come in the order of their names.
  /// - Throws: the error of reading the root; what `take` throws.
  init(
    _ root: Path,
    unlessAs known: FolderFingerprints?,
    now: Int64,
    _ take: (_ folder: [UInt8], Files) throws(IndexError) -> Void
  ) throws(IndexError) {
    let folders: [[UInt8]]
    do throws(SystemError) {
      folders = try findFolders(root, known, now)
    } catch {
      throw .system(error)
    }
    for name in folders.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      if let files = read(name, root, known, now) { try take(name, files) }
    }
  }

  /// The folders, once the fingerprints of the directories that hold them are noted.
  private mutating func findFolders(
    _ root: Path,
    _ known: FolderFingerprints?,
    _ now: Int64
  ) throws(SystemError) -> [[UInt8]] {
    if let known, try Self.areParentsUnchanged(root, known) {
      fingerprints.parents = known.parents
      return Array(known.folders.keys)
    }
    let tree = FolderTree(root: root, layout: .verbatim)
    let listing = try tree.maildirs(passingOverUnreadable: true)
    for (name, fingerprint) in listing.visited {
      fingerprints.parents[name] = .some(FolderFingerprints.trusted(fingerprint, now))
    }
    for (name, error) in listing.unreadable { passOver(name, error) }
    return listing.maildirs
  }

  /// Whether a folder lies in a directory that could not be read.
  func isUnreadable(_ folder: [UInt8]) -> Bool {
    unreadable.contains { name, _ in
      folder == name || folder.starts(with: name + [ASCII.slash])
    }
  }

  /// Remembers a directory that cannot be read.
  ///
  /// Without a fingerprint it is looked at again each time: that it can be read again changes no directory above it. What
  /// belongs to the system in the root of every ext4 file system is not worth a word.
  private mutating func passOver(_ name: [UInt8], _ error: SystemError) {
    fingerprints.parents[name] = .some(nil)
    let isSystems = name.elementsEqual([UInt8](ascii: "lost+found")) && error.isForbidden
    if !isSystems { unreadable.append((name, error)) }
  }

  private static func areParentsUnchanged(
    _ root: Path,
    _ known: FolderFingerprints
  ) throws(SystemError) -> Bool {
    guard !known.parents.isEmpty else { return false }
    for (name, fingerprint) in known.parents {
      guard let fingerprint, try FileSystem.status(root.appending(name))?.fingerprint == fingerprint
      else {
        return false
      }
    }
    return true
  }

  /// The files of a folder; nil where it is unchanged, gone or cannot be read.
  private mutating func read(
    _ name: [UInt8],
    _ root: Path,
    _ known: FolderFingerprints?,
    _ now: Int64
  ) -> Files? {
    do throws(SystemError) {
      return try readFolder(name, root, known, now)
    } catch {
      // Removed since it was listed: a folder that is not there holds nothing.
      if error.isNotFound { return nil }
      fingerprints.folders[name] = FolderFingerprints.Folder()
      unreadable.append((name, error))
      return nil
    }
  }

  private mutating func readFolder(
    _ name: [UInt8],
    _ root: Path,
    _ known: FolderFingerprints?,
    _ now: Int64
  ) throws(SystemError) -> Files? {
    let maildir = root.appending(name)
    let old = known?.folders[name]
    let cur = try FileSystem.status(Subdirectory.cur.path(in: maildir))?.fingerprint
    let isCurKnown = cur != nil && cur == old?.cur
    if isCurKnown, let new = old?.new,
      try FileSystem.status(Subdirectory.new.path(in: maildir))?.fingerprint == new
    {
      fingerprints.folders[name] = old
      try readKeywords(name, maildir, known, now)
      return nil
    }
    var scan = try isCurKnown ? MaildirScan.scanNew(maildir) : MaildirScan.scan(maildir)
    let areNew = isCurKnown && scan.isSettled && scan.curFingerprint == cur
    if isCurKnown, !areNew { scan = try MaildirScan.scan(maildir) }
    let files = Files(
      areNew: areNew,
      table: scan.files,
      others: Self.namesakes(scan) + Self.linked(scan, maildir)
    )
    fingerprints.folders[name] = FolderFingerprints.Folder(
      new: scan.isSettled ? FolderFingerprints.trusted(scan.newFingerprint, now) : nil,
      cur: scan.isSettled ? FolderFingerprints.trusted(scan.curFingerprint, now) : nil
    )
    try readKeywords(name, maildir, known, now)
    return files
  }

  /// The files with the base name of another one, in cur and new or with other flags: each may be a message of its own.
  private static func namesakes(_ scan: MaildirScan) -> [ScannedFile] {
    let files = scan.oddities.compactMap { oddity -> ScannedFile? in
      if case .duplicate(_, let other) = oddity { other } else { nil }
    }
    return files.sorted { one, other in
      guard one.subdirectory == other.subdirectory else { return one.subdirectory == .cur }
      return one.name.octets.lexicographicallyPrecedes(other.name.octets)
    }
  }

  /// The symbolic links that lead to files, each base once, as Maildirs of search results have them.
  private static func linked(_ scan: MaildirScan, _ maildir: Path) -> [ScannedFile] {
    let links = scan.oddities.compactMap { oddity -> ScannedFile? in
      guard case .notAFile(let file, .symbolicLink) = oddity, !file.name.base.isEmpty else {
        return nil
      }
      let status = try? FileSystem.status(file.path(in: maildir))
      return status?.kind == .regular ? file : nil
    }
    guard !links.isEmpty else { return [] }
    var bases = Set(scan.files.map(\.name.base))
    return links.sorted { $0.name.octets.lexicographicallyPrecedes($1.name.octets) }
      .filter { bases.insert(Array($0.name.base)).inserted }
  }

  /// One fingerprint for two files: another one where either of them is another.
  private static func joined(
    _ one: FileFingerprint?,
    _ other: FileFingerprint?
  ) -> FileFingerprint? {
    guard let other else { return one }
    return FileFingerprint(
      device: other.device,
      inode: (one?.inode ?? 0) &* 31 &+ other.inode,
      modified: (one?.modified ?? 0) &* 31 &+ other.modified,
      changed: (one?.changed ?? 0) &* 31 &+ other.changed
    )
  }

  private mutating func readKeywords(
    _ name: [UInt8],
    _ maildir: Path,
    _ known: FolderFingerprints?,
    _ now: Int64
  ) throws(SystemError) {
    let keywords = try FileSystem.status(KeywordFile.path(in: maildir))?.fingerprint
    let tags = try FileSystem.status(TagFile.path(in: maildir))?.fingerprint
    let fingerprint = Self.joined(keywords, tags)
    if let known, known.folders[name]?.keywords == fingerprint { return }
    marked.append(name)
    let isSettled = [keywords, tags].allSatisfy { $0?.isReliable(now: now) ?? true }
    fingerprints.folders[name]?.keywords = isSettled ? fingerprint : FolderFingerprints.unsettled
  }
}
