internal import CXapian
internal import MailModel
internal import Maildir
internal import Octets
internal import Platform
internal import Threads

/// Changes to an index that become visible together, or not at all.
final class IndexTransaction {
  let database: XapianDatabase
  var recents: RecentWriter
  var folders: FolderTable
  private var labels: LabelTable
  private let people: PeopleWriter
  /// What the metadata said of both before.
  private let before: (folders: FolderTable, labels: LabelTable)
  /// The number of this transaction.
  private let revision: UInt64
  /// Whether any message is another than before.
  private var isChanged = false
  private(set) var report = IndexReport()

  /// Messages whose changes are held at most before they are written.
  private static let editLimit = 1000

  private var edits: [UInt32: MessageEdit] = [:]
  var newcomers: [Newcomer] = []
  var newcomersByID: [[UInt8]: [Int]] = [:]
  var newcomersByFile: [StoredFile: Int] = [:]
  var touchedThreads: Set<ThreadID> = []
  var touchedSubjects: Set<LinkKey> = []
  let subjects: SubjectThreading
  let keywords: FolderKeywordFiles
  private let root: Path
  private var reader: MessageReader

  /// - Parameters:
  ///   - generation: what is written to.
  ///   - root: the root of the folders.
  ///   - subjects: which messages are linked by their subjects from now on; nil: as before.
  /// - Throws: why the database cannot be written to.
  init(
    _ generation: Generation,
    _ root: Path,
    subjects: SubjectThreading? = nil
  ) throws(IndexError) {
    self.root = root
    reader = MessageReader(root)
    keywords = FolderKeywordFiles(root)
    database = try XapianDatabase.writable(generation.path)
    recents = try RecentWriter(generation, database)
    folders = FolderTable(try database.metadata(Schema.Key.folders))
    labels = LabelTable(try database.metadata(Schema.Key.labels))
    people = try PeopleWriter(database)
    before = (folders, labels)
    revision = try Schema.revision(of: database) + 1
    let setting = try database.metadata(Schema.Key.subjects)
    self.subjects =
      subjects ?? SubjectThreading(stored: setting) ?? .all
    try database.begin()
  }

  /// Takes a file, what is in it, and what it was like when that was read.
  func add(
    _ file: StoredFile,
    _ content: MessageContent,
    _ mark: FileMark
  ) throws(IndexError) {
    guard newcomersByFile[file] == nil, try find(file) == nil else { return }
    report.added += 1
    if let number = newcomersByID[content.record.id]?.first(where: {
      newcomers[$0].content.record.content == content.record.content
    }) {
      newcomers[number].add(file, content, mark)
      newcomersByFile[file] = number
      return
    }
    for number in try database.postings(Schema.id(content.record.id)) {
      let old = try edit(number).old
      guard old.id == content.record.id, old.content == content.record.content else { continue }
      try countVariants(number)
      edits[number]?.files.append(file)
      edits[number]?.count(content.variant, 1)
      edits[number]?.contents[content.variant] = content
      let entry = FileEntry(document: number, mark, variant: content.variant)
      try database.set(Schema.path(file), to: entry)
      return
    }
    newcomersByID[content.record.id, default: []].append(newcomers.count)
    newcomersByFile[file] = newcomers.count
    newcomers.append(Newcomer(file, content, mark))
  }

  /// Forgets a file, and with the last one the message.
  func remove(_ file: StoredFile) throws(IndexError) {
    if let number = newcomersByFile.removeValue(forKey: file) {
      newcomers[number].remove(file)
      report.removed += 1
      return
    }
    guard let number = try find(file) else { return }
    report.removed += 1
    try forget(file, of: number)
    guard let edit = edits[number], edit.files.isEmpty else { return }
    edits[number] = nil
    try delete(number, edit.old)
  }

