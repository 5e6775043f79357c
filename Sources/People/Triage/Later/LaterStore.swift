internal import Glibc
internal import Hashing
internal import Octets
package import Platform

/// The entries of an account in `later` below the state home, a file each.
package struct LaterStore: Sendable {
  /// An entry with the name of its file.
  package struct Item: Hashable, Sendable {
    package let name: [UInt8]
    package let entry: LaterEntry
  }

  private let directory: Path

  /// Far above what an entry has, in octets.
  private static let sizeLimit = 1 << 16

  /// The entries of an account; nothing is looked at.
  package init(of account: String, in stateHome: Path) {
    directory = stateHome.appending("magnum/later").appending(account)
  }

  /// Whether there ever was one.
  var isThere: Bool { (try? FileSystem.status(directory)).flatMap { $0 } != nil }

  /// The entries, the next one first; what is none is left out.
  ///
  /// - Throws: that they cannot be read.
  package func items() throws(SystemError) -> [Item] {
    var names: [[UInt8]] = []
    do throws(SystemError) {
      try FileSystem.entries(of: directory) { name, _ in
        let name = [UInt8](name)
        if Self.isName(name) { names.append(name) }
      }
    } catch {
      if error.isNotFound { return [] }
      throw error
    }
    var items: [Item] = []
    for name in names {
      let octets = try FileSystem.readFile(directory.appending(name), limit: Self.sizeLimit)
      guard let entry = octets.flatMap({ LaterEntry($0) }) else { continue }
      items.append(Item(name: name, entry: entry))
    }
    return items.sorted { one, other in
      if one.entry.due != other.entry.due { return one.entry.due < other.entry.due }
      return one.name.lexicographicallyPrecedes(other.name)
    }
  }

  /// Writes an entry in the place of that of the same message and kind, if there is one; durable on return.
  ///
  /// - Throws: why it could not be written.
  package func write(_ entry: LaterEntry) throws(SystemError) {
    try FileSystem.makeDirectories(directory)
    let lock = try lock()
    defer { withExtendedLifetime(lock) {} }
    let old = try items().first { item in
      item.entry.kind == entry.kind
        && (item.entry.base == entry.base
          || !entry.text.isEmpty && item.entry.id == entry.id && item.entry.text == entry.text)
    }
    let path = directory.appending(old?.name ?? Self.name(of: entry))
    try AtomicFile.replace(path, with: entry.octets)
  }

  /// Removes what a write that was cut short has left; a write that goes on does it otherwise.
  package func removeLeftovers() throws(SystemError) {
    guard isThere, case .acquired(let lock) = try FileLock.acquire(lockFile) else { return }
    defer { withExtendedLifetime(lock) {} }
    try AtomicFile.removeLeftovers(in: directory)
  }

  /// Held while an entry is written.
  private var lockFile: Path { directory.appending(".lock") }

  /// Seconds to wait for another write, and between two looks.
  private static let (lockTimeout, pause) = (10.0, 0.002)

  /// Waits for the right to write; nil where the file system cannot lock.
  private func lock() throws(SystemError) -> FileLock? {
    let deadline = Deadline.after(seconds: Self.lockTimeout)
    switch try FileLock.acquire(lockFile, until: deadline, pause: Self.pause) {
    case .acquired(let lock): return lock
    case .unsupported: return nil
    case .heldByOther: throw SystemError(operation: "flock", path: lockFile, code: EWOULDBLOCK)
    }
  }

  /// Removes an entry, where that is what stands there.
  package func remove(_ item: Item) throws(SystemError) {
    let path = directory.appending(item.name)
    let octets = try FileSystem.readFile(path, limit: Self.sizeLimit)
    guard octets.flatMap({ LaterEntry($0) }) == item.entry else { return }
    try FileSystem.remove(path)
  }

  /// The digits of a hash of what it is for.
  private static func name(of entry: LaterEntry) -> [UInt8] {
    let subject = [UInt8](entry.kind.rawValue.utf8) + [ASCII.slash] + entry.base
    return Hex.encode([UInt8](Hashes.sha256(subject).prefix(nameLength / 2)))
  }

  private static let nameLength = 16

  private static func isName(_ name: [UInt8]) -> Bool {
    name.count == nameLength && name.allSatisfy { ASCII.isDigit($0) || (0x61...0x66).contains($0) }
  }
}
