internal import Maildir
internal import Platform

/// What the files of keywords and tags in folders say, each read when it is first asked for; for one thread at a time.
final class FolderKeywordFiles {
  private let root: Path
  private var files: [[UInt8]: FolderTags] = [:]

  init(_ root: Path) {
    self.root = root
  }

  /// The keywords of a message that has these files.
  func keywords(of files: [StoredFile], _ folders: FolderTable) -> Set<Keyword> {
    var keywords: Set<Keyword> = []
    for file in files {
      let words = self.file(in: folders.name(file.folder))[base: FileName(file.name).base]
      keywords.formUnion(words.compactMap { Keyword(folder: file.folder, $0) })
    }
    return keywords
  }

  /// The file of a folder; one that cannot be read says nothing.
  private func file(in folder: [UInt8]) -> FolderTags {
    if let file = files[folder] { return file }
    let file = FolderTags(of: root.appending(folder))
    files[folder] = file
    return file
  }
}
