internal import MailModel
internal import Maildir
internal import Platform

/// All files of a Maildir, and what its directories looked like before they were read.
struct MaildirListing {
  private(set) var stamps = FolderStamps()
  /// By folder.
  private(set) var files: [[UInt8]: [ScannedFile]] = [:]
  /// The folders whose file of keywords may say something else than before.
  private(set) var marked: [[UInt8]] = []

  /// Reads folders.
  ///
  /// - Parameters:
  ///   - root: the root of the folders.
  ///   - known: what the directories looked like before; what still looks so is not read.
  /// - Throws: the error of reading a directory that is there.
  init(_ root: Path, unlessAs known: FolderStamps?) throws(SystemError) {
    let now = Clock.nowNanoseconds()
    if let known, try Self.areParentsUnchanged(root, known) {
      stamps.parents = known.parents
      for name in known.folders.keys { try read(name, root, known, now) }
    } else {
      let listing = try FolderTree(root: root, layout: .verbatim).maildirs()
      for (name, stamp) in listing.visited {
        stamps.parents[name] = .some(FolderStamps.trusted(stamp, now))
      }
      for name in listing.maildirs { try read(name, root, known, now) }
    }
  }

  private static func areParentsUnchanged(
    _ root: Path,
    _ known: FolderStamps
  ) throws(SystemError) -> Bool {
    guard !known.parents.isEmpty else { return false }
    for (name, stamp) in known.parents {
      guard let stamp, try FileSystem.status(root.appending(name))?.stamp == stamp else {
        return false
      }
    }
    return true
  }

  private mutating func read(
    _ name: [UInt8],
    _ root: Path,
    _ known: FolderStamps?,
    _ now: Int64
  ) throws(SystemError) {
    let maildir = root.appending(name)
    if let old = known?.folders[name], let new = old.new, let cur = old.cur,
      try FileSystem.status(Subdirectory.new.path(in: maildir))?.stamp == new,
      try FileSystem.status(Subdirectory.cur.path(in: maildir))?.stamp == cur
    {
      stamps.folders[name] = old
      try readKeywords(name, maildir, known, now)
      return
    }
    do throws(SystemError) {
      let scan = try MaildirScan.scan(maildir)
      files[name] = scan.files
      stamps.folders[name] = FolderStamps.Stamps(
        new: scan.isSettled ? FolderStamps.trusted(scan.stampNew, now) : nil,
        cur: scan.isSettled ? FolderStamps.trusted(scan.stampCur, now) : nil
      )
      try readKeywords(name, maildir, known, now)
    } catch {
      // Removed since it was listed: a folder that is not there holds nothing.
      guard error.isNotFound else { throw error }
    }
  }

  private mutating func readKeywords(
    _ name: [UInt8],
    _ maildir: Path,
    _ known: FolderStamps?,
    _ now: Int64
  ) throws(SystemError) {
    let stamp = try FileSystem.status(KeywordFile.path(in: maildir))?.stamp
    if let known, known.folders[name]?.keywords == stamp { return }
    marked.append(name)
    let isSettled = stamp?.isReliable(now: now) ?? true
    stamps.folders[name]?.keywords = isSettled ? stamp : FolderStamps.unsettled
  }
}