  /// Gives a file another name.
  ///
  /// - Returns: false where the index knows neither name.
  func rename(_ file: StoredFile, to new: StoredFile) throws(IndexError) -> Bool {
    if let number = newcomersByFile.removeValue(forKey: file) {
      newcomers[number].rename(file, to: new)
      newcomersByFile[new] = number
      return true
    }
    guard let number = try find(file) else { return try find(new) != nil }
    guard file != new else { return true }
    // Whatever the index knew under the new name has been replaced.
    try remove(new, unlessOf: number)
    if try edit(number).files.contains(new) { try forget(new, of: number) }
    edits[number]?.files.remove(file)
    edits[number]?.files.append(new)
    let known = try database.entry(Schema.path(file))
    let entry = FileEntry(document: number, known?.mark, variant: known?.variant)
    try database.set(Schema.path(file), to: nil)
    try database.set(Schema.path(new), to: entry)
    report.renamed += 1
    return true
  }

  /// The names under which the index has files of a base name in a folder.
  func names(of base: [UInt8], in folder: Int) throws(IndexError) -> [StoredFile] {
    guard try !database.documents(of: base, in: folder).isEmpty else { return [] }
    try writeEdits()
    var names: [StoredFile] = []
    for number in try database.documents(of: base, in: folder) {
      names += try Record(database.data(number)).files.filter {
        $0.folder == folder && $0.scanned.name.base == base
      }
    }
    return names
  }

  /// Keeps under the key of a file what it is like now, unless it is another message's by now.
  func renew(_ key: [UInt8], _ entry: FileEntry) throws(IndexError) {
    guard try database.document(key) == entry.document else { return }
    try database.set(key, to: entry)
  }

  /// Gives the message with a file of a base name the keywords that it has by the folder's file.
  func mark(_ base: [UInt8], in folder: Int) throws(IndexError) {
    try writeEdits()
    for number in try database.documents(of: base, in: folder) {
      let record = try Record(database.data(number))
      if try update(number, from: record, to: record) { report.marked += 1 }
    }
  }

  /// The change of a message of the database, begun where there is none.
  private func edit(_ number: UInt32) throws(IndexError) -> MessageEdit {
    if let known = edits[number] { return known }
    if edits.count >= Self.editLimit { try writeEdits() }
    let record = try Record(database.data(number))
    let edit = MessageEdit(record)
    edits[number] = edit
    return edit
  }

  private func writeEdits() throws(IndexError) {
    for (number, edit) in edits {
      if edit.isReworded, let content = try content(of: edit) {
        try replace(number, content, edit.record)
      } else {
        try update(number, from: edit.old, to: edit.record)
      }
    }
    edits.removeAll()
  }

  /// Has the files of a message counted by their variants from now on.
  private func countVariants(_ number: UInt32) throws(IndexError) {
    guard let edit = edits[number], edit.variants == nil else { return }
    var variants = edit.old.variants
    if variants.isEmpty, let first = edit.files.first {
      let variant = try database.entry(Schema.path(first))?.variant ?? 0
      variants = [variant: edit.old.files.count]
    }
    edits[number]?.variants = variants
    edits[number]?.before = Set(variants.keys)
  }

  /// Takes a file from a message of the database.
  private func forget(_ file: StoredFile, of number: UInt32) throws(IndexError) {
    _ = try edit(number)
    let variant = try database.entry(Schema.path(file))?.variant ?? 0
    try countVariants(number)
    edits[number]?.count(variant, -1)
    edits[number]?.files.remove(file)
    try database.set(Schema.path(file), to: nil)
  }

  /// What the files of a message say together by now; nil where they cannot be read, or say something else.
  private func content(of edit: MessageEdit) throws(IndexError) -> MessageContent? {
    let wanted = edit.variants ?? [:]
    var contents = edit.contents.filter { wanted[$0.key] != nil }
    for file in edit.files.files where contents.count < wanted.count {
      guard let variant = try database.entry(Schema.path(file))?.variant,
        contents[variant] == nil, let content = reader.content(of: file, folders, root)
      else { continue }
      contents[variant] = content
    }
    guard let merged = MessageContent.merged(Array(contents.values)),
      merged.record.id == edit.old.id, merged.record.content == edit.old.content
    else { return nil }
    return merged
  }

