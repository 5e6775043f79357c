internal import CXapian
internal import Maildir
internal import Platform
internal import Threads

/// Makes the documents of a first build, on all processors, in disposable databases.
struct ChunkMaker: Sendable {
  let root: Path
  let folders: FolderTable
  let files: StoredFiles
  let groups: MessageGroups
  /// The files that take so much memory that one is enough at a time.
  let heavy: Set<Int>
  /// Where the databases go.
  let scratch: Path

  /// What was made.
  struct Result: Sendable {
    var report = IndexReport()
    var unreadable: [StoredFile] = []
    /// The databases, in the order of their documents.
    var paths: [Path] = []
    /// The dates of the documents.
    var bounds = DateBounds.Writer()
    /// The document of each file, as numbered when all databases are one; 0 for none.
    var documents: [UInt32]
    /// What each file was like when it was read.
    var marks: [FileMark]
    /// Which variant of its message each file is.
    var variants: [UInt32]
    /// The slots of their labels.
    var labels = LabelTable()
    /// Their senders and receivers.
    var people = PeopleCollector()
    fileprivate var done = 0
    /// Databases that were done before an earlier one, by number.
    fileprivate var waiting: [Int: Chunk] = [:]
    /// The number of the next one.
    fileprivate var next = 0
  }

  /// What is in a database besides documents.
  fileprivate struct Chunk: Sendable {
    /// The documents of files, as numbered in it.
    var documents: [(file: Int, mark: FileMark, variant: UInt32, document: UInt32)] = []
    var dates: [Int64] = []
    var report = IndexReport()
    var unreadable: [StoredFile] = []
    /// Of what is not written yet.
    var cost = 0

    /// Writes what is in memory.
    mutating func flush(_ database: XapianDatabase) throws(IndexError) {
      if cost > 0 { try database.flush() }
      cost = 0
    }
  }

  /// How many messages a database holds: fewer where many are made at once, since each needs memory.
  private static let size = max(250, 2000 / Workers.count)

  /// How many postings all threads hold in memory before they are written to disk.
  ///
  /// Fewer beside many messages, since what is known of each of them takes memory until the end.
  fileprivate var costLimit: Int { groups.count > 50_000 ? 150_000 : 300_000 }

  /// Makes all databases.
  ///
  /// - Parameters:
  ///   - interruption: ends the work between two databases.
  ///   - progress: told how many messages are done, of how many; from several threads.
  /// - Returns: what was made, its documents numbered as in all databases together.
  /// - Throws: why one could not be made.
  func makeChunks(
    _ interruption: Interruption,
    _ progress: @escaping @Sendable (_ done: Int, _ total: Int) -> Void
  ) throws(IndexError) -> Result {
    let pieces = stride(from: 0, to: groups.count, by: Self.size).enumerated().map {
      (number: $0.offset, groups: $0.element..<min($0.element + Self.size, groups.count))
    }
    var empty = Result(count: files.count)
    empty.paths = pieces.map { scratch.appending("chunk-\($0.number)") }
    let paths = empty.paths
    let result = Monitor(empty)
    let isBusy = Monitor(false)
    empty = Result(count: 0)
    try Workers.run(pieces: pieces, interruption) {
      let documents = DocumentMaker(
        revision: FirstBuild.revision,
        slot: { label in result.withLock { $0.labels.slot(of: label) } },
        person: { person in result.withLock { $0.people.number(of: person) } }
      )
      var worker = ChunkWorker(self, documents, isBusy)
      return { (piece: (number: Int, groups: Range<Int>)) throws(IndexError) in
        let chunk = try worker.make(piece.groups, at: paths[piece.number]) {
          let done = result.withLock { $0.countOne() }
          if done % 100 == 0 { progress(done, groups.count) }
        }
        result.withLock { $0.addChunk(chunk, piece.number) }
      }
    }
    return result.withLock { result in
      defer { result = Result(count: 0) }
      return result
    }
  }
}

/// Makes databases, one after the other, in one of the threads.
private struct ChunkWorker {
  private let maker: ChunkMaker
  private let documents: DocumentMaker
  private let keywords: FolderKeywordFiles
  /// Held by the thread that has a heavy message in memory.
  private let isBusy: Monitor<Bool>
  private var reader: MessageReader

  init(_ maker: ChunkMaker, _ documents: DocumentMaker, _ isBusy: Monitor<Bool>) {
    self.maker = maker
    reader = MessageReader(maker.root)
    self.documents = documents
    self.isBusy = isBusy
    keywords = FolderKeywordFiles(maker.root)
  }

