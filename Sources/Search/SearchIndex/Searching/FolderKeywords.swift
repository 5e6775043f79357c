internal import Maildir
internal import Platform

/// The keywords of folders, each table read when it is first asked for; for one thread at a time.
final class FolderKeywords {
  private let folders: FolderTable
  private let root: Path
  private var tables: [Int: KeywordTable] = [:]

  init(_ folders: FolderTable, _ root: Path) {
    self.folders = folders
    self.root = root
  }

  /// The keywords of the folder of a number.
  private func table(_ folder: Int) -> KeywordTable {
    if let table = tables[folder] { return table }
    let table = KeywordTable.of(root.appending(folders.name(folder)))
    tables[folder] = table
    return table
  }

  /// The keyword that a label stands for; nil for one that stands for none.
  func name(_ label: Label) -> [UInt8]? {
    switch label {
    case .folder: nil
    case .letter(let letter, let folder): table(folder).name(of: letter)
    case .keyword(let name): name
    }
  }

  /// The keywords that a file shows, as tags.
  func tags(of file: StoredFile) -> [Tag] {
    let letters = file.keywordLetters
    guard !letters.isEmpty else { return [] }
    return letters.compactMap { table(file.folder).name(of: $0) }
      .map { Tag(rawValue: String(decoding: $0, as: UTF8.self)) }
  }
}
