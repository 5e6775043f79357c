internal import Maildir
internal import MailModel
internal import MailStore
internal import MessageContent
internal import Octets
internal import Platform
internal import RestorePlan
internal import Restoration
internal import SyncPlan
internal import SyncState

/// Reads the folders of a former Maildir: each message once, with all files of it.
struct RelabelReading {
  /// A folder, and what its messages have by it.
  struct Folder {
    let path: Path
    let meaning: LabelPlace.Meaning
  }

  private(set) var folders: [Folder] = []
  private(set) var messages: [RelabelledMessage] = []
  /// What files hold that were read.
  private(set) var keys: [FileIdentity: Set<CopyKey>] = [:]
  /// How many files were read, and how many are left out.
  private(set) var count = (read: 0, left: 0)
  /// Messages that were removed from folders here, which the server has there.
  private(set) var removed: [(key: CopyKey?, meaning: LabelPlace.Meaning)] = []

  private var numbers: [CopyKey: Int] = [:]
  private let places: LabelPlaces
  private let partial: PartialFiles
  private let store: StateStore?
  private let interruption: Interruption
  private let observe: (Path, ImportFlaw) -> Void

  /// Reads nothing yet; `store` has the records of the former syncs, nil where there are none.
  init(
    _ places: LabelPlaces,
    _ partial: PartialFiles,
    _ store: StateStore?,
    _ interruption: Interruption,
    observe: @escaping (Path, ImportFlaw) -> Void
  ) {
    (self.places, self.partial, self.store) = (places, partial, store)
    (self.interruption, self.observe) = (interruption, observe)
  }

  /// The message of a key; nil where there is none.
  func message(_ key: CopyKey) -> Int? { numbers[key] }

  /// Reads the files of a folder.
  mutating func read(_ source: SourceFolder) throws(SystemError) {
    guard let scan = try MaildirScan.scanIfPresent(source.path) else { return }
    for oddity in scan.oddities { leaveOut(oddity, source.path) }
    let number = folders.count
    let folder = Folder(path: source.path, meaning: places.meaning(of: source.levels))
    folders.append(folder)
    let known = try known(of: source.path)
    for record in known.state?.messages.values ?? RecordTable()
    where !scan.files.contains(base: record.name) {
      removed.append((record.identity.map { CopyKey($0) }, folder.meaning))
    }
    let tags = FolderTags(of: source.path)
    for file in scan.files where !interruption.isRequested {
      let base = file.name.base
      guard !NoticeName.isOne(base) else { continue }
      let isDraft = file.name.flags.contains(.draft) || folder.meaning == .drafts
      guard let found = read(file, in: source.path, isDraft: isDraft) else { continue }
      let copy = RelabelledMessage.Copy(
        folder: number,
        file: file,
        version: found.version,
        date: found.file.date,
        isRecorded: known.state.map { $0.isRecorded(base) } ?? !known.isNew,
        isDraft: isDraft
      )
      let flags = isDraft ? file.name.flags.union(.draft) : file.name.flags
      let place = place(of: found.key, found.keys, found.file.wireSize, flags)
      messages[place].add(
        copy,
        flags,
        tags.changed[base: base],
        agreed: tags.agreed[base: base]
      )
    }
  }

  /// What the last sync recorded of a folder, nil where that is not known; and whether no sync has seen the folder.
  private func known(of folder: Path) throws(SystemError) -> (state: MailboxState?, isNew: Bool) {
    guard let store else { return (nil, false) }
    guard let id = try OwnershipMarker(folder).readableOwner() else { return (nil, true) }
    return (try store.state(of: id), false)
  }

  private mutating func place(
    of key: CopyKey,
    _ keys: Set<CopyKey>,
    _ size: UInt64,
    _ flags: SystemFlags
  ) -> Int {
    if let known = numbers[key] { return known }
    for key in keys where numbers[key] == nil { numbers[key] = messages.count }
    messages.append(RelabelledMessage(key, size: size, flags: flags))
    return messages.count - 1
  }

  // MARK: Files

  private typealias Found = (
    file: RestoredFile, key: CopyKey, keys: Set<CopyKey>, version: FileVersion
  )

  private mutating func read(_ file: ScannedFile, in folder: Path, isDraft: Bool) -> Found? {
    count.read += 1
    let path = file.path(in: folder)
    do throws(SourceFile.Obstacle) {
      let source = try SourceFile(
        file,
        in: folder,
        folder: 0,
        keywords: [],
        sizeLimit: nil,
        partial: partial
      )
      let (finished, draft) = (
        CopyKey(source.file.identity), CopyKey(draft: source.file.digest)
      )
      let keys: Set = [finished, draft]
      if let identity = Self.identity(of: path) { self.keys[identity] = keys }
      return (source.file, isDraft ? draft : finished, keys, source.place.version)
    } catch {
      count.left += 1
      observe(path, Self.flaw(error))
      return nil
    }
  }

  /// Which file it is; nil where it is gone.
  static func identity(of path: Path) -> FileIdentity? {
    guard let status = try? FileSystem.status(path, followingLinks: false) else { return nil }
    return FileIdentity(status.fingerprint)
  }

  private static func flaw(_ obstacle: SourceFile.Obstacle) -> ImportFlaw {
    switch obstacle {
    case .problem(.partial): .partial
    case .problem(.containsNUL): .containsNUL
    case .problem(.empty): .empty
    case .problem(.unreadable(let error)): .unreadable(error)
    case .problem: .noFile
    case .skipped(let reason): .skipped(reason)
    case .gone: .changed
    }
  }

  private mutating func leaveOut(_ oddity: Oddity, _ folder: Path) {
    count.read += 1
    count.left += 1
    switch oddity {
    case .notAFile(let file, let kind):
      observe(file.path(in: folder), kind == .symbolicLink ? .link : .noFile)
    case .noBase(let file): observe(file.path(in: folder), .skipped(.noName))
    case .duplicate(_, let other): observe(other.path(in: folder), .skipped(.changed))
    }
  }
}
