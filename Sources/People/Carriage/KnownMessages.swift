internal import Hashing
internal import Maildir
internal import MessageContent
internal import Octets
internal import Platform
internal import Query
internal import RestorePlan
internal import Restoration
internal import SearchIndex
internal import SyncPlan

/// The messages that an account, or a Maildir of none, has already: by its index, else by reading all files once.
///
/// What is in Trash and Junk does not count, unless messages are brought in there.
struct KnownMessages {
  private enum Place {
    /// The index, which tells the files that have a Message-ID.
    case index(IndexReader, root: Path)
    /// The contents of all files.
    case contents(Set<CopyKey>)
  }

  private let place: Place
  private let uncounted: Set<[UInt8]>

  /// Those of an account whose index is up to date.
  init(_ index: IndexPlace, without uncounted: Set<[UInt8]>) {
    place = .index(IndexReader(index), root: index.root)
    self.uncounted = uncounted
  }

  /// Those of folders, whose files are all read.
  ///
  /// - Throws: why a directory cannot be read.
  init(
    _ folders: [(directory: [UInt8], path: Path)],
    without uncounted: Set<[UInt8]>,
    _ interruption: Interruption
  ) throws(SystemError) {
    self.uncounted = uncounted
    var keys: Set<CopyKey> = []
    for (directory, path) in folders where !uncounted.contains(directory) {
      guard let scan = try MaildirScan.scanIfPresent(path) else { continue }
      // Two keys a message; a table that grows takes half as much again while it does.
      keys.reserveCapacity(keys.count + 2 * scan.files.count)
      for file in scan.files {
        try interruption.check("read", path)
        if let read = ReadMessage(file.path(in: path)) { keys.formUnion(read.keys) }
      }
    }
    place = .contents(keys)
  }

  /// Whether a message is there; nil where only the index can tell.
  func holds(_ key: CopyKey) -> Bool? {
    switch place {
    case .contents(let keys): keys.contains(key)
    case .index: nil
    }
  }

  /// Which of some messages are there.
  ///
  /// - Throws: why the index cannot be read.
  func there(_ messages: [(id: [UInt8], key: CopyKey)]) throws(IndexError) -> [Bool] {
    switch place {
    case .contents(let keys): return messages.map { keys.contains($0.key) }
    case .index(let reader, let root):
      let candidates = try reader.read { (snapshot) throws(IndexError) in
        var found: [[FoundFile]] = []
        for message in messages {
          let known = try snapshot.messages(.exact(.id, message.id), .unsorted)
          found.append(known.flatMap(\.files))
        }
        return found
      }
      return zip(messages, candidates).map { message, files in
        files.contains { holds(message.key, $0, root) }
      }
    }
  }

  private func holds(_ key: CopyKey, _ file: FoundFile, _ root: Path) -> Bool {
    let relative = file.maildir.octets.dropFirst(root.octets.count).drop { $0 == ASCII.slash }
    guard !uncounted.contains([UInt8](relative)), let path = file.currentPath() else {
      return false
    }
    return ReadMessage(path)?.keys.contains(key) ?? false
  }
}

/// A message file of a folder, read once.
struct ReadMessage {
  /// What it would be equal by: as a draft, and as a finished message.
  let keys: Set<CopyKey>

  /// Nil for a file that is gone or cannot be read: then the message counts as not there.
  init?(_ path: Path) {
    do throws(SystemError) {
      var reader = WireReader(try FileOctets(try GuardedFile.open(path)))
      var reading = ContentReading()
      var hash = SHA256()
      while true {
        let octets = try reader.next(atMost: 64 << 10)
        if octets.isEmpty { break }
        octets.withUnsafeBytes { hash.update($0) }
        reading.readOctets(octets)
      }
      let facts = reading.finish()
      let digest = WireDigest(hash.finish())
      keys = Set([CopyKey(facts.identity)] + (digest.map { [CopyKey(draft: $0)] } ?? []))
    } catch {
      return nil
    }
  }
}
