internal import Maildir
package import Platform

/// What became of changes.
package struct IndexReport: Hashable, Sendable {
  /// Files that the index did not know.
  package var added = 0
  /// Files that it no longer knows.
  package var removed = 0
  /// Files that it knows by another name.
  package var renamed = 0
  /// Messages that have other keywords.
  package var marked = 0
  /// Files that could not be read; they are tried again with the next changes.
  package var failed = 0
  /// Why they could not be read: of the first few.
  package private(set) var failures: [SystemError] = []
  /// Mail files that were opened.
  package var opened = 0
  /// Whether the index was made anew, since an earlier version of the program made it.
  package internal(set) var isMadeAnew = false
  /// Why directories could not be read; what is known of mail in them stays.
  package var unreadable: [SystemError] = []

  /// How many changes of each kind there are.
  init(of changes: [MaildirChange]) {
    for change in changes {
      switch change {
      case .added: added += 1
      case .removed: removed += 1
      case .renamed: renamed += 1
      case .marked: marked += 1
      }
    }
  }

  /// Takes what making an index anew tells of its files, which were counted by how they differed before.
  mutating func take(fromBuild built: IndexReport) {
    failed = built.failed
    failures = built.failures
    opened = built.opened
    unreadable = built.unreadable
  }

  /// Nothing done.
  package init() {}

  /// Whether nothing changed.
  package var isQuiet: Bool {
    added + removed + renamed + marked + failed == 0 && unreadable.isEmpty && !isMadeAnew
  }

  /// Counts files that could not be read, and keeps why, of the first few.
  mutating func addFailures(_ count: Int, _ errors: some Sequence<SystemError>) {
    failed += count
    failures += errors.prefix(Self.failureLimit - failures.count)
  }

  /// So many errors about files are kept.
  static let failureLimit = 5

  /// Adds what was changed next, where all that could not be read before was tried again.
  mutating func add(next other: IndexReport) {
    (failed, failures) = (0, [])
    add(other)
  }

  mutating func add(_ other: IndexReport) {
    added += other.added
    removed += other.removed
    renamed += other.renamed
    marked += other.marked
    addFailures(other.failed, other.failures)
    opened += other.opened
    isMadeAnew = isMadeAnew || other.isMadeAnew
    unreadable += other.unreadable.filter { !unreadable.contains($0) }
  }
}
