internal import Maildir
internal import Octets
internal import Platform

/// The changes of names that syncs of this program made, so that it is not woken by them.
///
/// Each is removed once: a second change of the same kind under the same name is another program's.
final class OwnChanges: Sendable {
  /// How many are kept; older ones count as changes of other programs, which costs a sync without work.
  private static let limit = 20_000

  private struct State: Sendable {
    var marks: [FileMark: Int] = [:]
    /// The directories that were made, below the root of the Maildir.
    var directories: Set<[UInt8]> = []
  }

  private let state = Monitor(State())

  /// A sync made these changes.
  func recordChanges(_ changes: [MaildirChange]) {
    state.withLock { state in
      if state.marks.count > Self.limit { state.marks = [:] }
      for mark in changes.flatMap(\.marks) { state.marks[mark, default: 0] += 1 }
    }
  }

  /// A sync makes this directory, those above it and those of a Maildir in it; as a path below the root.
  func noteMaking(_ directory: [UInt8]) {
    var paths = Subdirectory.allCases.map {
      directory + (directory.isEmpty ? [] : [ASCII.slash]) + $0.name
    }
    paths += directory.indices.filter { directory[$0] == ASCII.slash }.map {
      Array(directory[..<$0])
    }
    paths += [directory, []]
    state.withLock { $0.directories.formUnion(paths) }
  }

  /// Whether a directory is one of these, which is told once.
  func take(directory: [UInt8]) -> Bool {
    state.withLock { $0.directories.remove(directory) != nil }
  }

  /// Whether a change is one of these.
  func takeMark(_ mark: FileMark) -> Bool {
    state.withLock { state in
      guard let count = state.marks[mark] else { return false }
      state.marks[mark] = count > 1 ? count - 1 : nil
      return true
    }
  }

  /// Forgets all: changes that were not reported so far never will be.
  func forget() {
    state.withLock { $0 = State() }
  }
}

extension MaildirChange {
  /// The names that came and went.
  fileprivate var marks: [FileMark] {
    switch self {
    case .added(let folder, let file): [FileMark(folder, file, isThere: true)]
    case .removed(let folder, let file): [FileMark(folder, file, isThere: false)]
    case .renamed(let folder, let old, let target, let new):
      [FileMark(folder, old, isThere: false), FileMark(target, new, isThere: true)]
    case .marked: []
    }
  }
}

extension FileMark {
  fileprivate init(_ folder: [UInt8], _ file: ScannedFile, isThere: Bool) {
    self.init(
      folder: folder,
      subdirectory: file.subdirectory,
      name: file.name.octets,
      isThere: isThere
    )
  }
}
