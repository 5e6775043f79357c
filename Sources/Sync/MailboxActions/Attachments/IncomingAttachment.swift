internal import Glibc
internal import Octets
internal import Platform
internal import Hashing

/// The content of an attachment as it comes: a file that gets its name only once it is complete.
///
/// What is not finished is removed with the value; what is left by a program that was killed bears a name that is never asked
/// for. Used by one thread.
final class IncomingAttachment {
  private static let ending = [UInt8](ascii: ".part-")

  private let key: AttachmentKey
  private let path: Path
  private let file: Descriptor
  private var hash: ContentHash?
  private var hasName: Bool

  /// Octets that came.
  private(set) var count = 0
  /// Whether it can be kept.
  var isKeepable: Bool { hasName }

  /// A file in a directory; one without a name goes with the value.
  ///
  /// - Throws: the error of making it.
  init(_ key: AttachmentKey, in directory: Path, isNamed: Bool) throws(SystemError) {
    self.key = key
    let name = key.name + Self.ending + Hex.encode(Hashes.random(8))
    path = directory.appending((isNamed ? [] : [UInt8](ascii: "magnum-")) + name)
    file = try Descriptor.open(path, .createExclusive(0o600))
    hash = ContentHash(key)
    hasName = true
    guard !isNamed else { return }
    try FileSystem.remove(path)
    hasName = false
  }

  deinit { if hasName { try? FileSystem.remove(path) } }

  /// Whether a file of the cache is one that is under way.
  static func isOne(_ name: [UInt8]) -> Bool {
    AttachmentKey.isName(name.prefix(AttachmentKey.length))
      && name.dropFirst(AttachmentKey.length).starts(with: ending)
  }

  /// Writes the next octets.
  ///
  /// - Throws: the error of write(2).
  func writeOctets(_ octets: [UInt8]) throws(SystemError) {
    guard !octets.isEmpty else { return }
    try file.write(all: octets)
    hash?.update(octets)
    count += octets.count
  }

  /// Ends the file, and gives it its name where it is kept; gives the content.
  ///
  /// Nothing is made durable: what a crash leaves of it is known by its hash.
  func finish(isKept: Bool) throws(SystemError) -> any OctetSource {
    let octets = try FileOctets(file.duplicate())
    guard hasName else { return octets.part(0..<count) }
    if isKept, let hash = hash.take() {
      try file.write(all: hash.finish())
      try FileSystem.rename(path, to: path.parent.appending(key.name))
    } else {
      try FileSystem.remove(path)
    }
    hasName = false
    return octets.part(0..<count)
  }
}

/// Content that is kept, with the hash behind it.
enum CachedContent {
  /// The content of a file of the cache; nil where it is not what was written there.
  static func checked(_ octets: FileOctets, _ key: AttachmentKey) -> (any OctetSource)? {
    let count = octets.count - ContentHash.length
    guard count >= 0 else { return nil }
    let content = octets.part(0..<count)
    var hash = ContentHash(key)
    var pieces = content.pieces
    do throws(SourceError) {
      while let piece = try pieces.next() { hash.update(piece) }
      let end = try octets.octets(in: count..<octets.count)
      return end.elementsEqual(hash.finish()) ? content : nil
    } catch {
      return nil
    }
  }
}

/// The hash of a key and the content that is kept under it.
private struct ContentHash: ~Copyable {
  /// Octets of it.
  static let length = SHA256.length

  private var hash = SHA256()

  init(_ key: AttachmentKey) { hash.update(key.name) }

  mutating func update(_ octets: [UInt8]) { hash.update(octets) }
  mutating func update(_ octets: ArraySlice<UInt8>) { hash.update(octets) }
  consuming func finish() -> [UInt8] { hash.finish() }
}
