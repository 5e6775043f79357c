package import Octets
package import Platform

/// Looks for files by base name in all Maildirs below all configured roots, whoever mirrors them.
package struct NameSearch {
  private let trees: [FolderTree]

  /// A search in these trees.
  package init(_ trees: [FolderTree]) {
    self.trees = trees
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
        guard let found = try search(directory, names) else { return nil }
        for name in found { places[name] = (places[name] ?? []) + [directory] }
      }
    }
    return places
  }

  private func search(
    _ directory: Path,
    _ names: OctetSet
  ) throws(SystemError) -> [[UInt8]]? {
    guard let scan = try MaildirScan.scanIfPresent(directory) else { return [] }
    guard scan.isSettled else { return nil }
    return scan.files.map(\.name.base).filter { names.contains($0) }
  }
}
