internal import MailModel
internal import MailStore
internal import Maildir
internal import Octets
internal import Platform
internal import RestorePlan
internal import SyncState

/// Reads the folders that go to one mailbox.
struct FolderReading {
  private var files: [RestoredFile] = []
  private var places: [SourcePlace] = []
  /// How many files cannot be restored.
  private(set) var refused = 0
  /// How many entries are no message files, or cannot be read.
  private(set) var skipped = 0
  /// Keywords of files that IMAP cannot write.
  private(set) var unstorable: Set<[UInt8]> = []

  private let display: String
  private let sizeLimit: UInt64?
  private let labels: LabelStyle
  private let partial: PartialFiles
  private let interruption: Interruption
  private let observer: (RestorationEvent) -> Void

  /// Reads nothing yet.
  ///
  /// `sizeLimit` is the largest message that the server takes, `partial` tells what is without its attachments. Where labels are
  /// tags, files of one message are one.
  init(
    _ display: String,
    sizeLimit: UInt64?,
    labels: LabelStyle = .folders,
    partial: PartialFiles,
    _ interruption: Interruption,
    observer: @escaping (RestorationEvent) -> Void
  ) {
    self.labels = labels
    self.display = display
    self.sizeLimit = sizeLimit
    self.partial = partial
    self.interruption = interruption
    self.observer = observer
  }

  /// What was read, the oldest first, as they are to arrive: many clients show messages in the order of their UIDs.
  mutating func finish() -> (files: [RestoredFile], places: [SourcePlace]) {
    let order = files.indices.sorted { one, other in
      guard files[one].date == files[other].date else { return files[one].date < files[other].date }
      let (one, other) = (places[one].place.name.octets, places[other].place.name.octets)
      return one.lexicographicallyPrecedes(other)
    }
    files = order.map { files[$0] }
    places = order.map { places[$0] }
    if labels == .tags { joinCopies() }
    return (files, places)
  }

  /// Has each message be one file with what all of its files have.
  private mutating func joinCopies() {
    var joined: (files: [RestoredFile], places: [SourcePlace]) = ([], [])
    var numbers: [CopyKey: Int] = [:]
    for (file, place) in zip(files, places) {
      let (finished, draft) = (CopyKey(file.identity), CopyKey(draft: file.digest))
      if let number = numbers[file.flags.system.contains(.draft) ? draft : finished] {
        joined.files[number].flags = joined.files[number].flags.union(file.flags)
        continue
      }
      for key in [finished, draft] where numbers[key] == nil { numbers[key] = joined.files.count }
      joined.files.append(file)
      joined.places.append(place)
    }
    (files, places) = joined
  }

  /// Reads all files of a folder, which has this place among those of the mailbox.
  mutating func read(_ folder: SourceFolder, _ number: Int) throws(SyncFailure) {
    let scan: MaildirScan
    do throws(SystemError) {
      scan = try MaildirScan.scan(folder.path)
    } catch {
      return skip(folder.path, .unreadable(error))
    }
    var unreadable: [(Path, SystemError)] = []
    let keywords = SourceKeywords(of: folder.path) { unreadable.append(($0, $1)) }
    for (path, error) in unreadable { skip(path, .unreadable(error)) }
    var twice: [ScannedFile] = []
    for oddity in scan.oddities {
      switch oddity {
      case .notAFile(let file, let kind):
        skip(file.path(in: folder.path), kind == .symbolicLink ? .link : .noFile)
      case .noBase(let file): skip(file.path(in: folder.path), .noName)
      case .duplicate(_, let other): twice.append(other)
      }
    }
    files.reserveCapacity(files.count + scan.files.count)
    places.reserveCapacity(files.count + scan.files.count)
    for file in scan.files { try read(file, folder, number, keywords) }
    try addOthers(twice, folder, number, keywords)
  }

  /// Files with the base name of another one; the same octets are the same message.
  private mutating func addOthers(
    _ others: [ScannedFile],
    _ folder: SourceFolder,
    _ number: Int,
    _ keywords: SourceKeywords
  ) throws(SyncFailure) {
    guard !others.isEmpty else { return }
    var known: [[UInt8]: Set<WireDigest>] = [:]
    for (file, place) in zip(files, places) where place.folder == number {
      known[place.place.name.base, default: []].insert(file.digest)
    }
    for other in others {
      let count = files.count
      try read(other, folder, number, keywords)
      guard files.count > count, let last = files.last else { continue }
      let isKnown = known[other.name.base]?.contains(last.digest) ?? false
      guard isKnown else { continue }
      files.removeLast()
      places.removeLast()
    }
  }

  private mutating func read(
    _ place: ScannedFile,
    _ folder: SourceFolder,
    _ number: Int,
    _ keywords: SourceKeywords
  ) throws(SyncFailure) {
    if interruption.isRequested { throw .interrupted }
    if folder.isOurs, NoticeName.isOne(place.name.base) {
      return observer(.skipped(SkippedEntry(place.path(in: folder.path), .notice)))
    }
    let words = words(keywords[place.name] + folder.marks.keywords)
    // What cannot be a keyword may be a label.
    let storable = labels == .tags ? words : words.filter { Flag(wire: $0).isStorable }
    do throws(SourceFile.Obstacle) {
      let source = try SourceFile(
        place,
        in: folder.path,
        folder: number,
        keywords: storable,
        sizeLimit: sizeLimit,
        partial: partial
      )
      unstorable.formUnion(Set(words).subtracting(storable))
      files.append(source.file)
      files[files.count - 1].flags.system.formUnion(folder.marks.system)
      places.append(source.place)
    } catch {
      let path = place.path(in: folder.path)
      switch error {
      case .gone: skip(path, .changed)
      case .skipped(let reason): skip(path, reason)
      case .problem(let problem):
        refused += 1
        observer(.file(mailbox: display, path, problem))
      }
    }
  }

  /// Labels are tags in small letters.
  private func words(_ words: [[UInt8]]) -> [[UInt8]] {
    guard labels == .tags else { return words }
    return words.map { LabelMeaning.isFlag($0) ? $0 : $0.map { ASCII.lowercased($0) } }
  }

  private mutating func skip(_ path: Path, _ reason: SkippedEntry.Reason) {
    skipped += 1
    observer(.skipped(SkippedEntry(path, reason)))
  }
}
