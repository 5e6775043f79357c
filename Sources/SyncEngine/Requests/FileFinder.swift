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
    var fingerprints: MaildirFingerprints
    var flags: OctetTable<SystemFlags>
  }

  private let trees: [FolderTree]
  private var readings: [Path: Reading] = [:]

  init(_ trees: [FolderTree]) {
    self.trees = trees
  }

  /// The Maildirs that hold a file of that base name, with the flags it shows.
  ///
  /// What one look does not find may have been on its way from a folder to one that was read before.
  ///
  /// - Returns: nil where a directory did not stand still, so that nothing is known of what was not seen.
  func places(of base: [UInt8]) throws(SystemError) -> [Path: SystemFlags]? {
    let found = try look(for: base)
    return found?.isEmpty == true ? try look(for: base) : found
  }

  private func look(for base: [UInt8]) throws(SystemError) -> [Path: SystemFlags]? {
    var places: [Path: SystemFlags] = [:]
    for tree in trees {
      for relative in try tree.maildirs().maildirs {
        let directory = tree.path(of: relative)
        guard let files = try files(directory) else { return nil }
        if let flags = files[base] { places[directory] = flags }
      }
    }
    return places
  }

  private func files(_ directory: Path) throws(SystemError) -> OctetTable<SystemFlags>? {
    if let known = readings[directory], MaildirFingerprints(of: directory) == known.fingerprints {
      return known.flags
    }
    guard let scan = try MaildirScan.scanIfPresent(directory) else { return OctetTable() }
    guard scan.isSettled else { return nil }
    var flags = OctetTable<SystemFlags>(minimumCapacity: scan.files.count)
    for file in scan.files { flags[file.name.base] = file.name.flags }
    let fingerprints = MaildirFingerprints(new: scan.newFingerprint, cur: scan.curFingerprint)
    readings[directory] =
      fingerprints.areReliable ? Reading(fingerprints: fingerprints, flags: flags) : nil
    return flags
  }
}
