import Glibc

/// What a power cut leaves of the changes of a process: what it made durable, and more or less of the rest.
///
/// Made before the process starts, which gets ``variables``; ``happen(_:)`` then takes away what is lost. A file on
/// its way from one directory to another may have both names where only the new one was flushed, and none where only
/// the old one was; what reaches the disk by itself is a whole rename, as file systems with a journal have it, or one
/// that leaves the old name. A directory that is renamed is in its old place or in its new one with all that is in it.
/// What was in a file before it was cut short is not brought back.
package final class PowerCut {
  /// What becomes of changes that were not made durable.
  package enum Loss: CaseIterable, Sendable {
    /// All are lost: new files are empty, longer ones have their old length, names are the old ones.
    case everything
    /// Names are the new ones; files are as above.
    case contents
    /// As with ``contents``; where octets are missing, there are NULs.
    case contentsFilled
    /// Octets are there, and the names in some directories.
    case someNames
    /// The names in some directories, and of files any part, the last of it NULs.
    case some
  }

  /// For the environment of the process.
  package let variables: [String: String]

  private enum NameChange {
    case add(String, UInt64)
    case remove(String)
    case directory(String)
    case removedDirectory(String)
    case movedDirectory(String, String)
  }

  private let folder: String
  private let roots: [String]
  /// Names that are there, and names that a power cut leaves, by path.
  private var names: [String: UInt64] = [:]
  private var durableNames: [String: UInt64] = [:]
  /// Lengths by inode.
  private var sizes: [UInt64: Int64] = [:]
  private var durableSizes: [UInt64: Int64] = [:]
  /// What was done in each directory since it was flushed.
  private var pending: [String: [NameChange]] = [:]
  /// The inodes of files that were renamed.
  private var renamed: Set<UInt64> = []
  /// Directories that were made and are not durable.
  private var fleeting: Set<String> = []
  /// Directories that were removed, which is not durable.
  private var lingering: Set<String> = []
  /// Directories that were renamed, from and to, which is not durable.
  private var moves: [(String, String)] = []

  /// Takes down what there is before.
  ///
  /// - Parameters:
  ///   - roots: The folders that the process works in.
  ///   - folder: A folder for its own use on the same file system, which need not be there.
  /// - Throws: `HarnessError` when it cannot be made.
  package init(in roots: [String], folder: String) throws {
    self.roots = roots
    self.folder = folder
    variables = try Preload.variables(changes: folder)
    Files.removeTree(folder)
    try Files.makeDirectories(folder)
    for (path, status) in roots.flatMap(PowerCut.files) {
      names[path] = status.inode
      sizes[status.inode] = status.size
    }
    durableNames = names
    durableSizes = sizes
  }

  /// Cuts the power: the process must have ended.
  ///
  /// - Parameters:
  ///   - loss: What is lost.
  ///   - seed: For what chance decides.
  /// - Returns: How many names and lengths changed because of it.
  /// - Throws: `HarnessError` when a file cannot be put back.
  @discardableResult
  package func happen(_ loss: Loss, seed: UInt64) throws -> Int {
    var chance = SeededGenerator(seed: seed)
    for line in (Files.text("\(folder)/log") ?? "").split(separator: "\n") { replay(line) }
    defer { Files.removeTree(folder) }
    spare(loss, &chance)
    let filled = loss == .contentsFilled || loss == .some
    return try removeNames() + restoreNames() + cutFiles(isFilled: filled) + moveBack()
  }

  /// Lets some reach the disk that was not flushed.
  private func spare(_ loss: Loss, _ chance: inout SeededGenerator) {
    switch loss {
    case .everything: break
    case .contents, .contentsFilled:
      for directory in pending.keys.sorted() { flushDirectory(directory) }
    case .someNames:
      durableSizes = sizes
      spareNames(&chance)
    case .some:
      for (inode, size) in sizes.sorted(by: { $0.key < $1.key }) {
        let old = durableSizes[inode] ?? 0
        if size > old { durableSizes[inode] = .random(in: old...size, using: &chance) }
      }
      spareNames(&chance)
    }
  }

  private func spareNames(_ chance: inout SeededGenerator) {
    let before = durableNames
    for directory in pending.keys.sorted() where Bool.random(using: &chance) {
      flushDirectory(directory)
    }
    let kept = Set(durableNames.values)
    for (path, inode) in before where renamed.contains(inode) && !kept.contains(inode) {
      durableNames[path] = inode
    }
  }

  // MARK: What happened

  private func replay(_ line: Substring) {
    let words = line.split(separator: "\t", omittingEmptySubsequences: false).map { "\($0)" }
    guard words.count >= 4, let inode = UInt64(words[1]), let size = Int64(words[2]) else { return }
    let path = words[3]
    switch words[0] {
    case "open": open(path, inode, size)
    case "write", "ftruncate": sizes[inode] = size
    case "fsync", "fdatasync": flush(path)
    case "syncfs": flushAll()
    case "mkdir":
      fleeting.insert(path)
      pending[parent(path), default: []].append(.directory(path))
    case "rename", "link":
      guard words.count == 5 else { return }
      guard let moved = names[path] else { return moveDirectory(path, words[4]) }
      add(words[4], moved)
      guard words[0] == "rename" else { return }
      renamed.insert(moved)
      remove(path)
    case "unlink": remove(path)
    case "rmdir":
      if fleeting.remove(path) == nil { lingering.insert(path) }
      pending[parent(path), default: []].append(.removedDirectory(path))
    default: break
    }
  }

  /// All that is in it, and what is known of that, goes along.
  private func moveDirectory(_ old: String, _ new: String) {
    func moved(_ path: String) -> String {
      path == old || path.hasPrefix("\(old)/") ? new + path.dropFirst(old.count) : path
    }
    func moved(_ change: NameChange) -> NameChange {
      switch change {
      case .add(let path, let inode): .add(moved(path), inode)
      case .remove(let path): .remove(moved(path))
      case .directory(let path): .directory(moved(path))
      case .removedDirectory(let path): .removedDirectory(moved(path))
      case .movedDirectory: change
      }
    }
    names = Dictionary(uniqueKeysWithValues: names.map { (moved($0.key), $0.value) })
    durableNames = Dictionary(uniqueKeysWithValues: durableNames.map { (moved($0.key), $0.value) })
    let changes = pending.map { (moved($0.key), $0.value.map { moved($0) }) }
    pending = Dictionary(uniqueKeysWithValues: changes)
    fleeting = Set(fleeting.map { moved($0) })
    lingering = Set(lingering.map { moved($0) })
    moves.append((old, new))
    pending[parent(new), default: []].append(.movedDirectory(old, new))
  }

  private func open(_ path: String, _ inode: UInt64, _ size: Int64) {
    sizes[inode] = size
    guard names[path] == nil else { return }
    durableSizes[inode] = 0
    add(path, inode)
  }

  private func add(_ path: String, _ inode: UInt64) {
    names[path] = inode
    pending[parent(path), default: []].append(.add(path, inode))
  }

  private func remove(_ path: String) {
    names[path] = nil
    pending[parent(path), default: []].append(.remove(path))
  }

  private func flush(_ path: String) {
    if let inode = names[path] {
      durableSizes[inode] = sizes[inode]
    } else {
      flushDirectory(path)
    }
  }

  private func flushDirectory(_ path: String) {
    for change in pending.removeValue(forKey: path) ?? [] {
      switch change {
      case .add(let path, let inode): durableNames[path] = inode
      case .remove(let path): durableNames[path] = nil
      case .directory(let path): fleeting.remove(path)
      case .removedDirectory(let path):
        lingering = lingering.filter { $0 != path && !$0.hasPrefix("\(path)/") }
        durableNames = durableNames.filter { !$0.key.hasPrefix("\(path)/") }
      case .movedDirectory(let old, let new): moves.removeAll { $0 == (old, new) }
      }
    }
  }

  private func flushAll() {
    durableSizes = sizes
    for directory in Array(pending.keys) { flushDirectory(directory) }
  }

  private func parent(_ path: String) -> String {
    String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
  }

  // MARK: What is left of it

  private func removeNames() -> Int {
    var count = 0
    for (path, status) in roots.flatMap(PowerCut.files) where durableNames[path] != status.inode {
      unlink(path)
      count += 1
    }
    for directory in fleeting where Files.exists(directory) {
      Files.removeTree(directory)
      count += 1
    }
    return count
  }

  private func restoreNames() throws -> Int {
    for directory in lingering.sorted() { try Files.makeDirectories(directory) }
    var count = lingering.count
    for (path, inode) in durableNames where !Files.exists(path) {
      guard !fleeting.contains(where: { path.hasPrefix("\($0)/") }) else { continue }
      guard link("\(folder)/\(inode)", path) == 0 else {
        throw HarnessError(call: "link \(folder)/\(inode) to \(path)", code: errno)
      }
      count += 1
    }
    return count
  }

  /// The last one first, since one may stand in another.
  private func moveBack() throws -> Int {
    for (old, new) in moves.reversed() where Files.exists(new) {
      guard rename(new, old) == 0 else {
        throw HarnessError(call: "rename \(new) to \(old)", code: errno)
      }
    }
    return moves.count
  }

  private func cutFiles(isFilled: Bool) throws -> Int {
    var count = 0
    for (path, inode) in durableNames {
      guard let size = durableSizes[inode], let now = PowerCut.status(path), now.size > size
      else { continue }
      guard truncate(path, off_t(size)) == 0, !isFilled || truncate(path, off_t(now.size)) == 0
      else { throw HarnessError(call: "truncate \(path)", code: errno) }
      count += 1
    }
    return count
  }

  private static func files(_ root: String) -> [(String, (inode: UInt64, size: Int64))] {
    Files.names(in: root).flatMap { octets -> [(String, (inode: UInt64, size: Int64))] in
      let path = "\(root)/\(String(decoding: octets, as: UTF8.self))"
      if Files.isDirectory(path) { return files(path) }
      return status(path).map { [(path, $0)] } ?? []
    }
  }

  private static func status(_ path: String) -> (inode: UInt64, size: Int64)? {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    return (UInt64(status.st_ino), Int64(status.st_size))
  }
}
