package import Configuration
internal import Correspondence
internal import Glibc
internal import Hashing
package import MailModel
internal import Maildir
package import Mbox
internal import MessageContent
internal import MIME
internal import Octets
package import Platform
internal import Restoration
internal import RestorePlan
internal import SearchIndex
internal import SyncState

/// What an import is asked to do.
package struct MailImportOptions: Sendable {
  /// The rules of the mbox.
  package var kind = MboxKind.auto
  /// Whether fields of other programs stay in the messages.
  package var keepsFields = false
  /// Whether a message is unread that says nothing of it.
  package var isUnread = false
  /// Whether deleted messages come too.
  package var includesDeleted = false
  /// Whether messages come that are there.
  package var again = false
  /// Tags for all messages.
  package var tags: [[UInt8]] = []
  package var isDryRun = false

  /// Those of a command without options.
  package init() {}
}

/// What became of a message, or of what should be one.
package enum ImportState: Hashable, Sendable {
  case added(folder: [UInt8], path: Path?)
  case there
  /// It was deleted where it comes from.
  case deleted
  case left(ImportFlaw)
}

/// A message of a source, and what became of it.
package struct ImportEvent: Sendable {
  package let source: Path
  /// Octets from the beginning of the source; nil where the source is the message.
  package let offset: Int?
  /// Its Message-ID without brackets; nil where it has none.
  package let id: [UInt8]?
  package let state: ImportState
}

/// How many messages an import has read, and what became of them; the last four add up to the first.
package struct ImportCounts: Hashable, Sendable {
  package private(set) var read = 0
  package private(set) var added = 0
  package private(set) var there = 0
  package private(set) var deleted = 0
  package private(set) var left = 0
  /// Octets of the messages that were added, as they go over the wire.
  package private(set) var octets: UInt64 = 0
  /// Lines with the form of a separator that are text.
  package var lookalikes = 0
  /// Whether it was ended before all was read.
  package var isInterrupted = false

  mutating func add(_ state: ImportState, size: UInt64) {
    read += 1
    switch state {
    case .added:
      added += 1
      octets += size
    case .there: there += 1
    case .deleted: deleted += 1
    case .left: left += 1
    }
  }
}

