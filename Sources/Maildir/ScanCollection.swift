internal import Octets
internal import Platform

/// The entries of one reading of a Maildir on their way to being a scan.
struct ScanCollection {
  let maildir: Path
  private var files: [ScannedFile] = []
  private var oddities: [Oddity] = []

  init(maildir: Path) {
    self.maildir = maildir
  }

  /// Reads one directory; gives its fingerprint from before.
  mutating func read(_ subdirectory: Subdirectory) throws(SystemError) -> FileFingerprint {
    try FileSystem.entries(of: subdirectory.path(in: maildir)) { octets, kind in
      guard octets.first != ASCII.dot else { return }
      let file = ScannedFile(name: FileName(Array(octets)), subdirectory: subdirectory)
      if kind != .regular {
        oddities.append(.notAFile(file, kind))
      } else if file.name.isBaseEmpty {
        oddities.append(.noBase(file))
      } else {
        files.append(file)
      }
    }
  }

  /// The files, each base once, and what else there was.
  ///
  /// While names move, a base seen twice may be one file at two times, and is not reported.
  func result(isSettled: Bool) throws(SystemError) -> (files: [ScannedFile], oddities: [Oddity]) {
    var positions = [BaseKey: Int](minimumCapacity: files.count)
    var kept: [ScannedFile] = []
    kept.reserveCapacity(files.count)
    var oddities = oddities
    for file in files {
      let key = BaseKey(name: file.name)
      guard let position = positions[key] else {
        positions[key] = kept.count
        kept.append(file)
        continue
      }
      let choice = try choose(kept[position], file)
      kept[position] = choice.kept
      if isSettled, let other = choice.other {
        oddities.append(.duplicate(kept: choice.kept, other: other))
      }
    }
    return (kept, oddities)
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

  /// A file name that equals those with the same base.
  private struct BaseKey: Hashable {
    let name: FileName

    static func == (left: BaseKey, right: BaseKey) -> Bool {
      left.name.hasBase(of: right.name)
    }

    func hash(into hasher: inout Hasher) {
      name.hashBase(into: &hasher)
    }
  }
}
