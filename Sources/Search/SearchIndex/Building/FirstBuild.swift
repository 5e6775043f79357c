internal import CXapian
internal import MailModel
internal import Platform
internal import Threads

/// Makes the index of a whole Maildir.
///
/// Headers come first, so that threads are known. Then documents are made, in disposable databases of some hundreds each, which
/// stay in the processor's cache and need no care for crashes. At last these are merged in a single pass. Names of files are on
/// disk meanwhile, and threads in columns, so that a message takes about 60 octets of memory.
struct FirstBuild: Sendable {
  let root: Path
  let subjects: SubjectThreading
  let interruption: Interruption
  /// Told how many messages are done, of how many; from several threads.
  let progress: @Sendable (_ done: Int, _ total: Int) -> Void

  /// What was made.
  struct Result {
    var report: IndexReport
    var unreadable: [StoredFile]
    /// What ``DateBounds`` keeps of the documents.
    var dateBounds: [UInt8]
    /// The slots of their labels.
    var labels: LabelTable
    /// Their senders and receivers.
    var people: PeopleCollector
  }

  /// The revision of all documents.
  static let revision: UInt64 = 1

  /// How many disposable databases are made one at a time, since each keeps files open.
  private static let mergeLimit = 60

  /// Makes a database at a path where nothing is yet.
  ///
  /// - Parameters:
  ///   - files: what to index.
  ///   - folders: the numbers of their folders.
  ///   - output: where the database goes; not durable on return.
  ///   - scratch: a directory for what is disposable.
  /// - Returns: what was made.
  /// - Throws: why it could not be made.
  func makeDatabase(
    _ files: StoredFiles,
    _ folders: FolderTable,
    to output: Path,
    scratch: Path
  ) throws(IndexError) -> Result {
    let survey = Survey(root: root, folders: folders, interruption: interruption)
    let found = try survey.readHeaders(files)
    let unreadable = found.unreadable
    let maker = ChunkMaker(
      root: root,
      folders: folders,
      files: files,
      groups: MessageGroups(found.threads.threads(subjects: subjects)),
      heavy: found.heavy,
      scratch: scratch
    )
    Memory.makeRoom(forMessages: files.count)
    let chunks = try maker.makeChunks(interruption, progress)
    try merge(chunks.paths, to: output, scratch)
    try addPaths(files, chunks, to: output)
    var report = chunks.report
    report.addFailures(unreadable.count, found.failures)
    return Result(
      report: report,
      unreadable: unreadable + chunks.unreadable,
      dateBounds: chunks.bounds.octets,
      labels: chunks.labels,
      people: chunks.people
    )
  }

  /// Makes one database of many, some dozens at a time.
  private func merge(_ chunks: [Path], to output: Path, _ scratch: Path) throws(IndexError) {
    var chunks = chunks
    var round = 0
    while chunks.count > Self.mergeLimit {
      var merged: [Path] = []
      for start in stride(from: 0, to: chunks.count, by: Self.mergeLimit) {
        if interruption.isRequested { throw IndexError.interrupted }
        let some = Array(chunks[start..<min(start + Self.mergeLimit, chunks.count)])
        let path = scratch.appending("merge-\(round)-\(start)")
        Heartbeat.give()
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
    Heartbeat.give()
    try XapianDatabase.compact(chunks, to: output)
    Heartbeat.give()
  }

  /// Keeps the document of each file, in the order of the keys, so that each block of the file on disk is written once.
  private func addPaths(
    _ files: StoredFiles,
    _ chunks: ChunkMaker.Result,
    to output: Path
  ) throws(IndexError) {
    let database = try XapianDatabase.writable(output)
    let folders = files.folders.indices.map {
      (key: Schema.paths(in: $0), files: files.folders[$0])
    }
    for folder in folders.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      for start in stride(from: folder.files.lowerBound, to: folder.files.upperBound, by: 1000) {
        Heartbeat.give()
        let piece = start..<min(start + 1000, folder.files.upperBound)
        for (place, file) in zip(piece, try files.files(piece)) where chunks.documents[place] != 0 {
          let entry = FileEntry(
            document: chunks.documents[place],
            chunks.marks[place],
            variant: chunks.variants[place]
          )
          try database.set(Schema.path(file), to: entry)
        }
      }
    }
    try database.flush()
  }
}
