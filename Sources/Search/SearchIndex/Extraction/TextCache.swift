internal import Configuration
internal import Octets
package import Platform
internal import Hashing

/// Texts of attachments on disk, by the content of the attachment and its filter.
///
/// So an attachment of several messages is filtered once, also where an index is made anew.
///
/// All of it can be made again; what cannot be written or read is simply not there.
package struct TextCache: Sendable {
  private let directory: Path
  private let limit: Int

  /// How many octets are kept.
  package static let standardLimit = 256 << 20

  package init(_ directory: Path, limit: Int = TextCache.standardLimit) {
    self.directory = directory
    self.limit = limit
  }

  /// Those of the user.
  package static var own: TextCache {
    TextCache(Environment.cacheHome.appending("magnum/texts"))
  }

  /// The name of what a filter makes of these octets.
  func name(_ octets: [UInt8], _ filter: TextFilter) -> [UInt8] {
    var hash = SHA256()
    hash.update(Hex.digits(filter.key))
    hash.update(octets)
    return Hex.encode(hash.finish())
  }

  /// What is kept under a name; nil for nothing.
  func text(_ name: [UInt8]) -> FilteredText? {
    let file = directory.appending(name)
    guard let octets = try? FileSystem.readFile(file, limit: Extraction.textLimit + 1000),
      let text = FilteredText(octets)
    else { return nil }
    try? FileSystem.setTimes(file, Clock.now())
    return text
  }

  /// Keeps a text under a name.
  func keep(_ text: FilteredText, _ name: [UInt8]) {
    try? FileSystem.makeDirectories(directory)
    // A file that is cut short is known by its checksum.
    guard let file = try? Descriptor.open(directory.appending(name), .truncate) else { return }
    try? file.write(all: text.octets)
    try? FileSystem.remove(slowMark(name))
  }

  // MARK: Several runs

  /// A filter that is about to run on an attachment; it ends with the last reference to it.
  final class Claim {
    private let lock: FileLock?
    private let file: Path

    fileprivate init(_ lock: FileLock?, _ file: Path) {
      (self.lock, self.file) = (lock, file)
    }

    deinit {
      guard let lock else { return }
      try? FileSystem.remove(file)
      lock.release()
    }
  }

  /// Claims what is to be made under a name; nil where another run makes it.
  func claim(_ name: [UInt8]) -> Claim? {
    try? FileSystem.makeDirectories(directory)
    let file = directory.appending(name + Array(".lock".utf8))
    switch try? FileLock.acquire(file) {
    case .acquired(let lock): return Claim(lock, file)
    case .heldByOther: return nil
    case .unsupported, nil: return Claim(nil, file)
    }
  }

  /// Whether a run that does not wait for it gave it up before.
  func isSlow(_ name: [UInt8]) -> Bool {
    ((try? FileSystem.status(slowMark(name))) ?? nil) != nil
  }

  /// Notes that it takes longer than a run has that does not wait for it.
  func noteSlow(_ name: [UInt8]) {
    _ = try? Descriptor.open(slowMark(name), .truncate)
  }

  private func slowMark(_ name: [UInt8]) -> Path {
    directory.appending(name + Array(".slow".utf8))
  }

  /// Removes what was not used for longest, where there is more than is kept.
  func trim() {
    var entries: [CacheTrim.Entry] = []
    _ = try? FileSystem.entries(of: directory) { name, _ in
      let name = Array(name)
      guard let status = try? FileSystem.status(directory.appending(name)) else { return }
      entries.append(
        CacheTrim.Entry(
          name: name,
          size: Int(status.size),
          time: status.fingerprint.modified
        )
      )
    }
    for name in CacheTrim.leaving(entries, limit: limit, rest: limit / 4 * 3) {
      try? FileSystem.remove(directory.appending(name))
    }
  }
}