  /// Writes a message anew that has other words.
  private func replace(
    _ number: UInt32,
    _ content: MessageContent,
    _ record: Record
  ) throws(IndexError) {
    let document = try makeDocuments().make(
      content,
      files: record.files,
      variants: record.variants,
      keywords: keywords.keywords(of: record.files, folders),
      thread: try thread(of: number)
    )
    try database.replace(number, document)
  }

  /// Writes a record that has other files now, with the keywords that those have.
  ///
  /// - Returns: whether they are others than before.
  @discardableResult
  private func update(
    _ number: UInt32,
    from old: Record,
    to new: Record
  ) throws(IndexError) -> Bool {
    var new = new
    new.keywords = keywords.keywords(of: new.files, folders)
    guard new != old else { return false }
    try makeDocuments().update(number, of: database, from: old, to: new)
    return new.keywords != old.keywords
  }

  /// What is about to change messages.
  func makeDocuments() -> DocumentMaker {
    isChanged = true
    return DocumentMaker(
      revision: revision,
      slot: { self.labels.slot(of: $0) },
      person: { [people] (person) throws(IndexError) in try people.number(of: person) }
    )
  }

  /// Gives the message of a file, which is in the database, other words and terms; nothing where it is gone.
  func replaceWords(of file: StoredFile, by content: MessageContent) throws(IndexError) {
    guard let number = try find(file) else { return }
    let record = try edit(number).old
    edits[number] = nil
    guard record.id == content.record.id else { return }
    var content = content
    content.record = record
    try replace(number, content, record)
  }

  /// Whether a file is known.
  func knows(_ file: StoredFile) throws(IndexError) -> Bool {
    if newcomersByFile[file] != nil { return true }
    return try find(file) != nil
  }

  /// Threads what changed, and makes all changes durable.
  ///
  /// - Parameter metadata: what is to be known together with the changes.
  /// - Throws: why nothing became durable.
  func commit(_ metadata: [(key: String, value: [UInt8])] = []) throws(IndexError) {
    try writeEdits()
    try thread()
    try people.write()
    try recents.foldIfEmpty(database)
    if folders != before.folders { try database.setMetadata(Schema.Key.folders, folders.octets) }
    if labels != before.labels { try database.setMetadata(Schema.Key.labels, labels.octets) }
    if isChanged { try database.setMetadata(Schema.Key.revision, Array(decimal: revision)) }
    for (key, value) in metadata { try database.setMetadata(key, value) }
    try database.setMetadata(Schema.Key.schema, Array(decimal: Schema.number), MAGNUM_INDEX_MAIN)
    try recents.commit(database)
  }

  /// Threads everything anew, as after a change of the setting for subjects.
  func touchAll() throws(IndexError) {
    for term in try database.terms([Schema.Prefix.thread]) {
      touchedThreads.insert(ThreadID(rawValue: UInt64(octets: term.dropFirst())))
    }
  }

  // MARK: Finding

  /// The document of a file.
  private func find(_ file: StoredFile) throws(IndexError) -> UInt32? {
    guard let number = try database.document(Schema.path(file)) else { return nil }
    // Long names are told apart by a checksum: nearly always.
    return try edit(number).files.contains(file) ? number : nil
  }

  private func remove(_ file: StoredFile, unlessOf number: UInt32) throws(IndexError) {
    if newcomersByFile[file] != nil { return try remove(file) }
    guard let other = try find(file), other != number else { return }
    try remove(file)
  }

  private func delete(_ number: UInt32, _ record: Record) throws(IndexError) {
    touchedThreads.insert(try thread(of: number))
    if let subject = record.subjectLink { touchedSubjects.insert(subject.key) }
    try database.delete(number)
    isChanged = true
  }
}
