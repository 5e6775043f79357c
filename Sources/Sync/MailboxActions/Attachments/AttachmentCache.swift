internal import Glibc
internal import Hashing
internal import MIME
internal import Octets
internal import Platform
internal import Transport

/// Attachments that were fetched from an account's server, decoded, each a file of its own: what was not used for longest goes
/// where they take more than they may.
///
/// All of it can be fetched again. A file counts only as long as it is what was written: its last octets are a hash of its key
/// and its content, which each use looks at. A directory or file that is another user's, or a symbolic link, is not used.
struct AttachmentCache: Sendable {
  /// Seconds after which an unfinished file is removed.
  private static let leftoverAge: Int64 = 3600
  /// Octets of the disk that are left free whatever is kept.
  private static let reserve: UInt64 = 64_000_000

  private let directory: Path
  private let limit: UInt64

  /// The cache of an account.
  ///
  /// - Parameters:
  ///   - account: the name of the account.
  ///   - cacheHome: where things lie that can be made again, such as `~/.cache`.
  ///   - limit: octets that are kept; 0 keeps nothing.
  init(of account: String, in cacheHome: Path, limit: UInt64) {
    directory = cacheHome.appending("magnum").appending(account).appending("attachments")
    self.limit = limit
  }

  /// The content that is kept under a key; nil where none is.
  func content(_ key: AttachmentKey) -> (any OctetSource)? {
    guard limit > 0, isOwn(directory.parent), isOwn(directory) else { return nil }
    let path = directory.appending(key.name)
    guard let file = try? Descriptor.open(path, OpenMode.read.guarded),
      let status = try? file.status(), status.owner == geteuid()
    else { return nil }
    // It was used now; where that cannot be noted it goes earlier.
    try? file.touch()
    guard let octets = try? FileOctets(file), let content = CachedContent.checked(octets, key)
    else {
      try? FileSystem.remove(path)
      return nil
    }
    return content
  }

  /// A file for content of about so many octets that is under way: in the cache, or where that cannot keep it at a place of no
  /// name.
  ///
  /// - Throws: the error of making it; ENOSPC where there is no room for it in either place.
  func makeFile(for key: AttachmentKey, of size: UInt64) throws(SystemError) -> IncomingAttachment {
    if limit > 0, let directory = usableDirectory(), Self.hasRoom(size, Self.reserve, directory),
      let file = try? IncomingAttachment(key, in: directory, isNamed: true)
    {
      return file
    }
    let directory = Environment.largeTemporaryDirectory
    guard Self.hasRoom(size, 0, directory) else {
      throw SystemError(operation: "write", path: directory, code: ENOSPC)
    }
    return try IncomingAttachment(key, in: directory, isNamed: false)
  }

  /// Whether the disk of a directory has room for so many octets, and leaves so many free; true where it does not tell.
  private static func hasRoom(_ size: UInt64, _ rest: UInt64, _ directory: Path) -> Bool {
    guard let free = try? FileSystem.freeOctets(at: directory) else { return true }
    return free >= rest && free - rest >= size
  }

  /// Keeps a file whose content is complete, and removes what was not used for longest; gives the content.
  ///
  /// - Throws: the error of writing or reading it.
  func keep(_ file: IncomingAttachment) throws(SystemError) -> any OctetSource {
    let content = try file.finish(isKept: UInt64(file.count) <= limit)
    trim()
    return content
  }

  // MARK: The directory

  /// The directory, made where it is missing; nil where it cannot be used.
  private func usableDirectory() -> Path? {
    do throws(SystemError) {
      try FileSystem.makeDirectories(directory.parent.parent)
      for path in [directory.parent, directory] {
        let isThere = try FileSystem.status(path, followingLinks: false) != nil
        if !isThere { try FileSystem.makeDirectories(path) }
      }
    } catch {
      return nil
    }
    return isOwn(directory.parent) && isOwn(directory) ? directory : nil
  }

  /// Whether it is a directory of the user's, no link, into which no other user can write.
  private func isOwn(_ path: Path) -> Bool {
    guard let status = try? FileSystem.status(path, followingLinks: false) else { return false }
    return status.kind == .directory && status.owner == geteuid() && status.mode & 0o022 == 0
  }

  /// Removes what was not used for longest, where there is more than is kept, and what was not finished.
  private func trim() {
    guard isOwn(directory) else { return }
    var entries: [CacheTrim.Entry] = []
    let now = Clock.now()
    _ = try? FileSystem.entries(of: directory) { name, _ in
      let name = [UInt8](name)
      let path = directory.appending(name)
      guard let status = try? FileSystem.status(path, followingLinks: false),
        status.kind == .regular
      else { return }
      let time = status.fingerprint.modified
      if AttachmentKey.isName(name) {
        entries.append(CacheTrim.Entry(name: name, size: Int(status.size), time: time))
      } else if IncomingAttachment.isOne(name), time / 1_000_000_000 < now - Self.leftoverAge {
        try? FileSystem.remove(path)
      }
    }
    let limit = Int(clamping: limit)
    for name in CacheTrim.leaving(entries, limit: limit, rest: limit) {
      try? FileSystem.remove(directory.appending(name))
    }
  }
}

/// What a fetched attachment is known by: the message, the part of it, and what the part says of itself.
///
/// A file that says anything else of the part has another key, so that nothing else can be taken for it.
struct AttachmentKey: Hashable, Sendable {
  /// The name of its file in the cache: digits that tell nothing of the mail.
  let name: [UInt8]

  /// The key of a part of the message whose partial file has that opaque name, which no other message has.
  init(message: [UInt8], _ part: PartPlaceholder) {
    let facts: [[UInt8]] = [
      [UInt8](ascii: "1"), message, Array(part.section.description.utf8),
      [UInt8](decimal: part.size),
      part.facts.type, Array("\(part.facts.encoding)".utf8), Self.octets(part.facts.fileName),
      Self.octets(part.facts.typeName),
    ]
    // Lengths keep the end of one from being taken for the beginning of the next.
    let text = facts.flatMap { [UInt8](decimal: $0.count) + [ASCII.colon] + $0 }
    name = Hex.encode(Hashes.sha256(text))
  }

  /// A name, told from none.
  private static func octets(_ name: [UInt8]?) -> [UInt8] { name.map { [ASCII.equals] + $0 } ?? [] }

  /// Octets of the name of each key.
  static let length = 2 * SHA256.length

  /// Whether a file of the cache is called as one of a key is.
  static func isName(_ name: some Collection<UInt8>) -> Bool {
    name.count == length && Hex.decode(name) != nil
  }
}
