internal import MailModel
internal import Maildir
internal import Octets
internal import Platform
internal import SyncPlan
internal import SyncState

/// Finds files of messages by base name in the folders of all accounts, and reads a directory again only when it changed.
///
/// Used by one thread at a time.
final class FileFinder {
  private struct Reading {
    let fingerprints: MaildirFingerprints
    let flags: OctetTable<SystemFlags>
    /// Until when the fingerprints are believed; a directory that was changed just now may change again without a sign.
    let deadline: Deadline
  }

  /// Seconds for which what was read just now is used for other messages: of a thousand, each would be a scan.
  private static let lifetime = 0.5

  private let trees: [FolderTree]
  private var readings: [Path: Reading] = [:]
  private var listing: (directories: [Path], deadline: Deadline)?

  init(_ trees: [FolderTree]) {
    self.trees = trees
  }

  /// The Maildirs that hold a file of that base name, with the flags it shows.
  ///
  /// What one look does not find may have been on its way from a folder to one that was read before.
  ///
  /// - Returns: nil where a directory did not stand still, so that nothing is known of what was not seen.
  func places(of base: [UInt8]) throws(SystemError) -> [Path: SystemFlags]? {
    if let listing, !listing.deadline.isPast,
      let found = try look(for: base, in: listing.directories), !found.isEmpty
    {
      return found
    }
    let found = try look(for: base, in: directories())
    return found?.isEmpty == true ? try look(for: base, in: directories()) : found
  }

  private func directories() throws(SystemError) -> [Path] {
    var directories: [Path] = []
    for tree in trees { directories += try tree.maildirs().maildirs.map { tree.path(of: $0) } }
    listing = (directories, .after(seconds: Self.lifetime))
    return directories
  }

  private func look(
    for base: [UInt8],
    in directories: [Path]
  ) throws(SystemError) -> [Path: SystemFlags]? {
    var places: [Path: SystemFlags] = [:]
    for directory in directories {
      guard let files = try files(directory) else { return nil }
      if let flags = files[base] { places[directory] = flags }
    }
    return places
  }

  private func files(_ directory: Path) throws(SystemError) -> OctetTable<SystemFlags>? {
    if let known = readings[directory], !known.deadline.isPast,
      MaildirFingerprints(of: directory) == known.fingerprints
    {
      return known.flags
    }
    guard let scan = try MaildirScan.scanIfPresent(directory) else { return OctetTable() }
    guard scan.isSettled else { return nil }
    var flags = OctetTable<SystemFlags>(minimumCapacity: scan.files.count)
    for file in scan.files { flags[file.name.base] = file.name.flags }
    let fingerprints = MaildirFingerprints(new: scan.newFingerprint, cur: scan.curFingerprint)
    readings[directory] = Reading(
      fingerprints: fingerprints,
      flags: flags,
      deadline: fingerprints.areReliable ? .never : .after(seconds: Self.lifetime)
    )
    return flags
  }
}
