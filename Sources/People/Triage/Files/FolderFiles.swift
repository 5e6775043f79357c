internal import Configuration
internal import MailModel
internal import Maildir
internal import Platform

/// The files of folders by their base names, as ``CurrentPath`` finds them.
///
/// Each folder is read once, when one of its files is first looked for.
struct FolderFiles {
  private struct Listing {
    var files: [[UInt8]: ScannedFile] = [:]
    /// Further files of base names that several have.
    var namesakes: [[UInt8]: Set<ScannedFile>] = [:]

    mutating func add(_ file: ScannedFile) {
      let base = file.name.base
      guard let other = files[base], other != file else {
        files[base] = file
        return
      }
      namesakes[base, default: []].insert(file)
    }

    mutating func remove(_ file: ScannedFile) {
      let base = file.name.base
      if namesakes[base]?.remove(file) == nil { files[base] = namesakes[base]?.popFirst() }
      if namesakes[base]?.isEmpty == true { namesakes[base] = nil }
    }
  }

  private var listings: [Path: Listing] = [:]

  /// A file under its name of now, which shows its flags; nil where it is gone from its folder.
  ///
  /// An index knows it by the name that it had when the index was written.
  mutating func current(_ seen: TargetFile) -> TargetFile? {
    let maildir = seen.account.maildir.appending(seen.folder)
    do throws(SystemError) {
      if try FileSystem.status(seen.path) != nil { return seen }
      let (base, flags) = (seen.file.name.base, seen.file.name.flags)
      let found = try file(of: base, showing: flags, in: maildir)
      return found.map { TargetFile(account: seen.account, folder: seen.folder, file: $0) }
    } catch {
      // What is wrong is said when its steps are taken.
      return seen
    }
  }

  /// The file of a base name in a Maildir, as it was when that was read; nil where there is none.
  mutating func file(
    of base: [UInt8],
    showing flags: SystemFlags,
    in maildir: Path
  ) throws(SystemError) -> ScannedFile? {
    guard let listing = try listing(of: maildir), let file = listing.files[base] else { return nil }
    return CurrentPath.choice(of: [file] + (listing.namesakes[base] ?? []), showing: flags)
  }

  /// Whether a Maildir has files of a base name.
  mutating func hasAny(of base: [UInt8], in maildir: Path) throws(SystemError) -> Bool {
    try listing(of: maildir)?.files[base] != nil
  }

  private mutating func listing(of maildir: Path) throws(SystemError) -> Listing? {
    if let known = listings[maildir] { return known }
    guard let scan = try MaildirScan.scanIfPresent(maildir) else { return nil }
    var listing = Listing()
    listing.files.reserveCapacity(scan.files.count)
    for file in scan.files { listing.add(file) }
    for case .duplicate(let kept, let other) in scan.oddities {
      listing.add(kept)
      listing.add(other)
    }
    listings[maildir] = listing
    return listing
  }

  /// Notes that a file is there, where its folder was read.
  mutating func add(_ file: ScannedFile, in maildir: Path) { listings[maildir]?.add(file) }

  /// Notes that a file is gone, where its folder was read.
  mutating func remove(_ file: ScannedFile, in maildir: Path) { listings[maildir]?.remove(file) }

  /// Has a folder read again, since it is not as it was.
  mutating func forget(_ maildir: Path) {
    listings[maildir] = nil
  }
}
