internal import CXapian
internal import MailModel
internal import Maildir
internal import Octets
internal import Platform
internal import Threads

/// Makes the index of a whole Maildir.
///
/// Headers first, so that threads are known; then documents, in disposable databases of a thousand each, since small
/// ones stay in the processor's cache and need no care for crashes; then all of them made one in a single pass.
struct FirstBuild: Sendable {
  let root: Path
  let subjects: SubjectThreading
  let interruption: Interruption
  /// Told how many messages are done, of how many; from several threads.
  let progress: @Sendable (_ done: Int, _ total: Int) -> Void

  /// Messages that share an id, and their thread.
  private struct Group: Sendable {
    var files: [StoredFile]
    let date: Int64
    let thread: ThreadID
    /// The length of the longest of the files.
    var size: UInt64

    /// Whether it takes so much memory that one is enough at a time.
    var isHeavy: Bool { size > 1 << 20 }
  }

  /// What was made.
  struct Result {
    var report = IndexReport()
    var unreadable: [StoredFile] = []
    /// The dates of the documents, in their order.
    var dates: [Int64] = []
    /// The slots of their labels.
    var labels = LabelTable()
  }

  /// The revision of all documents.
  static let revision: UInt64 = 1

  /// Makes a database at a path where nothing is yet.
  ///
  /// - Parameters:
  ///   - files: what to index.
  ///   - folders: the numbers of their folders.
  ///   - output: where the database goes; not durable on return.
  ///   - scratch: a directory for what is disposable; made, and removed.
  /// - Returns: what was made.
  /// - Throws: why it could not be made.
  func run(
    _ files: [StoredFile],
    _ folders: FolderTable,
    to output: Path,
    scratch: Path
  ) throws(IndexError) -> Result {
    let survey = Survey(root: root, folders: folders, interruption: interruption)
    let (found, unreadable) = try survey.run(files)
    let groups = groups(found)
    let count = Self.chunkSize
    let pieces = stride(from: 0, to: groups.count, by: count).map {
      $0..<min($0 + count, groups.count)
    }
    do throws(SystemError) {
      try IndexPlace.removeTree(scratch)
      try FileSystem.makeDirectories(scratch)
    } catch {
      throw .system(error)
    }
    let labels = Monitor(LabelTable())
    let result = try makeChunks(groups, pieces, folders, labels, scratch)
    try merge(pieces.map { chunk(scratch, $0) }, to: output, scratch)
    try addPaths(pieces.compactMap { result.chunks[$0.lowerBound] }, to: output)
    do throws(SystemError) { try IndexPlace.removeTree(scratch) } catch { throw .system(error) }
    return Result(
      report: result.report,
      unreadable: unreadable + result.unreadable,
      dates: pieces.flatMap { result.chunks[$0.lowerBound]?.dates ?? [] },
      labels: labels.withLock { $0 }
    )
  }

  /// How many messages a disposable database holds: fewer where many are made at once, since each needs memory.
  private static let chunkSize = max(250, 2000 / Workers.count)

  /// How many postings all of them hold in memory before they are written to disk.
  private static let costLimit = 300_000

  private func groups(_ found: [SurveyedFile]) -> [Group] {
    let members = found.map(\.member)
    let threads = ThreadPartition.threads(of: members, subjects: subjects)
    let names = ThreadNaming.names(
      for: threads,
      of: members,
      previous: [ThreadID?](repeating: nil, count: members.count),
      isTaken: { _ in false }
    )
    var groups: [Group] = []
    var places: [LinkKey: Int] = [:]
    for (thread, name) in zip(threads, names) {
      for number in thread {
        let member = members[number]
        if let place = places[member.id] {
          groups[place].files.append(found[number].file)
          groups[place].size = max(groups[place].size, found[number].size)
        } else {
          places[member.id] = groups.count
          groups.append(
            Group(
              files: [found[number].file],
              date: member.date,
              thread: name,
              size: found[number].size
            )
          )
        }
      }
    }
    // By date, so that the documents of newest messages lie side by side.
    return groups.sorted { $0.date < $1.date }
  }

  private func chunk(_ scratch: Path, _ piece: Range<Int>) -> Path {
    scratch.appending("chunk-\(piece.lowerBound)")
  }

