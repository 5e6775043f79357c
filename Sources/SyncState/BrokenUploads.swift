internal import Octets
package import Platform

/// A file that is uploaded.
package struct UploadedFile: Hashable, Sendable {
  /// Its Maildir, relative to the account's root.
  package let directory: [UInt8]
  /// Its base name.
  package let name: [UInt8]

  /// The file of that base name in a Maildir.
  package init(directory: [UInt8], name: [UInt8]) {
    self.directory = directory
    self.name = name
  }
}

/// The files of an account that runs gave up to upload since each connection broke over them.
///
/// Nothing but how often, and in which order, files are tried depends on it.
package struct BrokenUploads: Hashable, Sendable {
  private static let title = TextFile.Title("magnum-broken-uploads", version: 1)
  private static let sizeLimit = 64 << 20

  /// The octets of each file: one of another length is another one.
  package var sizes: [UploadedFile: UInt64] = [:]

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
    if !sizes.isEmpty {
      try AtomicFile.replace(path, with: encoded)
    } else if try FileSystem.status(path) != nil {
      try FileSystem.remove(path)
    }
  }

  // MARK: Text

  /// The whole file.
  package var encoded: [UInt8] {
    let lines = sizes.map { Self.line($0.key, $0.value) }
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
        let directory = reader.name(), reader.isAtEnd
      else { return nil }
      uploads.sizes[UploadedFile(directory: directory, name: name)] = size
    }
    return uploads
  }

  private static func line(_ file: UploadedFile, _ size: UInt64) -> [UInt8] {
    var line = LineWriter()
    line.word("file")
    line.number(size)
    line.name(file.name)
    line.name(file.directory)
    return line.octets
  }
}

extension StateStore {
  /// The file of uploads over which connections broke.
  fileprivate var brokenUploads: Path { directory.appending("broken-uploads") }
}
