internal import Maildir
internal import Platform

/// Which messages have other keywords by their folders' files than an index knows.
struct KeywordDifference {
  private(set) var changes: [MaildirChange] = []

  /// Compares files of keywords with what is known of them.
  ///
  /// - Parameters:
  ///   - names: the folders whose files may say something else than before.
  ///   - database: what is known, with all files of these folders.
  ///   - root: the root of the folders.
  /// - Throws: why the database cannot be read.
  init(_ names: [[UInt8]], _ database: XapianDatabase, _ root: Path) throws(IndexError) {
    let folders = FolderTable(try database.metadata(Schema.Key.folders))
    for name in names.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      guard let number = folders.known(name) else { continue }
      // One that cannot be read says nothing, to those who index a message too.
      let file = FolderTags(of: root.appending(name))
      let known = try Self.known(number, database)
      let wanted = try Self.wanted(file, number, database)
      for document in Set(known.keys).union(wanted.keys).sorted()
      where known[document] != wanted[document] {
        let record = try Record(database.data(document))
        guard let file = record.files.first(where: { $0.folder == number }) else { continue }
        changes.append(.marked(folder: name, base: file.scanned.name.base))
      }
    }
  }

  private static func known(
    _ folder: Int,
    _ database: XapianDatabase
  ) throws(IndexError) -> [UInt32: Set<[UInt8]>] {
    var known: [UInt32: Set<[UInt8]>] = [:]
    for case (.keyword(let name), let slot) in try LabelTable(database.metadata(Schema.Key.labels))
      .all
    {
      for document in try database.documents(withSlot: slot)
      where try Label.folders(database.value(document, slot)).contains(folder) {
        known[document, default: []].insert(name)
      }
    }
    return known
  }

  private static func wanted(
    _ file: FolderTags,
    _ folder: Int,
    _ database: XapianDatabase
  ) throws(IndexError) -> [UInt32: Set<[UInt8]>] {
    var wanted: [UInt32: Set<[UInt8]>] = [:]
    for base in file.bases {
      let names = file[base: base].compactMap { Keyword(folder: folder, $0)?.name }
      guard !names.isEmpty else { continue }
      for document in try database.documents(of: base, in: folder) {
        wanted[document, default: []].formUnion(names)
      }
    }
    return wanted
  }
}

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
