internal import Maildir
internal import Octets
internal import Platform
internal import Threads

/// Reads the headers of many files, on all processors, so that threads are known before documents are made.
struct Survey: Sendable {
  let root: Path
  let folders: FolderTable
  let interruption: Interruption

  /// What headers and sizes tell of files, by their numbers.
  struct Result: Sendable {
    var threads: ThreadCollector
    /// Those that take so much memory that one is enough at a time.
    var heavy: Set<Int> = []
    var unreadable: [StoredFile] = []
    /// Why these could not be read, of the first few.
    var failures: [SystemError] = []
  }

  /// A file that is larger is heavy.
  private static let heavySize: UInt64 = 1 << 20

  /// How many files a thread reads before it tells what it found.
  private static let pieceSize = 1000

  /// Reads the headers of all files that are there and can be read.
  func readHeaders(_ files: StoredFiles) throws(IndexError) -> Result {
    let result = Monitor(Result(threads: ThreadCollector(count: files.count)))
    let pieces = stride(from: 0, to: files.count, by: Self.pieceSize).map {
      $0..<min($0 + Self.pieceSize, files.count)
    }
    try Workers.run(pieces: pieces, interruption) {
      let reader = MessageReader(root)
      return { (piece: Range<Int>) throws(IndexError) in
        let found = zip(piece, try files.files(piece)).map { ($0, $1, read($1, reader)) }
        result.withLock { result in
          for (place, file, finding) in found { result.addFinding(finding, of: file, place) }
        }
      }
    }
    // Taken out of there, so that it can be changed without being copied.
    return result.withLock { result in
      defer { result = Result(threads: ThreadCollector(count: 0)) }
      return result
    }
  }

  private func read(_ file: StoredFile, _ reader: MessageReader) -> Finding {
    Heartbeat.give()
    let maildir = root.appending(folders.name(file.folder))
    do throws(SystemError) {
      guard let start = try head(maildir, file) else { return .gone }
      let whole = { () -> [UInt8] in
        let all = try? MailFile.read(maildir, file.scanned, limit: MessageReader.sizeLimit)
        return all?.octets ?? start.octets
      }
      let head = reader.head(start.octets, arrived: start.arrived, whole: whole)
      return .message(head.member, isHeavy: start.size > Self.heavySize)
    } catch {
      return .unreadable(error)
    }
  }

  /// The beginning of a file, up to the end of its header; nil where the file is gone.
  private func head(
    _ maildir: Path,
    _ file: StoredFile
  ) throws(SystemError) -> MailFile.Reading? {
    for limit in [8 << 10, 1 << 20, MessageReader.sizeLimit] {
      guard var start = try MailFile.read(maildir, file.scanned, limit: limit) else { return nil }
      if let end = Self.headerEnd(start.octets) {
        start.octets.removeSubrange(end...)
        return start
      }
      if start.size <= limit { return start }
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

/// What became of reading a header.
private enum Finding {
  case message(ThreadMember, isHeavy: Bool)
  case gone
  case unreadable(SystemError)
}

extension Survey.Result {
  fileprivate mutating func addFinding(_ finding: Finding, of file: StoredFile, _ place: Int) {
    switch finding {
    case .message(let member, let isHeavy):
      threads.add(member, at: place)
      if isHeavy { heavy.insert(place) }
    case .gone: break
    case .unreadable(let error):
      unreadable.append(file)
      if failures.count < IndexReport.failureLimit { failures.append(error) }
    }
  }
}
