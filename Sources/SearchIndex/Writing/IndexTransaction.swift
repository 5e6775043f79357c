internal import MailModel
internal import Maildir
internal import Octets
internal import Platform
internal import Threads

/// Changes to an index that become visible together, or not at all.
final class IndexTransaction {
  let database: XapianDatabase
  private var recents: RecentWriter
  var folders: FolderTable
  private var labels: LabelTable
  /// What the metadata said of both before.
  private let before: (folders: FolderTable, labels: LabelTable)
  /// The number of this transaction.
  private let revision: UInt64
  /// Whether any message is another than before.
  private var isChanged = false
  private(set) var report = IndexReport()

  /// A message that is not in the database yet.
  private struct Newcomer {
    let content: MessageContent
    var files: FileList
  }

  /// A message of the database whose files change; written once, however many of them do.
  private struct Edit {
    let old: Record
    var files: FileList
  }

  /// Messages whose changes are held at most before they are written.
  private static let editLimit = 1000

  private var edits: [UInt32: Edit] = [:]
  private var newcomers: [Newcomer] = []
  private var newcomersByID: [[UInt8]: [Int]] = [:]
  private var newcomersByFile: [StoredFile: Int] = [:]
  private var touchedThreads: Set<ThreadID> = []
  private var touchedSubjects: Set<LinkKey> = []
  private let subjects: SubjectThreading
  private let keywords: FolderKeywordFiles

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
    keywords = FolderKeywordFiles(root)
    database = try XapianDatabase.writable(generation.path)
    recents = try RecentWriter(generation, database)
    folders = FolderTable(try database.metadata(Schema.Key.folders))
    labels = LabelTable(try database.metadata(Schema.Key.labels))
    before = (folders, labels)
    revision = try Schema.revision(of: database) + 1
    let setting = try database.metadata(Schema.Key.subjects)
    self.subjects =
      subjects ?? SubjectThreading(rawValue: String(decoding: setting, as: UTF8.self)) ?? .all
    try database.begin()
  }

  /// Takes a file and what is in it.
  func add(_ file: StoredFile, _ content: MessageContent) throws(IndexError) {
    guard newcomersByFile[file] == nil, try find(file) == nil else { return }
    report.added += 1
    if let number = newcomersByID[content.record.id]?.first(where: {
      newcomers[$0].content.record.content == content.record.content
    }) {
      newcomers[number].files.append(file)
      newcomersByFile[file] = number
      return
    }
    for number in try database.postings(Schema.id(content.record.id)) {
      let old = try edit(number).old
      guard old.id == content.record.id, old.content == content.record.content else { continue }
      edits[number]?.files.append(file)
      try database.set(Schema.path(file), to: number)
      return
    }
    newcomersByID[content.record.id, default: []].append(newcomers.count)
    newcomersByFile[file] = newcomers.count
    newcomers.append(Newcomer(content: content, files: FileList([file])))
  }

  /// Forgets a file, and with the last one the message.
  func remove(_ file: StoredFile) throws(IndexError) {
    if let number = newcomersByFile.removeValue(forKey: file) {
      newcomers[number].files.remove(file)
      report.removed += 1
      return
    }
    guard let number = try find(file) else { return }
    report.removed += 1
    try database.set(Schema.path(file), to: nil)
    edits[number]?.files.remove(file)
    guard let edit = edits[number], edit.files.isEmpty else { return }
    edits[number] = nil
    try delete(number, edit.old)
  }

  /// Gives a file another name.
  ///
  /// - Returns: false where the index knows neither name.
  func rename(_ file: StoredFile, to new: StoredFile) throws(IndexError) -> Bool {
    if let number = newcomersByFile.removeValue(forKey: file) {
      newcomers[number].files.remove(file)
      newcomers[number].files.remove(new)
      newcomers[number].files.append(new)
      newcomersByFile[new] = number
      return true
    }
    guard let number = try find(file) else { return try find(new) != nil }
    guard file != new else { return true }
    // Whatever the index knew under the new name has been replaced.
    try remove(new, unlessOf: number)
    _ = try edit(number)
    edits[number]?.files.remove(file)
    edits[number]?.files.remove(new)
    edits[number]?.files.append(new)
    try database.set(Schema.path(file), to: nil)
    try database.set(Schema.path(new), to: number)
    report.renamed += 1
    return true
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
  private func edit(_ number: UInt32) throws(IndexError) -> Edit {
    if let known = edits[number] { return known }
    if edits.count >= Self.editLimit { try writeEdits() }
    let record = try Record(database.data(number))
    let edit = Edit(old: record, files: FileList(record.files))
    edits[number] = edit
    return edit
  }

  private func writeEdits() throws(IndexError) {
    for (number, edit) in edits {
      var new = edit.old
      new.files = edit.files.files
      try update(number, from: edit.old, to: new)
    }
    edits.removeAll()
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
  private func makeDocuments() -> DocumentMaker {
    isChanged = true
    return DocumentMaker(revision: revision) { self.labels.slot(of: $0) }
  }

  /// Gives the message of a file, which is in the database, other words and terms; nothing where it is not there any more.
  func replaceWords(of file: StoredFile, by content: MessageContent) throws(IndexError) {
    guard let number = try find(file) else { return }
    let record = try edit(number).old
    edits[number] = nil
    guard record.id == content.record.id else { return }
    var content = content
    content.record = record
    let document = try makeDocuments().make(
      content,
      files: record.files,
      keywords: record.keywords,
      thread: try thread(of: number)
    )
    try database.replace(number, document)
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
    try recents.settle(database)
    if folders != before.folders { try database.setMetadata(Schema.Key.folders, folders.octets) }
    if labels != before.labels { try database.setMetadata(Schema.Key.labels, labels.octets) }
    if isChanged { try database.setMetadata(Schema.Key.revision, Array(decimal: revision)) }
    for (key, value) in metadata { try database.setMetadata(key, value) }
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

  // MARK: Threading

  private func thread(of number: UInt32) throws(IndexError) -> ThreadID {
    ThreadID(rawValue: UInt64(octets: try database.value(number, Schema.Slot.thread)))
  }

  /// Puts the newcomers into threads, and messages into other ones where that follows.
  ///
  /// What shares no link, subject or thread with a change cannot be changed by it.
  private func thread() throws(IndexError) {
    let arrived = newcomers.filter { !$0.files.isEmpty }
    for newcomer in arrived { try touch(newcomer.content.record.member) }
    try touchSubjects()
    let cost = arrived.reduce(0) { $0 + $1.content.cost }
    try recents.makeRoom(for: arrived.count, cost: cost, database)
    guard !arrived.isEmpty || !touchedThreads.isEmpty else { return }
    let (numbers, members, names) = try residents()
    let threads = try threads(
      of: members + arrived.map(\.content.record.member),
      previous: names + arrived.map { _ in nil }
    )
    for (place, thread) in threads.enumerated() {
      guard let thread else { continue }
      if place >= numbers.count {
        try add(arrived[place - numbers.count], to: thread)
      } else if names[place] != thread {
        try makeDocuments().move(numbers[place], of: database, from: names[place], to: thread)
      }
    }
    forgetChanges()
  }

  /// The thread of each message; one that some of them were in before keeps its name as far as it can.
  private func threads(
    of members: [ThreadMember],
    previous names: [ThreadID?]
  ) throws(IndexError) -> [ThreadID?] {
    let threads = ThreadPartition.threads(of: members, subjects: subjects)
    let fresh = try ThreadNaming.names(for: threads, of: members, previous: names) {
      (name) throws(IndexError) in
      guard !touchedThreads.contains(name) else { return false }
      return try database.frequency(Schema.thread(name)) > 0
    }
    var assigned = [ThreadID?](repeating: nil, count: members.count)
    for (thread, name) in zip(threads, fresh) {
      for place in thread { assigned[place] = name }
    }
    return assigned
  }

  private func add(_ newcomer: Newcomer, to thread: ThreadID) throws(IndexError) {
    let files = newcomer.files.files
    let number = try database.add(
      try makeDocuments().make(
        newcomer.content,
        files: files,
        keywords: keywords.keywords(of: files, folders),
        thread: thread
      )
    )
    for file in files { try database.set(Schema.path(file), to: number) }
  }

  private func forgetChanges() {
    newcomers.removeAll()
    newcomersByID.removeAll()
    newcomersByFile.removeAll()
    touchedThreads.removeAll()
    touchedSubjects.removeAll()
  }

  /// The threads that a message has anything to do with.
  private func touch(_ member: ThreadMember) throws(IndexError) {
    for key in [member.id] + member.links {
      guard let first = try database.postings(Schema.link(key)).first else { continue }
      // All that share a link are in one thread already.
      touchedThreads.insert(try thread(of: first))
    }
    if let subject = member.subject { touchedSubjects.insert(subject.key) }
  }

  private func touchSubjects() throws(IndexError) {
    guard subjects != .off else { return }
    for key in touchedSubjects {
      for number in try database.postings(Schema.subjectLink(key)) {
        touchedThreads.insert(try thread(of: number))
      }
    }
  }

  /// All messages of the threads concerned.
  private func residents() throws(IndexError) -> ([UInt32], [ThreadMember], [ThreadID?]) {
    var numbers: [UInt32] = []
    var members: [ThreadMember] = []
    var names: [ThreadID?] = []
    for name in touchedThreads.sorted() {
      for number in try database.postings(Schema.thread(name)) {
        numbers.append(number)
        members.append(try Record(database.data(number)).member)
        names.append(name)
      }
    }
    return (numbers, members, names)
  }
}
