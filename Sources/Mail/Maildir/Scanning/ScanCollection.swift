internal import Octets
internal import Platform

/// The entries of one reading of a Maildir on their way to being a scan.
struct ScanCollection {
  let maildir: Path
  private var files: FileTable
  /// Files with the base name of one that was found before, and where that stands.
  private var doubles: [(position: Int, file: ScannedFile)] = []
  private var oddities: [Oddity] = []

  /// A reading of a Maildir whose files may have these names.
  init(maildir: Path, knowing names: any KnownNames) {
    self.maildir = maildir
    files = FileTable(knowing: names)
  }

  /// Adds an entry of one of the two directories.
  mutating func addEntry(
    _ octets: UnsafeBufferPointer<UInt8>,
    _ kind: EntryKind,
    _ inode: UInt64,
    in subdirectory: Subdirectory
  ) {
    guard octets.first != ASCII.dot else { return }
    let name = UnsafeRawBufferPointer(octets)
    let outline = FileName.Outline(name)
    if kind == .regular, outline.baseCount > 0 {
      let (position, isNew) = files.insert(name, outline, subdirectory, inode: inode)
      if !isNew { doubles.append((position, Self.file(octets, subdirectory))) }
    } else if kind != .regular {
      oddities.append(.notAFile(Self.file(octets, subdirectory), kind))
    } else {
      oddities.append(.noBase(Self.file(octets, subdirectory)))
    }
  }

  private static func file(
    _ name: UnsafeBufferPointer<UInt8>,
    _ subdirectory: Subdirectory
  ) -> ScannedFile {
    ScannedFile(name: FileName([UInt8](name)), subdirectory: subdirectory)
  }

  /// The files, each base once, and what else there was.
  ///
  /// While names move, a base seen twice may be one file at two times, and is not reported.
  func result(isSettled: Bool) throws(SystemError) -> (files: FileTable, oddities: [Oddity]) {
    var kept: [Int: ScannedFile] = [:]
    var oddities = oddities
    for (position, file) in doubles {
      let choice = try choose(kept[position] ?? files[position], file)
      kept[position] = choice.kept
      if isSettled, let other = choice.other {
        oddities.append(.duplicate(kept: choice.kept, other: other))
      }
    }
    return (files.replacing(kept), oddities)
  }

  /// Decides between two files of the same base; "other" is nil where a rename made one of the other.
  ///
  /// If both are still there, cur goes before new, and the name that sorts first before the other, so that every
  /// scan decides alike.
  private func choose(
    _ first: ScannedFile,
    _ second: ScannedFile
  ) throws(SystemError) -> (kept: ScannedFile, other: ScannedFile?) {
    guard try isThere(first) else { return (second, nil) }
    guard first != second, try isThere(second) else { return (first, nil) }
    return goesBefore(second, first) ? (second, first) : (first, second)
  }

  private func isThere(_ file: ScannedFile) throws(SystemError) -> Bool {
    try FileSystem.status(file.path(in: maildir), followingLinks: false) != nil
  }

  private func goesBefore(_ one: ScannedFile, _ other: ScannedFile) -> Bool {
    guard one.subdirectory == other.subdirectory else { return one.subdirectory == .cur }
    return one.name.octets.lexicographicallyPrecedes(other.name.octets)
  }
}
