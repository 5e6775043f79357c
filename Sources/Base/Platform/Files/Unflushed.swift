/// Files and directories that were changed, and whose changes are not durable yet.
///
/// The changes of several owners become durable together: a few each by itself, many with all of their file systems. To flush a
/// file system waits for what other programs wrote too; for many files it is cheaper all the same.
package struct Unflushed {
  /// Up to so many files, or directories, are flushed each by itself.
  package static let few = 32

  private struct File: Hashable {
    let path: Path
    /// Whether its attributes need not be durable.
    let isDataOnly: Bool

    func flush() throws(SystemError) {
      let file = try Descriptor.open(path, .read)
      if isDataOnly { try file.synchroniseData() } else { try file.synchronise() }
    }
  }

  private var files: [File] = []
  private var directories: Set<Path> = []

  /// Nothing was changed.
  package init() {}

  /// The content of a file was changed; its name is another matter.
  package init(file path: Path) { add(file: path) }

  /// Names in a directory were changed.
  package init(directory path: Path) { add(directory: path) }

  /// The content of a file was changed as well.
  package mutating func add(file path: Path) {
    files.append(File(path: path, isDataOnly: false))
  }

  /// The content and the length of a file were changed as well; its other attributes need not be durable.
  package mutating func add(data path: Path) {
    files.append(File(path: path, isDataOnly: true))
  }

  /// Names in a directory were changed as well.
  package mutating func add(directory path: Path) { directories.insert(path) }

  /// Makes the changes durable.
  ///
  /// - Throws: the error of open(2), fsync(2), fdatasync(2) or syncfs(2).
  package func flush() throws(SystemError) {
    if let error = Self.flush([self])[0] { throw error }
  }

  /// Makes the changes of several owners durable, contents before names.
  ///
  /// What could not be flushed is not tried again: a second call would succeed although the system has dropped the octets.
  ///
  /// - Parameters:
  ///   - all: the changes of each owner.
  ///   - few: how many files, or directories, are flushed each by itself.
  /// - Returns: for each owner the first error, nil where all of its changes are durable.
  package static func flush(_ all: [Unflushed], eachUpTo few: Int = Self.few) -> [SystemError?] {
    let files = all.flatMap(\.files)
    let directories = Set(all.lazy.flatMap(\.directories))
    var errors: [Path: SystemError] = [:]
    if files.count > few {
      flushFileSystems(of: Dictionary(grouping: files.map(\.path), by: \.parent), &errors)
    } else {
      flushEach(files, &errors)
    }
    if directories.count > few {
      flushFileSystems(
        of: Dictionary(uniqueKeysWithValues: directories.map { ($0, [$0]) }),
        &errors
      )
    } else {
      for directory in directories.sorted() {
        recordError(directory, &errors) { () throws(SystemError) in
          try FileSystem.synchroniseDirectory(directory)
        }
      }
    }
    guard !errors.isEmpty else { return all.map { _ in nil } }
    return all.map { changes in
      (changes.files.map(\.path) + changes.directories.sorted()).lazy.compactMap { errors[$0] }
        .first
    }
  }

  private static func recordError(
    _ path: Path,
    _ errors: inout [Path: SystemError],
    _ flush: () throws(SystemError) -> Void
  ) {
    do throws(SystemError) { try flush() } catch { errors[path] = errors[path] ?? error }
  }

  /// Of several files all are being written before the first is waited for, so that the file system has one commit to make,
  /// not one for each.
  private static func flushEach(_ files: [File], _ errors: inout [Path: SystemError]) {
    if files.count > 1 {
      for file in files { try? Descriptor.open(file.path, .read).beginWriteback() }
    }
    for file in files {
      recordError(file.path, &errors) { () throws(SystemError) in try file.flush() }
    }
  }

  /// `paths` are by a directory on their file system: directories may be spread over several, by mounts or symbolic links.
  private static func flushFileSystems(
    of paths: [Path: [Path]],
    _ errors: inout [Path: SystemError]
  ) {
    var results: [UInt64: SystemError?] = [:]
    for directory in paths.keys.sorted() {
      let error: SystemError?
      do throws(SystemError) {
        error = try flushFileSystem(of: directory, &results)
      } catch let failure {
        error = failure
      }
      guard let error else { continue }
      for path in paths[directory] ?? [] { errors[path] = errors[path] ?? error }
    }
  }

  /// Gives the error of the first call for the same file system, which is not flushed twice.
  private static func flushFileSystem(
    of path: Path,
    _ results: inout [UInt64: SystemError?]
  ) throws(SystemError) -> SystemError? {
    let directory = try Descriptor.open(path, .directory)
    let device = try directory.status().fingerprint.device
    if let known = results[device] { return known }
    var result: SystemError?
    do throws(SystemError) { try directory.synchroniseFileSystem() } catch { result = error }
    results.updateValue(result, forKey: device)
    return result
  }
}