  /// Makes the database of some groups at a path; `didAdd` is called for each of them.
  mutating func make(
    _ groups: Range<Int>,
    at path: Path,
    _ didAdd: () -> Void
  ) throws(IndexError) -> ChunkMaker.Chunk {
    let database = try XapianDatabase(path, MAGNUM_INDEX_DISPOSABLE)
    var chunk = ChunkMaker.Chunk()
    for group in groups {
      if maker.groups.files(group).contains(where: maker.heavy.contains) {
        try addAlone(group, to: database, &chunk)
      } else {
        try add(group, to: database, &chunk)
        if chunk.cost > maker.costLimit / Workers.count { try chunk.flush(database) }
      }
      Heartbeat.give()
      didAdd()
    }
    try database.flush()
    return chunk
  }

  /// Adds the messages of one id while no other thread has as much in memory.
  private mutating func addAlone(
    _ group: Int,
    to database: XapianDatabase,
    _ chunk: inout ChunkMaker.Chunk
  ) throws(IndexError) {
    try chunk.flush(database)
    try isBusy.withLock { _ throws(IndexError) in
      try add(group, to: database, &chunk)
      try chunk.flush(database)
    }
  }

  /// Adds the messages of one id: one document for each content.
  private mutating func add(
    _ group: Int,
    to database: XapianDatabase,
    _ chunk: inout ChunkMaker.Chunk
  ) throws(IndexError) {
    for message in try messages(of: group, &chunk) {
      guard let content = MessageContent.merged(Array(message.contents.values)) else { continue }
      let files = message.files.map(\.file)
      let document = try documents.make(
        content,
        files: files,
        variants: message.variants,
        keywords: keywords.keywords(of: files, maker.folders),
        thread: maker.groups.thread(group)
      )
      let number = try database.add(document)
      chunk.cost += content.cost
      chunk.dates.append(content.record.date)
      chunk.documents += message.files.map { ($0.number, $0.mark, $0.variant, number) }
    }
  }

  /// A file of a message.
  private typealias Found = (number: Int, file: StoredFile, mark: FileMark, variant: UInt32)

  /// A message with its files, and what those of each variant say.
  private struct GroupMessage {
    var contents: [UInt32: MessageContent] = [:]
    var files: [Found] = []

    /// How many files there are of each variant; empty where all are of one.
    var variants: [UInt32: Int] {
      contents.count < 2 ? [:] : Dictionary(files.map { ($0.variant, 1) }, uniquingKeysWith: +)
    }

    func isOne(with content: MessageContent) -> Bool {
      guard let record = contents.values.first?.record else { return false }
      return record.id == content.record.id && record.content == content.record.content
    }
  }

  /// The messages of the files of a group.
  private mutating func messages(
    of group: Int,
    _ chunk: inout ChunkMaker.Chunk
  ) throws(IndexError) -> [GroupMessage] {
    var messages: [GroupMessage] = []
    for number in maker.groups.files(group) {
      let file = try maker.files.file(number)
      do throws(SystemError) {
        guard let (content, mark) = try content(of: file) else { continue }
        let same = messages.firstIndex { $0.isOne(with: content) } ?? messages.count
        if same == messages.count { messages.append(GroupMessage()) }
        messages[same].contents[content.variant] = content
        messages[same].files.append((number, file, mark, content.variant))
        chunk.report.added += 1
        chunk.report.opened += 1
      } catch {
        chunk.unreadable.append(file)
        chunk.report.addFailures(1, [error])
      }
    }
    return messages
  }

  /// What a file says, and what it is like; nil where it is gone.
  private mutating func content(
    of file: StoredFile
  ) throws(SystemError) -> (MessageContent, FileMark)? {
    let read = try MailFile.read(
      maker.root.appending(maker.folders.name(file.folder)),
      file.scanned,
      limit: MessageReader.sizeLimit
    )
    return read.map { (reader.content($0), $0.mark) }
  }
}

extension ChunkMaker.Result {
  fileprivate init(count: Int) {
    documents = Array(repeating: 0, count: count)
    marks = Array(repeating: FileMark(inode: 0, version: 0), count: count)
    variants = Array(repeating: 0, count: count)
  }

  fileprivate mutating func countOne() -> Int {
    done += 1
    return done
  }

  /// Adds the content of the database of that number, behind those before it.
  fileprivate mutating func addChunk(_ chunk: ChunkMaker.Chunk, _ number: Int) {
    waiting[number] = chunk
    while let chunk = waiting.removeValue(forKey: next) {
      append(chunk)
      next += 1
    }
  }

  /// Numbers the documents of all databases one after another, as they are in the one made of them.
  private mutating func append(_ chunk: ChunkMaker.Chunk) {
    report.add(chunk.report)
    unreadable += chunk.unreadable
    let before = UInt32(bounds.count)
    for (file, mark, variant, document) in chunk.documents {
      documents[file] = before + document
      marks[file] = mark
      variants[file] = variant
    }
    for date in chunk.dates { bounds.add(date) }
  }
}
