internal import Configuration
internal import Glibc
internal import Maildir
internal import MailModel
internal import MessageContent
internal import Octets
internal import Platform
internal import RestorePlan
internal import Restoration
internal import SyncState

/// The Maildirs that messages of a former one get files in.
struct RelabelFolders {
  private let places: AccountPlaces
  /// The base names that are taken.
  private var names: Set<[UInt8]> = []
  /// What each Maildir holds.
  private var keys: [[UInt8]: Set<CopyKey>] = [:]

  /// How names in tmp end.
  private static let suffix = [UInt8](ascii: ".magnum-relabel")

  init(_ account: Account) { places = AccountPlaces(of: account) }

  private var tree: FolderTree { places.tree }

  /// Looks at a Maildir, as far as it is there; `known` is what files hold that were read before.
  mutating func look(
    at directory: [UInt8],
    _ known: [FileIdentity: Set<CopyKey>],
    _ interruption: Interruption
  ) throws(SystemError) {
    let path = tree.path(of: directory)
    guard let scan = try MaildirScan.scanIfPresent(path) else { return }
    for file in scan.files {
      try interruption.check("read", path)
      names.insert(file.name.base)
      let place = file.path(in: path)
      let held =
        RelabelReading.identity(of: place).flatMap { known[$0] } ?? ReadMessage(place)?.keys
      keys[directory, default: []].formUnion(held ?? [])
    }
  }

  /// Whether the Maildir of a step has its message.
  func holds(_ step: RelabelPlan.Step) -> Bool {
    keys[step.directory]?.contains(step.key) ?? false
  }

  /// Removes what killed runs left in tmp of a Maildir, and the tags of that.
  func removeLeftovers(in directory: [UInt8]) throws(SystemError) {
    let path = tree.path(of: directory)
    let temporary = Subdirectory.tmp.path(in: path)
    guard try FileSystem.status(temporary) != nil else { return }
    var left: [[UInt8]] = []
    try FileSystem.entries(of: temporary) { name, kind in
      guard kind == .regular, name.suffix(Self.suffix.count).elementsEqual(Self.suffix) else {
        return
      }
      left.append([UInt8](name))
    }
    guard !left.isEmpty else { return }
    let bases = Set(left.map { [UInt8]($0.dropLast(Self.suffix.count)) }).subtracting(names)
    try FolderTags.forget(in: path, state: places.store.directory) { bases.contains($0) }
    for name in left { try FileSystem.remove(temporary.appending(name)) }
  }

  // MARK: Files

  /// A file in tmp.
  struct Delivered {
    let message: DeliveredMessage
    let base: [UInt8]
    let step: RelabelPlan.Step
    let isCopied: Bool
  }

  /// Gives a message a file in tmp; nil where its file is not what was read.
  mutating func deliver(
    _ step: RelabelPlan.Step,
    from folder: Path
  ) throws(SystemError) -> Delivered? {
    let maildir = tree.path(of: step.directory)
    let base = unused(step.base ?? ImportName.base())
    guard
      let source = try CurrentPath.find(
        step.copy.file.name.base,
        in: folder,
        seenAt: step.copy.file.path(in: folder)
      )
    else { return nil }
    try make(step.directory)
    let temporary = base + Self.suffix
    // Programs may write a draft anew in its place, which would change the former file.
    let linked =
      step.copy.isDraft
      ? nil : try MaildirLink.link(source, to: maildir, temporaryName: temporary)
    var message = linked
    if linked == nil { message = try copy(source, step.copy, to: maildir, temporary) }
    guard let message else { return nil }
    if linked != nil, try !isAsRead(message.temporaryPath, step.copy) {
      try FileSystem.remove(message.temporaryPath)
      return nil
    }
    names.insert(base)
    return Delivered(message: message, base: base, step: step, isCopied: linked == nil)
  }

  private func isAsRead(
    _ path: Path,
    _ copy: RelabelledMessage.Copy
  ) throws(SystemError) -> Bool {
    let status = try FileSystem.status(path, followingLinks: false)
    return status.map { $0.kind == .regular && FileVersion($0) == copy.version } ?? false
  }

  private func copy(
    _ source: Path,
    _ copy: RelabelledMessage.Copy,
    to maildir: Path,
    _ temporaryName: [UInt8]
  ) throws(SystemError) -> DeliveredMessage? {
    let file = try GuardedFile.open(source)
    guard FileVersion(try file.status()) == copy.version else { return nil }
    let octets = try FileOctets(file)
    var delivery = MaildirDelivery(
      to: maildir,
      temporaryName: temporaryName,
      modified: copy.date
    )
    var pieces = octets.pieces
    while let piece = try SystemError.reading({ () throws(SourceError) in try pieces.next() }) {
      try delivery.write(piece)
    }
    return try delivery.finish()
  }

  /// Makes the Maildir of a step, if it is not there.
  private func make(_ directory: [UInt8]) throws(SystemError) {
    let cur = Subdirectory.cur.path(in: tree.path(of: directory))
    guard try FileSystem.status(cur) == nil else { return }
    try tree.create(directory)
  }

  /// The base name, or one like it that is not taken: what stands before the first dot means nothing.
  private func unused(_ base: [UInt8]) -> [UInt8] {
    guard names.contains(base) else { return base }
    let end = base.firstIndex(of: ASCII.dot) ?? base.endIndex
    var number = 2
    while true {
      let name = base[..<end] + [ASCII.underscore] + [UInt8](decimal: number) + base[end...]
      if !names.contains([UInt8](name)) { return [UInt8](name) }
      number += 1
    }
  }

  // MARK: Names

  /// Gives delivered messages their tags, then their names; durable on return.
  ///
  /// - Throws: why that fails; what has no name by then is removed by the next run.
  mutating func place(_ delivered: [Delivered]) throws(SystemError) {
    let tagged = Dictionary(grouping: delivered.filter { !$0.step.tags.isEmpty }) {
      $0.step.directory
    }
    for (directory, messages) in tagged {
      let path = tree.path(of: directory)
      try TagLock.with(places.store.directory) { () throws(SystemError) in
        var file = try TagFile.of(path)
        for message in messages { file[base: message.base] = message.step.tags }
        try file.write(in: path)
      }
    }
    let outcomes = MaildirCommit.commit(
      delivered.map { item in
        let flags = item.step.flags
        return Placement(
          message: item.message,
          subdirectory: flags.isEmpty && item.step.copy.file.subdirectory == .new ? .new : .cur,
          name: FileName(base: item.base, flags: flags)
        )
      }
    )
    for (item, outcome) in zip(delivered, outcomes) {
      switch outcome {
      case .placed, .adopted: keys[item.step.directory, default: []].insert(item.step.key)
      case .failed(let error): throw error
      case .collision:
        throw SystemError(operation: "rename", path: item.message.maildir, code: EEXIST)
      }
    }
  }
}
