package import Octets
package import Platform

/// Looks for files by base name in all Maildirs below all configured roots, mirrored or not.
package struct NameSearch {
  private let trees: [FolderTree]
  private let excluded: Set<Path>

  package init(_ trees: [FolderTree], excluding excluded: Set<Path> = []) {
    self.trees = trees
    self.excluded = excluded
  }

  /// The Maildirs in which each of the names stands; a name that stands nowhere is left out.
  ///
  /// Nil where a directory changed while it was read, so that nothing is known of what was not seen.
  ///
  /// - Throws: the error of reading a directory.
  package func places(of names: OctetSet) throws(SystemError) -> OctetTable<[Path]>? {
    var places = OctetTable<[Path]>()
    for tree in trees {
      for relative in try tree.maildirs().maildirs {
        let directory = tree.path(of: relative)
        guard !excluded.contains(directory) else { continue }
        guard let found = try search(directory, names) else { return nil }
        for name in found { places[name] = (places[name] ?? []) + [directory] }
      }
    }
    return places
  }

  /// Those of the names that stand in a Maildir; none in one that is not there.
  ///
  /// Nil where it changed while it was read.
  private func search(
    _ directory: Path,
    _ names: OctetSet
  ) throws(SystemError) -> OctetSet? {
    let take: MaildirReading.Visitor<OctetSet> = { found, octets, kind, _, subdirectory in
      guard octets.first != ASCII.dot else { return }
      let base = [UInt8](octets.prefix { $0 != ASCII.colon })
      guard names.contains(base) else { return }
      let isFile = kind == .regular || Self.leadsToFile(octets, subdirectory, directory)
      if isFile { found.insert(base) }
    }
    let result = try MaildirReading.readIfPresent(directory, into: { OctetSet() }, take)
    guard let (found, reading) = result else { return [] }
    return reading.isSettled ? found : nil
  }

  /// Whether it is a link to a file: one in the place of a file, as programs put there that keep each content once.
  private static func leadsToFile(
    _ name: UnsafeBufferPointer<UInt8>,
    _ subdirectory: Subdirectory,
    _ maildir: Path
  ) -> Bool {
    let path = subdirectory.path(in: maildir).appending([UInt8](name))
    return (try? FileSystem.status(path))??.kind == .regular
  }
}
