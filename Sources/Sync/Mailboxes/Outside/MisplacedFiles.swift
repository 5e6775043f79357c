internal import MailStore
internal import Maildir
internal import Platform
internal import SyncState

/// The files of all accounts' Maildirs that lie in the Maildir of another mailbox than their names say.
///
/// Each Maildir is read once in a run, and only on request.
final class MisplacedFiles: Sendable {
  /// One of them.
  struct File: Sendable {
    /// Which message the name says it is.
    let key: MessageKey
    /// The base name.
    let name: [UInt8]
    /// The Maildir in which it lies.
    let directory: Path
    /// Where it stood there.
    let path: Path
  }

  /// A Maildir as it was when those that there are were looked for.
  struct Place: Sendable {
    let directory: Path
    /// The directory, relative to the root; nil in the tree of another account.
    let relative: [UInt8]?
    let fingerprints: MaildirFingerprints?
  }

  private struct Reading: Sendable {
    let place: Place
    var files: [File]?
  }

  private struct Found: Sendable {
    /// Nil before the Maildirs were looked for.
    var readings: [Reading]?
    var all: [File]?
    var leftOut: [File]?
  }

  private let tree: FolderTree
  private let others: [FolderTree]
  private let found = Monitor(Found())

  /// Those of one account's tree, and of those of the other accounts, among which it may be.
  init(_ tree: FolderTree, _ trees: [FolderTree]) {
    self.tree = tree
    others = trees.filter { $0 != tree }
  }

  /// Those in all Maildirs of the account, and in what can be read of the others.
  ///
  /// - Throws: the error of reading a directory of the account.
  func all() throws(SyncFailure) -> [File] {
    if let known = found.withLock({ $0.all }) { return known }
    let files = try find { (reading: inout Reading) throws(SyncFailure) in
      if reading.place.relative == nil { return Self.readable(&reading) }
      return try Self.files(of: &reading)
    }
    found.withLock { $0.all = files }
    return files
  }

  /// Those in the Maildirs that are wanted, as far as they can be read.
  ///
  /// - Throws: the error of looking for the Maildirs of the account.
  func files(where isWanted: (Place) -> Bool) throws(SyncFailure) -> [File] {
    try find { (reading: inout Reading) throws(SyncFailure) in
      isWanted(reading.place) ? Self.readable(&reading) : []
    }
  }

  /// Those in the Maildirs that the run leaves out and that changed, which `choice` tells when it is first asked for.
  ///
  /// - Throws: the error of looking for the Maildirs of the account.
  func leftOut(by choice: () -> (Place) -> Bool) throws(SyncFailure) -> [File] {
    if let known = found.withLock({ $0.leftOut }) { return known }
    let files = try files(where: choice())
    found.withLock { $0.leftOut = files }
    return files
  }

  private func find(
    _ read: (inout Reading) throws(SyncFailure) -> [File]
  ) throws(SyncFailure) -> [File] {
    try found.withLock { (found: inout Found) throws(SyncFailure) in
      var readings = if let known = found.readings { known } else { try list() }
      // Changed in place.
      found.readings = nil
      defer { found.readings = readings }
      var files: [File] = []
      for index in readings.indices { files += try read(&readings[index]) }
      return files
    }
  }

  private func list() throws(SyncFailure) -> [Reading] {
    let own = try attempt(Self.places(in: tree, isOwn: true))
    let foreign = others.flatMap { (try? Self.places(in: $0, isOwn: false)) ?? [] }
    return (own + foreign).map { Reading(place: $0) }
  }

  private static func places(in tree: FolderTree, isOwn: Bool) throws(SystemError) -> [Place] {
    let maildirs = try tree.maildirs().maildirs
    return maildirs.map { relative in
      let directory = tree.path(of: relative)
      return Place(
        directory: directory,
        relative: isOwn ? relative : nil,
        fingerprints: MaildirFingerprints(of: directory)
      )
    }
  }

  private static func readable(_ reading: inout Reading) -> [File] {
    (try? files(of: &reading)) ?? []
  }

  private static func files(of reading: inout Reading) throws(SyncFailure) -> [File] {
    if let files = reading.files { return files }
    let maildir = reading.place.directory
    let files = try attempt(Self.files(in: maildir))
    reading.files = files
    return files
  }

  private static func files(in maildir: Path) throws(SystemError) -> [File] {
    let owner = try OwnershipMarker(maildir).readableOwner()
    guard let files = try MaildirScan.scanIfPresent(maildir)?.files else { return [] }
    return files.bases.compactMap { name in
      guard !DetachedName.isOne(name), let key = MessageKey(baseName: name), key.mailbox != owner,
        let file = files[name]
      else { return nil }
      return File(key: key, name: name, directory: maildir, path: file.path(in: maildir))
    }
  }
}
