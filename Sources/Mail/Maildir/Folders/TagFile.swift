internal import Glibc
internal import Octets
package import Platform

/// What people did to the tags of the messages in a folder, as far as the server does not know it.
///
/// The file `.magnum-tags` lies beside `cur` and `new`, and so goes where the folder goes. Its first line is `magnum-tags 1`.
/// Each other line has the base name of a message's file, a space, and its tags, separated by commas: `+a` is to be set on the
/// server, `-a` to be removed there, `=a` is kept only here. Names and tags are percent-escaped as in ``KeywordFile``. What a
/// sync has brought to the server is in that file, and no longer here.
package struct TagFile: Hashable, Sendable {
  /// The tags of one message; upper and lower case of ASCII are one.
  package struct Tags: Hashable, Sendable {
    /// To be set on the server.
    package var added: [[UInt8]] = []
    /// To be taken away on the server.
    package var removed: [[UInt8]] = []
    /// Kept here alone.
    package var own: [[UInt8]] = []

    /// None.
    package init() {}

    /// Whether there are none.
    package var isEmpty: Bool { added.isEmpty && removed.isEmpty && own.isEmpty }

    /// Whether the server is still to be told of something.
    package var isPending: Bool { !added.isEmpty || !removed.isEmpty }

    /// The tags of a message that has these keywords on the server.
    package func all(beside keywords: [[UInt8]]) -> [[UInt8]] {
      var all = keywords.filter { !removed.holds($0) }
      for tag in added + own where !all.holds(tag) { all.append(tag) }
      return all
    }

    /// Changes tags of a message that has these keywords on the server.
    ///
    /// - Parameters:
    ///   - adding: those that it gets.
    ///   - removing: those that it loses.
    ///   - keywords: what was agreed on with the server.
    ///   - isOwn: whether there is no server to be told.
    ///   - mayBeTold: whether a run may be telling the server of former changes just now.
    package mutating func change(
      adding: [[UInt8]],
      removing: [[UInt8]],
      beside keywords: [[UInt8]],
      isOwn: Bool,
      mayBeTold: Bool
    ) {
      for tag in adding {
        let isTakenBack = mayBeTold && removed.holds(tag)
        removed.removeAll { $0.equalsCaseless(tag) }
        let isThere = keywords.holds(tag) || added.holds(tag) || own.holds(tag)
        guard isTakenBack || !isThere else { continue }
        if isOwn { own.append(tag) } else { added.append(tag) }
      }
      for tag in removing {
        // A run may be telling the server of it just now: then the next one tells it this.
        let isTakenBack = mayBeTold && added.holds(tag)
        added.removeAll { $0.equalsCaseless(tag) }
        own.removeAll { $0.equalsCaseless(tag) }
        if isTakenBack || keywords.holds(tag), !removed.holds(tag) { removed.append(tag) }
      }
    }

    /// Adds what was done to the tags of another file of the same message; of a tag that both say something of, this stands.
    package mutating func add(_ other: Tags) {
      let known = added + removed + own
      added += other.added.filter { !known.holds($0) }
      removed += other.removed.filter { !known.holds($0) }
      own += other.own.filter { !known.holds($0) }
    }

    /// Has the server be told of all, since it loses the keywords of the message on the way to another mailbox.
    ///
    /// What was to be removed stays to be removed, until it is seen whether the server lost it.
    package mutating func carryAll(beside keywords: [[UInt8]]) {
      added = all(beside: keywords)
      own = []
    }

    /// Has the server be told of what was kept here alone, where it may be told now.
    package mutating func tellOwn(where keeps: ([UInt8]) -> Bool) {
      added += own.filter(keeps)
      own.removeAll(where: keeps)
    }

    /// Gives up changes that the server refuses for good.
    package mutating func drop(added refused: [[UInt8]], removed others: [[UInt8]]) {
      added.removeAll { refused.holds($0) }
      removed.removeAll { others.holds($0) }
    }

    /// Forgets what the server knows by now, and keeps here what it never will.
    ///
    /// - Parameters:
    ///   - keywords: what is agreed on with the server now.
    ///   - keeps: whether the server takes a keyword.
    package mutating func resolveChanges(
      beside keywords: [[UInt8]],
      keeps: ([UInt8]) -> Bool
    ) {
      added.removeAll { keywords.holds($0) }
      removed.removeAll { !keywords.holds($0) }
      own += added.filter { !keeps($0) }
      added.removeAll { !keeps($0) }
    }
  }

  /// The tags by the base names of the files; none is empty.
  package private(set) var tags: [[UInt8]: Tags] = [:]

  /// Lines that mean nothing: they stay in the file.
  private var others: [[UInt8]] = []

  /// A folder without any.
  package init() {}

  /// The tags of a message by the base name of its file.
  package subscript(base base: [UInt8]) -> Tags {
    get { tags[base] ?? Tags() }
    set { tags[base] = newValue.isEmpty ? nil : newValue }
  }

  /// Whether the server is still to be told of something.
  package var isPending: Bool { tags.values.contains { $0.isPending } }

  // MARK: Octets

  private static let title = [UInt8](ascii: "magnum-tags 1")
  private static let comma = UInt8(ascii: ",")
  private static let equals = UInt8(ascii: "=")

  /// What a file says; nil where it is of another kind or version.
  package init?(octets: [UInt8]) {
    let lines = octets.split(separator: ASCII.lineFeed)
    guard let first = lines.first else { return }
    guard first.elementsEqual(Self.title) else { return nil }
    for line in lines.dropFirst() {
      let words = line.split(separator: ASCII.space)
      guard words.count == 2, let base = PercentEscape.unescape(words[0]) else {
        others.append([UInt8](line))
        continue
      }
      var found = Tags()
      for word in words[1].split(separator: Self.comma) {
        guard let tag = PercentEscape.unescape(word.dropFirst()), !tag.isEmpty else { continue }
        switch word.first {
        case ASCII.plus: found.added.append(tag)
        case ASCII.minus: found.removed.append(tag)
        case Self.equals: found.own.append(tag)
        default: continue
        }
      }
      if found.isEmpty { others.append([UInt8](line)) } else { self[base: base] = found }
    }
  }

  /// The file's content, the same for the same tags.
  package var octets: [UInt8] {
    var octets = Self.title + [ASCII.lineFeed]
    for (base, found) in tags.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      let words =
        found.added.map { [ASCII.plus] + Self.escaped($0) }
        + found.removed.map { [ASCII.minus] + Self.escaped($0) }
        + found.own.map { [Self.equals] + Self.escaped($0) }
      octets += Self.escaped(base) + [ASCII.space] + words.joined(separator: [Self.comma])
      octets.append(ASCII.lineFeed)
    }
    for line in others { octets += line + [ASCII.lineFeed] }
    return octets
  }

  private static func escaped(_ octets: [UInt8]) -> [UInt8] {
    PercentEscape.escape(octets) { $0 <= 0x20 || $0 >= 0x7F || $0 == comma }
  }

  // MARK: Disk

  /// Where the file of a folder is.
  package static func path(in maildir: Path) -> Path { maildir.appending(".magnum-tags") }

  /// Far above what any folder has.
  private static let sizeLimit = 256 << 20

  /// What a folder's file says; nothing where there is none.
  ///
  /// - Throws: why it cannot be read; what is of another kind or version must not be replaced.
  package static func of(_ maildir: Path) throws(SystemError) -> TagFile {
    let path = path(in: maildir)
    guard let octets = try FileSystem.readFile(path, limit: sizeLimit) else {
      return TagFile()
    }
    guard let file = TagFile(octets: octets) else {
      throw SystemError(operation: "read a file of another version", path: path, code: EINVAL)
    }
    return file
  }

  /// Has the folder's file say this; durable on return.
  ///
  /// Only under the lock of ``TagLock``.
  ///
  /// - Throws: why it cannot be written; what it said before is still there then.
  package func write(in maildir: Path) throws(SystemError) {
    let path = Self.path(in: maildir)
    if tags.isEmpty, others.isEmpty {
      guard try FileSystem.status(path) != nil else { return }
      return try FileSystem.remove(path)
    }
    try AtomicFile.removeLeftovers(in: maildir, of: path)
    try AtomicFile.replace(path, with: octets)
  }
}

/// The right to change the tags of an account, for one process at a time.
package enum TagLock {
  private static let lockTimeout = 10.0

  /// Does something under the lock.
  ///
  /// - Parameters:
  ///   - state: the directory of the account's own files, which is made where it is not there.
  ///   - body: reads and writes ``TagFile``s.
  /// - Returns: what `body` gives.
  /// - Throws: EAGAIN where another process keeps it for too long; what `body` throws.
  package static func with<Result>(
    _ state: Path,
    _ body: () throws(SystemError) -> Result
  ) throws(SystemError) -> Result {
    try FileSystem.makeDirectories(state)
    let path = state.appending("tags-lock")
    switch try FileLock.acquire(path, until: .after(seconds: lockTimeout), pause: 0.005) {
    case .acquired(let lock):
      defer { lock.release() }
      return try body()
    case .unsupported: return try body()
    case .heldByOther: throw SystemError(operation: "flock", path: path, code: 11)
    }
  }
}

extension [[UInt8]] {
  /// Whether one of them is that, whatever the case of ASCII letters.
  fileprivate func holds(_ tag: [UInt8]) -> Bool { contains { $0.equalsCaseless(tag) } }
}
