internal import Maildir
internal import Octets
internal import SearchIndex

/// Which files of a message a query names.
indirect enum CopyTest {
  /// Those of the folder of that name.
  case folder([UInt8])
  /// Those of that folder and of all below it.
  case below([UInt8])
  /// Those in one of the two directories of a folder.
  case directory([UInt8], Subdirectory)
  /// Those of folders whose path a regular expression fits.
  case pattern(TextPattern)
  /// Those of that base name.
  case base([UInt8])
  /// Those that all of these name.
  case all([CopyTest])
  /// Those that any of these names.
  case any([CopyTest])

  /// What `path:` names.
  static func path(_ value: [UInt8]) -> CopyTest {
    let below = [ASCII.asterisk, ASCII.asterisk]
    if value.suffix(2) == below[...] { return .below(FolderWords.trimmed(value.dropLast(2))) }
    let path = FolderWords.trimmed(value)
    for directory in Subdirectory.allCases where path.hasSuffix([ASCII.slash] + directory.name) {
      let folder = [UInt8](path.dropLast(directory.name.count + 1))
      return .any([.folder(path), .directory(folder, directory)])
    }
    return .folder(path)
  }

  /// What `file:` names: a name with or without flags, or a path.
  static func file(_ value: [UInt8]) -> CopyTest {
    let name = value.split(separator: ASCII.slash).last.map { [UInt8]($0) } ?? []
    return .base(FileName(name).base)
  }

  /// The files of a message that are named.
  ///
  /// Where each of several tests names other ones, a person has to say which are meant: then all of them.
  func meant(of files: [TargetFile], _ folders: (TargetFile) -> AccountFolders) -> [TargetFile] {
    switch self {
    case .all(let tests):
      let named = tests.map { $0.meant(of: files, folders) }
      let common = files.filter { file in named.allSatisfy { $0.contains(file) } }
      return common.isEmpty ? files.filter { file in named.contains { $0.contains(file) } } : common
    case .any(let tests):
      let named = tests.map { $0.meant(of: files, folders) }
      return files.filter { file in named.contains { $0.contains(file) } }
    case .folder, .below, .directory, .pattern, .base:
      return files.filter { names($0, folders($0)) }
    }
  }

  private func names(_ file: TargetFile, _ folders: AccountFolders) -> Bool {
    switch self {
    case .folder(let name): folders.isMeant(file.folder, by: name)
    case .below(let name): folders.isBelow(file.folder, name)
    case .directory(let name, let directory):
      file.file.subdirectory == directory && folders.isMeant(file.folder, by: name)
    case .pattern(let pattern): pattern.fits(file.folder)
    case .base(let base): file.file.name.base == base
    case .all, .any: false
    }
  }
}

extension [UInt8] {
  fileprivate func hasSuffix(_ end: [UInt8]) -> Bool { suffix(end.count) == end[...] }
}
