package import Octets
package import Platform

/// Looks for files by base name in all Maildirs below all configured roots, whoever mirrors them.
package struct NameSearch {
  private let trees: [FolderTree]
  private let excluded: Set<Path>

  /// A search in these trees, but for the Maildirs in `excluded`.
  package init(_ trees: [FolderTree], excluding excluded: Set<Path> = []) {
    self.trees = trees
    self.excluded = excluded
  }

  /// The Maildirs in which each of the names stands; a name that stands nowhere is left out.
  ///
  /// Nil where a directory did not stand still, so that nothing is known of what was not seen.
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

  private static let attempts = 3

  /// Those of the names that stand in a Maildir; none in one that is not there, as one removed since its parent was read.
  private func search(
    _ directory: Path,
    _ names: OctetSet
  ) throws(SystemError) -> OctetSet? {
    do throws(SystemError) {
      for _ in 0..<Self.attempts {
        if let found = try Self.read(directory, names) { return found }
      }
      return nil
    } catch {
      guard error.isNotFound else { throw error }
      return []
    }
  }

  /// Reads the names of a Maildir once, new before cur, and keeps none but these; nil where they changed meanwhile.
  private static func read(
    _ directory: Path,
    _ names: OctetSet
  ) throws(SystemError) -> OctetSet? {
    var found: OctetSet = []
    var before: [FileFingerprint] = []
    let parts = [Subdirectory.new, .cur].map { $0.path(in: directory) }
    for part in parts {
      let fingerprint = try FileSystem.entries(of: part) { octets, kind in
        guard kind == .regular, octets.first != ASCII.dot else { return }
        let base = [UInt8](octets.prefix { $0 != ASCII.colon })
        if names.contains(base) { found.insert(base) }
      }
      before.append(fingerprint)
    }
    for (part, fingerprint) in zip(parts, before) {
      guard try FileSystem.status(part)?.fingerprint == fingerprint else { return nil }
    }
    return found
  }
}