  private func makeChunks(
    _ groups: [Group],
    _ pieces: [Range<Int>],
    _ folders: FolderTable,
    _ labels: Monitor<LabelTable>,
    _ scratch: Path
  ) throws(IndexError) -> Shared {
    let result = Monitor(Shared())
    let heavy = Monitor(false)
    try Workers.run(pieces: pieces, interruption) {
      var reader = MessageReader()
      let keywords = FolderKeywordFiles(root)
      let documents = DocumentMaker(revision: Self.revision) { label in
        labels.withLock { $0.slot(of: label) }
      }
      return { (piece: Range<Int>) throws(IndexError) in
        let database = try XapianDatabase(chunk(scratch, piece), MAGNUM_INDEX_DISPOSABLE)
        var chunk = Chunk()
        for group in groups[piece] {
          if group.isHeavy {
            try chunk.flush(database)
            try heavy.withLock { _ throws(IndexError) in
              try add(group, folders, keywords, documents, &reader, to: database, &chunk)
              try chunk.flush(database)
            }
          } else {
            try add(group, folders, keywords, documents, &reader, to: database, &chunk)
            if chunk.cost > Self.costLimit / Workers.count { try chunk.flush(database) }
          }
          LifeSign.give()
          let done = result.withLock { $0.countOne() }
          if done % 100 == 0 { progress(done, groups.count) }
        }
        try database.flush()
        let made = chunk
        result.withLock { $0.take(made, piece.lowerBound) }
      }
    }
    return result.withLock { $0 }
  }

  /// What is in a disposable database besides documents.
  private struct Chunk: Sendable {
    /// The documents' files, by the number of the document in it.
    var files: [(file: StoredFile, document: UInt32)] = []
    var dates: [Int64] = []
    var count: UInt32 = 0
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

  private struct Shared: Sendable {
    var done = 0
    var report = IndexReport()
    var unreadable: [StoredFile] = []
    var chunks: [Int: Chunk] = [:]

    mutating func countOne() -> Int {
      done += 1
      return done
    }

    mutating func take(_ chunk: Chunk, _ number: Int) {
      chunks[number] = chunk
      report.add(chunk.report)
      unreadable += chunk.unreadable
    }
  }

  /// Keeps the document of each file, now that documents have the numbers they will keep.
  private func addPaths(_ chunks: [Chunk], to output: Path) throws(IndexError) {
    let database = try XapianDatabase.writable(output)
    var first: UInt32 = 0
    var keys: [(key: [UInt8], document: UInt32)] = []
    for chunk in chunks {
      keys += chunk.files.map { (Schema.path($0.file), first + $0.document) }
      first += chunk.count
    }
    // In the order of the file on disk, so that each of its blocks is written once.
    keys.sort { $0.key.lexicographicallyPrecedes($1.key) }
    for (number, (key, document)) in keys.enumerated() {
      if number % 1000 == 0 { LifeSign.give() }
      try database.set(key, to: document)
    }
    try database.flush()
  }

  /// Adds the messages of one id: one document for each content.
  private func add(
    _ group: Group,
    _ folders: FolderTable,
    _ keywords: FolderKeywordFiles,
    _ documents: DocumentMaker,
    _ reader: inout MessageReader,
    to database: XapianDatabase,
    _ chunk: inout Chunk
  ) throws(IndexError) {
    var messages: [(content: MessageContent, files: [StoredFile])] = []
    for file in group.files {
      let maildir = root.appending(folders.name(file.folder))
      do throws(SystemError) {
        guard
          let (octets, size) = try MailFile.read(
            maildir,
            file.scanned,
            limit: MessageReader.sizeLimit
          )
        else { continue }
        let content = reader.content(octets, fileName: file.name, size: size)
        let same = messages.firstIndex {
          $0.content.record.id == content.record.id
            && $0.content.record.content == content.record.content
        }
        if let same {
          messages[same].files.append(file)
        } else {
          messages.append((content, [file]))
        }
        chunk.report.added += 1
        chunk.report.opened += 1
      } catch {
        chunk.unreadable.append(file)
        chunk.report.failed += 1
      }
    }
    for (content, files) in messages {
      let document = try documents.make(
        content,
        files: files,
        keywords: keywords.keywords(of: files, folders),
        thread: group.thread
      )
      let number = try database.add(document)
      chunk.count = number
      chunk.cost += content.cost
      chunk.dates.append(content.record.date)
      chunk.files += files.map { ($0, number) }
    }
  }

  /// Makes one database of many, some dozens at a time, since each keeps files open.
  private func merge(_ chunks: [Path], to output: Path, _ scratch: Path) throws(IndexError) {
    var chunks = chunks
    var round = 0
    while chunks.count > Self.mergeLimit {
      var merged: [Path] = []
      for start in stride(from: 0, to: chunks.count, by: Self.mergeLimit) {
        if interruption.isRequested { throw IndexError.interrupted }
        let some = Array(chunks[start..<min(start + Self.mergeLimit, chunks.count)])
        let path = scratch.appending("merge-\(round)-\(start)")
        LifeSign.give()
        try XapianDatabase.compact(some, to: path)
        do throws(SystemError) {
          for chunk in some { try IndexPlace.removeTree(chunk) }
        } catch {
          throw .system(error)
        }
        merged.append(path)
      }
      chunks = merged
      round += 1
    }
    if chunks.isEmpty {
      let empty = scratch.appending("empty")
      try XapianDatabase(empty, MAGNUM_INDEX_DISPOSABLE).flush()
      chunks = [empty]
    }
    LifeSign.give()
    try XapianDatabase.compact(chunks, to: output)
    LifeSign.give()
  }

  private static let mergeLimit = 60
}
