internal import Maildir
internal import Platform

/// The changes of names that syncs of this program made, so that it is not woken by them.
///
/// Each is taken out once: a second change of the same kind under the same name is another program's.
final class OwnChanges: Sendable {
  /// What is kept; of older ones it is not known any more whose they were, which costs a sync without work.
  private static let limit = 20_000

  private let marks = Monitor([FileMark: Int]())

  /// A sync made these changes.
  func note(_ changes: [MaildirChange]) {
    marks.withLock { marks in
      if marks.count > Self.limit { marks = [:] }
      for mark in changes.flatMap(\.marks) { marks[mark, default: 0] += 1 }
    }
  }

  /// Whether a change is one of these.
  func take(_ mark: FileMark) -> Bool {
    marks.withLock { marks in
      guard let count = marks[mark] else { return false }
      marks[mark] = count > 1 ? count - 1 : nil
      return true
    }
  }

  /// Forgets all: what is not told by now never will be.
  func forget() {
    marks.withLock { $0 = [:] }
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
