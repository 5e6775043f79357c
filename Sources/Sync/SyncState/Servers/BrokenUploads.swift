internal import Octets
package import Platform

/// A file that is uploaded.
package struct UploadedFile: Hashable, Sendable {
  /// Its Maildir, relative to the account's root.
  package let directory: [UInt8]
  /// Its base name.
  package let name: [UInt8]

  package init(directory: [UInt8], name: [UInt8]) {
    self.directory = directory
    self.name = name
  }
}

/// The files of an account that runs gave up to upload: each connection broke over them, or the server took them and has them
/// not.
///
/// Nothing but how often, and in which order, files are tried depends on it.
package struct BrokenUploads: Hashable, Sendable {
  private static let title = TextFile.Title("magnum-broken-uploads", version: 1)
  private static let sizeLimit = 64 << 20

  /// What is known of a file.
  package struct Attempts: Hashable, Sendable {
    /// Seconds before the next attempt after the first one, and at most: so there are a few a day.
    private static let firstDelay: Int64 = 2 * 3600
    private static let longestDelay: Int64 = 12 * 3600

    /// Its octets: a file of another length is another one.
    package var size: UInt64
    /// How many runs gave it up.
    package private(set) var count = 0
    /// When it may be tried again, in seconds since 1970.
    package private(set) var next: Int64 = 0

    package init(size: UInt64) { self.size = size }

    fileprivate init(size: UInt64, count: Int, next: Int64) {
      (self.size, self.count, self.next) = (size, count, next)
    }

    /// A run gave it up at that time.
    package mutating func giveUp(at now: Int64) {
      next = now + min(Self.longestDelay, Self.firstDelay << Int64(min(count, 8)))
      count += 1
    }

    /// Whether it may be tried; a clock that was wrong may have put the time too far ahead.
    package func isDue(at now: Int64) -> Bool { next <= now || next - now > Self.longestDelay }
  }

  /// What is known of each file.
  package var files: [UploadedFile: Attempts] = [:]

  /// None.
  package init() {}

  /// What is recorded in the state of an account; none where that cannot be read.
  package init(_ store: StateStore) {
    let octets = (try? FileSystem.readFile(store.brokenUploads, limit: Self.sizeLimit)) ?? nil
    self = octets.flatMap { Self.decode($0) } ?? BrokenUploads()
  }

  /// Replaces what is recorded; durable when it returns.
  package func save(_ store: StateStore) throws(SystemError) {
    let path = store.brokenUploads
    if !files.isEmpty {
      try AtomicFile.replace(path, with: encoded)
    } else if try FileSystem.status(path) != nil {
      try FileSystem.remove(path)
    }
  }

  // MARK: Text

  /// The whole file.
  package var encoded: [UInt8] {
    let lines = files.map { Self.line($0.key, $0.value) }
      .sorted { $0.lexicographicallyPrecedes($1) }
    return TextFile.seal(([Self.title.octets] + lines).flatMap { $0 + [ASCII.lineFeed] })
  }

  /// What a file says; nil where it is not whole, or of another version.
  package static func decode(_ octets: [UInt8]) -> BrokenUploads? {
    guard let body = try? TextFile.open(octets, title: title) else { return nil }
    var uploads = BrokenUploads()
    for line in body.split(separator: ASCII.lineFeed) {
      var reader = LineReader(line)
      guard reader.word()?.elementsEqual("file".utf8) == true,
        let size = reader.number(UInt64.self), let name = reader.name(),
        let directory = reader.name(), let attempts = attempts(&reader, size), reader.isAtEnd
      else { return nil }
      uploads.files[UploadedFile(directory: directory, name: name)] = attempts
    }
    return uploads
  }

  /// Older versions wrote none.
  private static func attempts(_ reader: inout LineReader, _ size: UInt64) -> Attempts? {
    guard !reader.isAtEnd else { return Attempts(size: size) }
    guard let count = reader.number(Int.self), let next = reader.number(Int64.self), count >= 0
    else { return nil }
    return Attempts(size: size, count: count, next: next)
  }

  private static func line(_ file: UploadedFile, _ attempts: Attempts) -> [UInt8] {
    var line = LineWriter()
    line.word("file")
    line.number(attempts.size)
    line.name(file.name)
    line.name(file.directory)
    line.number(attempts.count)
    line.number(attempts.next)
    return line.octets
  }
}

extension StateStore {
  /// The file of uploads over which connections broke.
  fileprivate var brokenUploads: Path { directory.appending("broken-uploads") }
}
