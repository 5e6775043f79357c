internal import Glibc
internal import Hashing
internal import Maildir
internal import MailModel
internal import MIME
internal import Octets
internal import Platform
internal import SearchIndex

/// A directory that gets a file for each message, or folders of a Maildir; each file is durable before it has its name.
final class ExportDirectory {
  private let root: Path
  private let tree: FolderTree
  private var waiting: [(temporary: Path, place: Path)] = []
  private var placements: [Placement] = []
  private var tags: [Path: KeywordFile] = [:]
  /// The names of files that are there, or wait, by folder.
  private var names: [Path: Set<[UInt8]>] = [:]

  /// Messages that have their names.
  private(set) var placed = 0

  /// Files that become durable together.
  private static let batch = 100

  /// Whether it has its name already, so that a kill would leave what is placed.
  private let isNamed: Bool

  init(_ root: Path, isNamed: Bool) {
    (self.root, self.isNamed) = (root, isNamed)
    tree = FolderTree(root: root, layout: .verbatim)
  }

  // MARK: Files

  /// Adds a message as a file; false where there is one of that name.
  func addMessage(_ message: ExportedMessage, named name: [UInt8]) throws -> Bool {
    let place = root.appending(name)
    guard names[root, default: []].insert(name).inserted,
      try FileSystem.status(place, followingLinks: false) == nil
    else { return false }
    let temporary = root.appending([UInt8](".\(getpid()).\(waiting.count).exporting".utf8))
    try? FileSystem.remove(temporary)
    let file = try Descriptor.open(temporary, .createExclusive())
    waiting.append((temporary, place))
    try MailExport.writeWire(message.octets) { try file.write(all: $0) }
    try file.setTimes(message.date)
    try file.close()
    if waiting.count >= Self.batch { try placeFiles() }
    return true
  }

  private func placeFiles() throws(SystemError) {
    defer { removeFiles() }
    for error in Unflushed.flush(waiting.map { Unflushed(file: $0.temporary) }) {
      if let error { throw error }
    }
    for (temporary, place) in waiting {
      try FileSystem.renameWithoutReplacing(temporary, to: place)
      placed += 1
    }
    waiting = []
    try FileSystem.synchroniseDirectory(root)
  }

  private func removeFiles() {
    for (temporary, _) in waiting { try? FileSystem.remove(temporary) }
    waiting = []
  }

  /// Removes what waits for its name.
  func removeWaiting() {
    removeFiles()
    for placement in placements { try? FileSystem.remove(placement.message.temporaryPath) }
    placements = []
  }

  // MARK: Maildirs

  /// Adds a message to the folder of these levels; false where it is there.
  func addToMaildir(_ message: ExportedMessage, levels: [[UInt8]]) throws -> Bool {
    let directory = levels.isEmpty ? [] : tree.naming.directory(for: levels) ?? []
    let folder = tree.path(of: directory)
    if names[folder] == nil {
      try tree.create(directory)
      var known: Set<[UInt8]> = []
      for file in try MaildirScan.scan(folder).files { known.insert(file.name.base) }
      names[folder] = known
      tags[folder] = try KeywordFile.of(folder)
    }
    let digits = try ExportName.digest(message.octets).prefix(8)
    let base =
      [UInt8](decimal: max(0, message.date)) + [ASCII.dot] + Hex.encode([UInt8](digits))
      + [UInt8](ascii: ".exported")
    guard names[folder, default: []].insert(base).inserted else { return false }
    var delivery = MaildirDelivery(to: folder, temporaryName: base, modified: message.date)
    var pieces = message.octets.pieces
    while let piece = try pieces.next() { try delivery.write(piece) }
    let delivered = try delivery.finish()
    tags[folder]?.set(message.tags, of: base)
    let isNew = message.flags.isEmpty
    placements.append(
      Placement(
        message: delivered,
        subdirectory: isNew ? .new : .cur,
        name: isNew ? FileName(base) : FileName(base: base, flags: message.flags)
      )
    )
    if placements.count >= Self.batch { try placeMessages() }
    return true
  }

  private func placeMessages() throws(SystemError) {
    if isNamed { try writeTags() }
    let outcomes = MaildirCommit.commit(placements)
    placements = []
    for case .placed in outcomes { placed += 1 }
    for case .failed(let error) in outcomes { throw error }
  }

  /// Places what waits; durable on return.
  func finish() throws(SystemError) {
    try writeTags()
    if !waiting.isEmpty { try placeFiles() }
    if !placements.isEmpty { try placeMessages() }
  }

  private func writeTags() throws(SystemError) {
    for (folder, file) in tags where !file.keywords.isEmpty { _ = try file.write(in: folder) }
  }

  /// Removes a directory that was not completed, with all that was written into it.
  static func remove(_ directory: Path) { try? IndexPlace.removeTree(directory) }
}

/// What messages are called as files.
enum ExportName {
  /// Octets of a subject in a name.
  private static let subjectLimit = 60

  /// `2026-11-24 Budget 2027 1a2b3c4d.eml`: the local date, the subject, digits of the content.
  static func eml(
    _ message: ExportedMessage,
    _ date: Int64,
    _ decoder: CharsetDecoder
  ) throws -> [UInt8] {
    let header = Message([UInt8](try message.octets.octets(in: 0..<headLength(message)))).header
    let moment = header.date?.seconds ?? (date > 0 ? date : message.date)
    let local = CivilDate.split(Int(moment) + LocalTime.offset(at: moment)).date
    var name = [UInt8](local.text.utf8)
    if let subject = subject(header.text("Subject", decoder) ?? []) {
      name += [ASCII.space] + subject
    }
    let digits = Hex.encode([UInt8](try digest(message.octets).prefix(4)))
    return name + [ASCII.space] + digits + [UInt8](ascii: ".eml")
  }

  private static func headLength(_ message: ExportedMessage) -> Int {
    min(message.octets.count, 256 << 10)
  }

  /// A subject as a part of a name; nil where nothing is left of it.
  static func subject(_ text: [UInt8]) -> [UInt8]? {
    let replaced = text.map { octet in
      octet == ASCII.slash || octet == ASCII.backslash ? UInt8(ascii: "_") : octet
    }
    guard let safe = SafeFileName.make(replaced) else { return nil }
    var short = safe.prefix(subjectLimit)
    // Cut between characters, not within one.
    while short.count < safe.count, let last = short.last,
      safe[short.endIndex] & 0xC0 == 0x80 || last & 0xC0 == 0xC0
    {
      short.removeLast()
    }
    while let last = short.last, last == ASCII.dot || last == ASCII.space { short.removeLast() }
    return short.isEmpty ? nil : [UInt8](short)
  }

  /// The SHA-256 of the octets as they go over the wire.
  static func digest(_ message: any OctetSource) throws -> [UInt8] {
    var hash = SHA256()
    try MailExport.writeWire(message) { piece in piece.withUnsafeBytes { hash.update($0) } }
    return hash.finish()
  }
}
