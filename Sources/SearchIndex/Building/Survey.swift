internal import Maildir
internal import Octets
internal import Platform
internal import Threads

/// Reads the headers of many files, on all processors, so that threads are known before documents are made.
struct Survey: Sendable {
  let root: Path
  let folders: FolderTable
  let interruption: Interruption

  /// The files that could be read, in their order, and those that could not.
  func run(
    _ files: [StoredFile]
  ) throws(IndexError) -> (found: [SurveyedFile], unreadable: [StoredFile]) {
    let results = Monitor<[Int: ([SurveyedFile], [StoredFile])]>([:])
    try Workers.run(pieces: Self.pieces(files.count), interruption) {
      let reader = MessageReader()
      return { (piece: Range<Int>) throws(IndexError) in
        let result = read(files[piece], reader)
        results.withLock { $0[piece.lowerBound] = result }
      }
    }
    var found: [SurveyedFile] = []
    var unreadable: [StoredFile] = []
    for (_, result) in results.withLock({ $0.sorted { $0.key < $1.key } }) {
      found += result.0
      unreadable += result.1
    }
    return (found, unreadable)
  }

  private static func pieces(_ count: Int) -> [Range<Int>] {
    stride(from: 0, to: count, by: 2000).map { $0..<min($0 + 2000, count) }
  }

  private func read(
    _ files: ArraySlice<StoredFile>,
    _ reader: MessageReader
  ) -> ([SurveyedFile], [StoredFile]) {
    var found: [SurveyedFile] = []
    var unreadable: [StoredFile] = []
    for file in files {
      LifeSign.give()
      let maildir = root.appending(folders.name(file.folder))
      do throws(SystemError) {
        guard let (octets, size) = try head(maildir, file) else { continue }
        let whole = { () -> [UInt8] in
          let all = try? MailFile.read(maildir, file.scanned, limit: MessageReader.sizeLimit)
          return all?.octets ?? octets
        }
        let head = reader.head(octets, fileName: file.name, whole: whole)
        found.append(SurveyedFile(file: file, member: head.member, size: size))
      } catch {
        unreadable.append(file)
      }
    }
    return (found, unreadable)
  }

  /// The beginning of a file, up to the end of its header, and its size; nil where the file is gone.
  private func head(
    _ maildir: Path,
    _ file: StoredFile
  ) throws(SystemError) -> (octets: [UInt8], size: UInt64)? {
    for limit in [8 << 10, 1 << 20, MessageReader.sizeLimit] {
      guard let (octets, size) = try MailFile.read(maildir, file.scanned, limit: limit) else {
        return nil
      }
      if let end = Self.headerEnd(octets) { return (Array(octets[..<end]), size) }
      if size <= limit { return (octets, size) }
    }
    return try MailFile.read(maildir, file.scanned, limit: MessageReader.sizeLimit)
  }

  private static func headerEnd(_ octets: [UInt8]) -> Int? {
    var lineStart = 0
    while let end = octets[lineStart...].firstIndex(of: ASCII.lineFeed) {
      let line = octets[lineStart..<end]
      if line.isEmpty || line.elementsEqual([ASCII.carriageReturn]) { return end + 1 }
      lineStart = end + 1
    }
    return nil
  }
}

/// A file whose header has been read.
struct SurveyedFile: Sendable {
  let file: StoredFile
  let member: ThreadMember
  /// How long it is.
  let size: UInt64
}
