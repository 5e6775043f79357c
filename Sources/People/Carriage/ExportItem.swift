package import Configuration
internal import Glibc
internal import Maildir
package import MailModel
internal import Octets
package import Platform
package import Query
package import SearchIndex
internal import Triage

/// A message that is taken out.
package struct ExportItem: Sendable {
  /// Where it lies.
  package enum Place: Sendable {
    case file(FoundFile)
    /// A file that was named.
    case named(Path)
    /// What came from a pipe that was named, or from standard input.
    case read([UInt8], from: Path)
    /// On another machine alone; apart, since an item of a file is to be small.
    indirect case archived(FoundMessage)
  }

  package let place: Place
  /// When it was written, in seconds since 1970; 0 where that is not known.
  package let date: Int64
  /// Octets of its file.
  package let size: UInt64

  package init(_ place: Place, date: Int64, size: UInt64) {
    (self.place, self.date, self.size) = (place, date, size)
  }

  /// What no other item has that was chosen in the same way.
  package var key: [UInt8] {
    switch place {
    case .file(let file): file.path.octets
    case .named(let path), .read(_, let path):
      ((try? FileSystem.realPath(path)) ?? path).octets
    case .archived(let message): [UInt8](ascii: "id:") + message.id
    }
  }

  /// Where it lies, for people.
  package var display: String {
    switch place {
    case .file(let file): file.path.display
    case .named(let path), .read(_, let path): path.display
    case .archived(let message): "id:" + Printable.text(message.id)
    }
  }
}

/// Has the disk read the files of messages before they are opened: many at once take it little longer than one.
struct ReadAhead {
  private let items: [ExportItem]
  /// The next item whose file is not asked for yet.
  private var next = 0

  private static let reach = 64
  /// Octets of a file; what follows the system reads ahead itself.
  private static let size = 256 << 10

  init(_ items: [ExportItem]) { self.items = items }

  /// Goes on, where the item of an index is to be opened now.
  mutating func advance(to index: Int) {
    guard next < items.count, index + Self.reach / 2 >= next else { return }
    let end = min(items.count, index + Self.reach)
    while next < end {
      if case .file(let file) = items[next].place { Self.beginReading(file.path) }
      next += 1
    }
  }

  /// A file that has another name by now is read when it is opened.
  private static func beginReading(_ path: Path) {
    guard let file = try? Descriptor.open(path, .read) else { return }
    _ = posix_fadvise(file.raw, 0, size, POSIX_FADV_WILLNEED)
  }
}

/// Finds the messages that are taken out, the oldest first.
package struct ExportChoice {
  /// Whether all messages of the threads are meant.
  package var wholeThread = false
  /// Whether all copies of a message are meant where several are.
  package var allCopies = false

  private let set: SearchSet
  /// The Maildirs of Trash and Junk.
  private let uncounted: Set<Path>

  /// So many messages are read of an index at once.
  private static let pageSize = 2000

  /// A choice among the messages of some accounts, as a set of indexes has them.
  ///
  /// - Throws: that folders cannot be read.
  package init(_ accounts: [Account], _ set: SearchSet) throws(Explanation) {
    self.set = set
    var uncounted: Set<Path> = []
    for account in accounts {
      let folders = AccountFolders(account)
      for role in [MailboxRole.trash, .junk] {
        if let folder = try folders.folder(for: role) {
          uncounted.insert(folders.tree.path(of: folder))
        }
      }
    }
    self.uncounted = uncounted
  }

  /// The messages that a query finds.
  ///
  /// - Throws: why an index cannot be read.
  package func items(_ query: Query) throws(IndexError) -> [ExportItem] {
    let query = wholeThread ? Query.thread(query) : query
    guard set.archives.isEmpty else {
      return try set.messages(query, .oldestFirst).flatMap(items)
    }
    let resolved = try set.resolved([query])[0]
    var items: [ExportItem] = []
    var seen: Set<UInt64> = []
    for reader in set.readers {
      try forEach(resolved, reader) { message in
        // Several copies in one index are one result of it.
        let isNew =
          allCopies || set.readers.count == 1 || seen.insert(message.identity).inserted
        if isNew { items += self.items(message) }
      }
    }
    return set.readers.count == 1 ? items : items.sorted { $0.date < $1.date }
  }

  /// Gives each message that an index finds; few are held at once, since there may be very many.
  private func forEach(
    _ query: Query,
    _ reader: IndexReader,
    _ body: (FoundMessage) -> Void
  ) throws(IndexError) {
    try reader.read { (snapshot) throws(IndexError) in
      var offset = 0
      while true {
        let page = try snapshot.messages(
          query,
          .oldestFirst,
          offset: offset,
          limit: Self.pageSize
        )
        page.forEach(body)
        offset += page.count
        Memory.makeRoom(forMessages: offset)
        if page.count < Self.pageSize { return }
      }
    }
  }

  private func items(_ message: FoundMessage) -> [ExportItem] {
    let files = allCopies ? message.files : chosen(message.files).map { [$0] } ?? []
    if files.isEmpty, !message.copies.isEmpty {
      return [ExportItem(.archived(message), date: message.date, size: message.size)]
    }
    return files.map { ExportItem(.file($0), date: message.date, size: message.size) }
  }

  private func chosen(_ files: [FoundFile]) -> FoundFile? {
    files.first { !uncounted.contains($0.maildir) } ?? files.first
  }
}