/// Brings messages from files into folders, each once; killed anywhere it leaves whole messages only, and can be run again.
package final class MailImport {
  private let options: MailImportOptions
  private let target: ImportTarget
  private let partial: PartialFiles
  private let interruption: Interruption
  private let observe: (ImportEvent) -> Void
  private let progress: (ImportCounts) -> Void

  private var counts = ImportCounts()
  private var batch = ImportBatch()
  private var known: KnownMessages?
  private var seen: Set<ImportedKey> = []
  private var numbers: [[UInt8]: Int32] = [:]
  private var ready: Set<Path> = []

  /// Room that stays on the disk, in octets.
  private static let reserve: UInt64 = 64 << 20

  /// An import to a place.
  ///
  /// `observe` is told of each message once it is known what became of it, `progress` of the counts now and then.
  package init(
    _ options: MailImportOptions,
    to target: ImportTarget,
    _ configuration: Configuration,
    interruption: Interruption = .shared,
    progress: @escaping (ImportCounts) -> Void,
    observe: @escaping (ImportEvent) -> Void
  ) {
    (self.options, self.target, self.interruption) = (options, target, interruption)
    partial = PartialFiles(configuration.accounts)
    (self.observe, self.progress) = (observe, progress)
  }

  /// Brings in all sources.
  ///
  /// - Throws: why it cannot go on; what was counted by then is in place.
  package func importMessages(_ search: MailSearch) throws(Explanation) -> ImportCounts {
    for source in search.sources { _ = try target.folder(source.levels) }
    known = options.again ? nil : try knownMessages()
    for obstacle in search.obstacles {
      finish(obstacle.path, nil, nil, .left(obstacle.reason))
    }
    defer { dropBatch() }
    for source in search.sources where !interruption.isRequested {
      do throws(SystemError) {
        try bring(source)
      } catch {
        throw failure(error)
      }
    }
    do throws(SystemError) { try placeBatch() } catch { throw failure(error) }
    counts.isInterrupted = interruption.isRequested
    return counts
  }

  private func failure(_ error: SystemError) -> Explanation {
    let hint = "all messages counted are in place; the same command brings in the others"
    guard error.isOutOfSpace else {
      return Explanation(.cannotCreate, place: target.root.display, error.description, hint: hint)
    }
    return Explanation(.cannotCreate, place: target.root.display, "no room on the disk", hint: hint)
  }

  // MARK: What is there

  /// What the target has: by its index, brought up to date, else by reading its files, so that what a killed import left is known.
  private func knownMessages() throws(Explanation) -> KnownMessages {
    let uncounted = try target.uncounted()
    if target.account != nil, let place = try? IndexPlace.of(target.root), place.hasIndex,
      (try? SearchIndex(place).scan()) != nil
    {
      return KnownMessages(place, without: uncounted)
    }
    do throws(SystemError) {
      let folders = try target.present().map { ($0, target.path(of: $0)) }
      return try KnownMessages(folders, without: uncounted, interruption)
    } catch {
      throw Explanation(.noInput, error.description)
    }
  }

  private func areThere(_ entries: [ImportBatch.Entry]) throws(SystemError) -> [Bool] {
    guard let known else { return entries.map { _ in false } }
    let messages = entries.map { entry in
      (id: entry.message.messageID ?? Self.contentID(entry), key: entry.key.key)
    }
    do throws(IndexError) {
      return try known.there(messages)
    } catch {
      throw SystemError(operation: "search: \(error.message)", path: target.root, code: EIO)
    }
  }

  /// The id that the index gives to a file without a Message-ID.
  private static func contentID(_ entry: ImportBatch.Entry) -> [UInt8] {
    let path = entry.delivered?.temporaryPath
    let octets = path.flatMap { try? FileSystem.readFile($0, limit: 64 << 20) } ?? []
    return [UInt8](ascii: "notmuch-sha1-") + Hex.encode(Hashes.sha1(octets))
  }

  // MARK: Sources

  private func bring(_ source: MailSource) throws(SystemError) {
    let folder: ImportFolder
    do throws(Explanation) {
      folder = try target.folder(source.levels)
    } catch {
      return finish(source.path, nil, nil, .left(.skipped(.noMailbox)))
    }
    switch source.content {
    case .mbox: try bringFile(source.path, folder, MboxReader(options.kind))
    case .message(let notes): try bringFile(source.path, folder, MboxReader(single: ()), notes)
    case .apple(let file): try bringApple(source.path, file, folder)
    case .maildir(let files): try bringMaildir(files, folder)
    case .input: try bringInput(folder)
    }
  }

  private func bringFile(
    _ path: Path,
    _ folder: ImportFolder,
    _ reader: MboxReader,
    _ notes: MailNotes? = nil
  ) throws(SystemError) {
    guard let (octets, date) = openSource(path) else { return }
    var pieces = octets.pieces
    let stream = SourceStream(path, date, isMessage: reader.isSingle, folder, notes)
    try bring(stream, reader) { () throws(SourceError) in try pieces.next() }
  }

  /// Opens a file; nil where it cannot be read, which is counted.
  private func openSource(_ path: Path) -> (octets: FileOctets, date: Int64)? {
    do throws(SystemError) {
      let file = try Descriptor.open(path, .read)
      let date = try file.status().fingerprint.modified / 1_000_000_000
      return (try FileOctets(file), date)
    } catch {
      finish(path, nil, nil, .left(.unreadable(error)))
      return nil
    }
  }

  /// A message of Apple's Mail, with the property list behind it.
  private func bringApple(
    _ path: Path,
    _ file: AppleMailFile,
    _ folder: ImportFolder
  ) throws(SystemError) {
    guard let (octets, date) = openSource(path) else { return }
    let message = file.message
    guard message.upperBound <= octets.count else {
      return finish(path, nil, nil, .left(.changed))
    }
    let end = min(octets.count, message.upperBound + AppleMailFile.listLimit)
    let list = (try? octets.octets(in: message.upperBound..<end)) ?? []
    let notes = AppleMailFile.notes([UInt8](list))
    var pieces = octets.part(message).pieces
    let stream = SourceStream(path, date, isMessage: true, folder, notes)
    try bring(stream, MboxReader(single: ())) { () throws(SourceError) in try pieces.next() }
  }

  private func bringInput(_ folder: ImportFolder) throws(SystemError) {
    let input = Descriptor(adopting: 0)
    var start: [UInt8] = []
    while start.count < SourceKind.startLength {
      let piece = try input.readWaiting(atMost: SourceKind.startLength)
      if piece.isEmpty { break }
      start += piece
    }
    let reader: MboxReader
    switch SourceKind(start: start) {
    case .mbox: reader = MboxReader(options.kind)
    case .message: reader = MboxReader(single: ())
    case .empty: return
    case .other:
      return finish(Path("-"), 0, nil, .left(.noHeader))
    }
    var first: [UInt8]? = start
    let stream = SourceStream(Path("-"), nil, isMessage: reader.isSingle, folder)
    try bring(stream, reader) { () throws(SourceError) in
      if let start = first.take() { return start[...] }
      do throws(SystemError) {
        let piece = try input.readWaiting(atMost: 1 << 16)
        return piece.isEmpty ? nil : piece[...]
      } catch {
        throw SourceError(.system(code: error.code), path: nil)
      }
    }
  }

  /// Where the messages of a source come from, and go.
  private struct SourceStream {
    let path: Path
    let date: Int64?
    let isMessage: Bool
    let folder: ImportFolder
    let notes: MailNotes?

    init(
      _ path: Path,
      _ date: Int64?,
      isMessage: Bool,
      _ folder: ImportFolder,
      _ notes: MailNotes? = nil
    ) {
      (self.path, self.date, self.isMessage) = (path, date, isMessage)
      (self.folder, self.notes) = (folder, notes)
    }
  }

  private func bring(
    _ stream: SourceStream,
    _ reader: MboxReader,
    _ next: () throws(SourceError) -> ArraySlice<UInt8>?
  ) throws(SystemError) {
    var reader = reader
    var message: Passing?
    var isDone = false
    var isEmpty = true
    while !isDone, !interruption.isRequested {
      let events: [MboxEvent]
      do throws(SourceError) {
        if let piece = try next() {
          events = reader.read(piece)
        } else {
          events = reader.finish()
          isDone = true
        }
      } catch {
        // What was read of the message is not all of it.
        let offset = stream.isMessage ? nil : reader.messageStart
        finish(stream.path, offset, nil, .left(Self.leftOut(error)))
        break
      }
      for event in events {
        switch event {
        case .head(let head):
          isEmpty = false
          message = try begin(head, stream)
        case .body(let octets):
          if case .incoming(let incoming)? = message { try incoming.write(octets) }
        case .end:
          if let passed = message.take() { try end(passed, stream) }
        }
      }
    }
    counts.lookalikes += reader.lookalikes
    if isDone, isEmpty, stream.isMessage { finish(stream.path, nil, nil, .left(.empty)) }
  }

  private static func leftOut(_ error: SourceError) -> ImportFlaw {
    switch error.problem {
    case .changed: .changed
    case .system(let code):
      .unreadable(SystemError(operation: "read", path: error.path.map { Path($0) }, code: code))
    }
  }

  /// A message that is passing by.
  private enum Passing {
    case incoming(ImportedMessage)
    case deleted(offset: Int, id: [UInt8]?)
  }

  private func begin(_ head: MboxHead, _ stream: SourceStream) throws(SystemError) -> Passing {
    let fields = ContainerFields(head.octets, keepsFields: options.keepsFields)
    if fields.isDeleted || stream.notes?.isDeleted == true, !options.includesDeleted {
      return .deleted(offset: head.offset, id: fields.messageID)
    }
    var flags = fields.flags
    if let notes = stream.notes {
      flags = flags.subtracting(.seen).union(notes.flags)
    } else if !fields.tellsSeen {
      if options.isUnread { flags.remove(.seen) } else { flags.insert(.seen) }
    }
    let now = Clock.now()
    let date = ArrivalDate.date(
      head.octets,
      separator: stream.notes?.arrival ?? head.separator?.date,
      source: stream.date,
      now: now
    )
    let message = try incoming(head, fields, stream.path, stream.folder, flags, fields.tags, date)
    try message.write(fields.rest[...])
    return .incoming(message)
  }

  private func incoming(
    _ head: MboxHead,
    _ fields: ContainerFields,
    _ source: Path,
    _ folder: ImportFolder,
    _ flags: SystemFlags,
    _ tags: [[UInt8]],
    _ date: Int64
  ) throws(SystemError) -> ImportedMessage {
    try prepare(folder)
    let others = options.tags.filter { tag in !tags.contains { $0.equalsCaseless(tag) } }
    return ImportedMessage(
      head,
      fields,
      of: source,
      to: folder,
      flags: flags,
      tags: tags + others,
      date: date,
      isDryRun: options.isDryRun
    )
  }

  /// Makes a folder that is not there, and removes what killed imports left in it.
  private func prepare(_ folder: ImportFolder) throws(SystemError) {
    guard !options.isDryRun, ready.insert(folder.path).inserted else { return }
    try target.make(folder)
    for subdirectory in Subdirectory.allCases {
      try FileSystem.makeDirectories(subdirectory.path(in: folder.path))
    }
    try ImportName.removeLeftovers(in: folder.path)
  }

  private func end(_ passed: Passing, _ stream: SourceStream) throws(SystemError) {
    switch passed {
    case .deleted(let offset, let id):
      finish(stream.path, stream.isMessage ? nil : offset, id, .deleted)
    case .incoming(let message):
      try end(message, offset: stream.isMessage ? nil : message.offset)
    }
  }

  /// Whether it is or contains a partial file; the name of a file in a Maildir says so too.
  private func isPartial(_ marks: PartialMarks, _ base: [UInt8]?) throws(SystemError) -> Bool {
    guard let base else { return try partial.isPartial(marks) }
    return try partial.isPartial(marks, named: base)
  }

  private func end(
    _ message: ImportedMessage,
    offset: Int?,
    sourceBase: [UInt8]? = nil
  ) throws(SystemError) {
    guard let contents = message.contents() else { return }
    let isPartial = try isPartial(contents.facts.marks, sourceBase)
    if let obstacle = message.obstacle(contents, isPartial) {
      message.discard()
      return finish(message.source, offset, message.messageID, .left(obstacle))
    }
    let key = ImportedKey(folder: number(message.folder), key: contents.key)
    guard options.again || seen.insert(key).inserted else {
      message.discard()
      return finish(message.source, offset, message.messageID, .there)
    }
    let delivered = try message.finish()
    batch.append(
      ImportBatch.Entry(
        message: message,
        delivered: delivered,
        size: contents.facts.wireSize,
        key: key,
        offset: offset
      )
    )
    if batch.isFull { try placeBatch() }
  }

  private func number(_ folder: ImportFolder) -> Int32 {
    if let known = numbers[folder.directory] { return known }
    let number = Int32(numbers.count)
    numbers[folder.directory] = number
    return number
  }

  // MARK: Maildirs

  private func bringMaildir(
    _ source: SourceFolder,
    _ folder: ImportFolder
  ) throws(SystemError) {
    let scan: MaildirScan
    do throws(SystemError) {
      guard let found = try MaildirScan.scanIfPresent(source.path) else { return }
      scan = found
    } catch {
      return finish(source.path, nil, nil, .left(.unreadable(error)))
    }
    for oddity in scan.oddities { leaveOut(oddity, source.path) }
    let keywords = SourceKeywords(of: source.path) { [self] path, error in
      finish(path, nil, nil, .left(.unreadable(error)))
    }
    for file in scan.files where !interruption.isRequested {
      try bring(file, of: source, keywords[file.name], folder)
    }
  }

  private func leaveOut(_ oddity: Oddity, _ folder: Path) {
    switch oddity {
    case .notAFile(let file, let kind):
      finish(file.path(in: folder), nil, nil, .left(kind == .symbolicLink ? .link : .noFile))
    case .noBase(let file):
      finish(file.path(in: folder), nil, nil, .left(.skipped(.noName)))
    case .duplicate(_, let other):
      finish(other.path(in: folder), nil, nil, .left(.skipped(.changed)))
    }
  }

  private func bring(
    _ file: ScannedFile,
    of source: SourceFolder,
    _ keywords: [[UInt8]],
    _ folder: ImportFolder
  ) throws(SystemError) {
    let path = file.path(in: source.path)
    if NoticeName.isOne(file.name.base) {
      return finish(path, nil, nil, .left(.skipped(.notice)))
    }
    let octets: FileOctets
    let date: Int64
    do throws(SystemError) {
      let opened = try GuardedFile.open(try CurrentPath.find(path) ?? path)
      date = try opened.status().fingerprint.modified / 1_000_000_000
      octets = try FileOctets(opened)
    } catch {
      let reason: ImportFlaw =
        error.isNotFound ? .changed : error.isLink ? .link : .unreadable(error)
      return finish(path, nil, nil, .left(reason))
    }
    let tags = MessageFlags(file.name.flags, keywords: keywords)
    var reader = MboxReader(single: ())
    var pieces = octets.pieces
    var message: ImportedMessage?
    while true {
      let events: [MboxEvent]
      let isLast: Bool
      do throws(SourceError) {
        let piece = try pieces.next()
        isLast = piece == nil
        events = piece.map { reader.read($0) } ?? reader.finish()
      } catch {
        return finish(path, nil, nil, .left(Self.leftOut(error)))
      }
      for event in events {
        switch event {
        case .head(let head):
          let fields = ContainerFields(head.octets, keepsFields: true)
          let begun = try incoming(
            head,
            fields,
            path,
            folder,
            tags.system.subtracting(.deleted),
            tags.keywords,
            date
          )
          try begun.write(fields.rest[...])
          message = begun
        case .body(let octets): try message?.write(octets)
        case .end: break
        }
      }
      if isLast { break }
    }
    guard let message else { return finish(path, nil, nil, .left(.empty)) }
    try end(message, offset: nil, sourceBase: file.name.base)
  }

  // MARK: Batches

  private func placeBatch() throws(SystemError) {
    let entries = batch.takeAll()
    guard !entries.isEmpty else { return }
    var fresh: [ImportBatch.Entry] = []
    do throws(SystemError) {
      for (entry, isThere) in zip(entries, try areThere(entries)) {
        guard isThere else {
          fresh.append(entry)
          continue
        }
        Self.remove(entry)
        finish(entry.message.source, entry.offset, entry.message.messageID, .there)
      }
      if !options.isDryRun { try checkRoom() }
      let outcomes = options.isDryRun ? [] : try batch.place(fresh, target)
      try count(fresh, outcomes)
    } catch {
      for entry in fresh { Self.remove(entry) }
      throw error
    }
    progress(counts)
  }

  private func count(
    _ entries: [ImportBatch.Entry],
    _ outcomes: [Placement.Outcome]
  ) throws(SystemError) {
    var failure: SystemError?
    for (index, entry) in entries.enumerated() {
      if index < outcomes.count {
        switch outcomes[index] {
        case .placed, .adopted: break
        case .failed(let error):
          failure = failure ?? error
          continue
        case .collision:
          failure =
            failure
            ?? SystemError(operation: "rename", path: entry.message.folder.path, code: EEXIST)
          continue
        }
      }
      let (subdirectory, name) = entry.message.placing
      let path = subdirectory.path(in: entry.message.folder.path).appending(name.octets)
      finish(
        entry.message.source,
        entry.offset,
        entry.message.messageID,
        .added(folder: entry.message.folder.name, path: options.isDryRun ? nil : path),
        size: entry.size
      )
    }
    if let failure { throw failure }
  }

  private func checkRoom() throws(SystemError) {
    guard try FileSystem.freeOctets(at: target.root) < Self.reserve else { return }
    throw SystemError(operation: "write", path: target.root, code: ENOSPC)
  }

  /// Removes what lies in tmp of messages that are not placed.
  private func dropBatch() { for entry in batch.takeAll() { Self.remove(entry) } }

  private static func remove(_ entry: ImportBatch.Entry) {
    if let delivered = entry.delivered { try? FileSystem.remove(delivered.temporaryPath) }
  }

  private func finish(
    _ source: Path,
    _ offset: Int?,
    _ id: [UInt8]?,
    _ state: ImportState,
    size: UInt64 = 0
  ) {
    counts.add(state, size: size)
    observe(ImportEvent(source: source, offset: offset, id: id, state: state))
  }
}

extension MailImport {
  /// Has the index of the target find what was added, durably; where none is to be, nothing is done.
  ///
  /// - Returns: why searches do not find it yet; nil where they do.
  package func updateIndex() -> Explanation? {
    guard let place = try? IndexPlace.of(target.root),
      place.hasIndex || target.account?.isIndexed == true
    else { return nil }
    var index = SearchIndex(place)
    index.subjects = target.account?.subjectThreading
    index.interruption = interruption
    do throws(IndexError) {
      _ = try index.scan()
      return nil
    } catch {
      return Explanation(
        .tryAgain,
        place: target.account?.name ?? target.root.display,
        "searches may not show the messages yet: \(error.message)",
        hint: "they do after the next magnum-sync or magnum index"
      )
    }
  }
}
