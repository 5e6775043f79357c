internal import Octets
package import Platform

/// Where the index of a Maildir lies.
///
/// It is `.magnum/index` below its root. Where the root is a Maildir itself it is `_magnum/index`, since a name with a dot
/// would be a mailbox there. It has a directory for each generation, and `current`, which names the one that answers. `current`
/// is a stub database of Xapian, so that Xapian's own tools can be pointed at it too. The index of a Maildir that may not be
/// written to lies in the user's cache.
package struct IndexPlace: Hashable, Sendable {
  /// The root of the Maildir folders.
  package let root: Path

  package let directory: Path

  /// The place for a root: beside the mail where an index is there already, or may be made; else in the cache.
  ///
  /// - Throws: ENOENT where there is no such root, ENOTDIR where it is no directory.
  package static func of(_ root: Path) throws(SystemError) -> IndexPlace {
    guard let status = try FileSystem.status(root) else {
      throw SystemError(operation: "open", path: root, code: 2)
    }
    guard status.kind == .directory else {
      throw SystemError(operation: "open", path: root, code: 20)
    }
    let isMaildir = try FileSystem.status(root.appending("cur"))?.kind == .directory
    let names =
      isMaildir ? ["_magnum/index", ".magnum/index"] : [".magnum/index", "_magnum/index"]
    let candidates = names.map { IndexPlace(root: root, directory: root.appending($0)) }
    for candidate in candidates where try FileSystem.status(candidate.current) != nil {
      return candidate
    }
    let beside = candidates[0]
    let name = Hex.digits(Hash64.of(root.octets))
    let cached = Environment.cacheHome.appending("magnum/index").appending(name)
    let elsewhere = IndexPlace(root: root, directory: cached)
    if try FileSystem.status(elsewhere.current) != nil || !beside.isWritable { return elsewhere }
    return beside
  }

  /// The file that names the current generation.
  var current: Path { directory.appending("current") }

  /// The file that writers lock.
  var lock: Path { directory.appending("lock") }

  /// Where what is disposable is made.
  var scratch: Path { directory.appending("building") }

  /// Where the database of a generation is.
  func generation(_ number: Int) -> Path { directory.appending("gen-\(number)") }

  /// The number of the generation whose directory has that name; nil for another name.
  static func generationNumber(_ name: some Collection<UInt8>) -> Int? {
    guard name.starts(with: [UInt8](ascii: "gen-")) else { return nil }
    let digits = name.dropFirst(4)
    guard let number = Int(String(decoding: digits, as: UTF8.self)), number >= 0,
      digits.elementsEqual("\(number)".utf8)
    else { return nil }
    return number
  }

  /// The number of the current generation; nil where there is none.
  ///
  /// - Throws: the error of reading the file.
  package func currentGeneration() throws(SystemError) -> Int? {
    guard let text = try FileSystem.readFile(current, limit: 1000) else { return nil }
    return text.split { $0 <= ASCII.space }.last.flatMap { Self.generationNumber($0) }
  }

  /// Whether there is an index, of whatever version.
  package var hasIndex: Bool { (try? currentGeneration()) ?? nil != nil }

  /// What tells whether anything was committed to the index since: a line of visible ASCII; nil where there is no index.
  ///
  /// It is made of the times and inodes of files of which each commit replaces one. No database is opened.
  ///
  /// - Throws: the error of reading the files.
  package func fingerprint() throws(SystemError) -> [UInt8]? {
    guard let number = try currentGeneration() else { return nil }
    var words = ["\(number)"]
    for file in Generation(generation(number)).committedFiles {
      guard let state = try FileSystem.status(file)?.fingerprint else { continue }
      words += ["\(state.device)", "\(state.inode)", "\(state.modified)", "\(state.changed)"]
    }
    return Array(words.joined(separator: " ").utf8)
  }

  /// Makes a generation the current one; durable on return.
  func publish(_ number: Int) throws(SystemError) {
    try AtomicFile.replace(current, with: Array("auto gen-\(number)\n".utf8))
  }

  /// How long a generation stays that another one has replaced, in seconds: a search may be reading it.
  private static let retention: Int64 = 600

  /// Removes generations that are no longer of use, and what builds that were cut short have left.
  ///
  /// The one before the current one stays for ten minutes. Only to be called under the writer's lock. What has none of the
  /// names that are given here stays: the directory may be a link to another one.
  func removeLeftovers(
    keeping current: Int?,
    now: Int64 = Clock.now()
  ) throws(SystemError) {
    for number in try useless(current, now) { try Self.removeTree(generation(number)) }
    try Self.removeTree(scratch)
    try AtomicFile.removeLeftovers(in: directory)
  }

  /// Whether a generation can go that another one has replaced.
  func hasLeftovers(now: Int64 = Clock.now()) throws(SystemError) -> Bool {
    guard let current = try currentGeneration() else { return false }
    // What has a greater number is being built.
    return try useless(current, now).contains { $0 < current }
  }

  /// The generations that no search reads any longer.
  private func useless(_ current: Int?, _ now: Int64) throws(SystemError) -> [Int] {
    var numbers: [Int] = []
    try FileSystem.entries(of: directory) { name, kind in
      if kind == .directory, let number = Self.generationNumber(name) { numbers.append(number) }
    }
    guard let current else { return numbers }
    numbers.removeAll { $0 == current }
    guard let before = numbers.filter({ $0 < current }).max() else { return numbers }
    let replaced = try FileSystem.status(self.current)?.fingerprint.modified ?? 0
    let age = now - replaced / 1_000_000_000
    return (0..<Self.retention).contains(age) ? numbers.filter { $0 != before } : numbers
  }

  /// Removes a directory and the files in it.
  package static func removeTree(_ path: Path) throws(SystemError) {
    var files: [[UInt8]] = []
    var directories: [[UInt8]] = []
    do {
      try FileSystem.entries(of: path) { name, kind in
        if kind == .directory { directories.append(Array(name)) } else { files.append(Array(name)) }
      }
    } catch {
      if error.isNotFound { return }
      throw error
    }
    for name in directories { try removeTree(path.appending(name)) }
    for name in files { try FileSystem.remove(path.appending(name)) }
    try FileSystem.removeDirectory(path)
  }

  /// Whether the root, or what there is of the way to the index, may be written to.
  private var isWritable: Bool {
    for path in [directory, directory.parent, root] {
      guard let status = try? FileSystem.status(path), status.kind == .directory else { continue }
      return FileSystem.isWritable(path)
    }
    return false
  }
}
