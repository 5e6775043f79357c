internal import Octets
package import Platform
internal import TextFilters
internal import Transport

/// Texts of attachments on disk, by what is in the attachment and which filter made them: what is attached to several messages
/// is filtered once, also where an index is made anew.
///
/// All of it can be made again; what cannot be written or read is simply not there.
package struct TextCache: Sendable {
  private let directory: Path
  private let limit: Int

  /// How many octets are kept.
  package static let standardLimit = 256 << 20

  /// The texts in a directory, which need not be there yet.
  package init(_ directory: Path, limit: Int = TextCache.standardLimit) {
    self.directory = directory
    self.limit = limit
  }

  /// Those of the user.
  package static var own: TextCache {
    TextCache(Environment.cacheHome.appending("magnum/texts"))
  }

  /// The name of what a filter makes of these octets.
  func name(_ octets: [UInt8], _ filter: TextFilter) -> [UInt8] {
    var hash = SHA256()
    hash.update(Hex.digits(filter.key))
    hash.update(octets)
    return Hex.encode(hash.finish())
  }

  /// What is kept under a name; nil for nothing.
  func text(_ name: [UInt8]) -> FilteredText? {
    let file = directory.appending(name)
    guard let octets = try? FileSystem.readFile(file, limit: Extraction.textLimit + 1000),
      let text = FilteredText(octets)
    else { return nil }
    try? FileSystem.setTimes(file, Clock.now())
    return text
  }

  /// Keeps a text under a name.
  func keep(_ text: FilteredText, _ name: [UInt8]) {
    try? FileSystem.makeDirectories(directory)
    // A file that is cut short is known by its checksum.
    guard let file = try? Descriptor.open(directory.appending(name), .truncate) else { return }
    try? file.write(all: text.octets)
  }

  /// Removes what was not used for longest, where there is more than is kept.
  func trim() {
    var entries: [CacheTrim.Entry] = []
    _ = try? FileSystem.entries(of: directory) { name, _ in
      let name = Array(name)
      guard let status = try? FileSystem.status(directory.appending(name)) else { return }
      entries.append(
        CacheTrim.Entry(
          name: name,
          size: Int(status.size),
          time: status.fingerprint.modified
        )
      )
    }
    for name in CacheTrim.leaving(entries, limit: limit, rest: limit / 4 * 3) {
      try? FileSystem.remove(directory.appending(name))
    }
  }
}
