internal import Maildir
internal import Octets
internal import Platform

/// The second look at where files are, right before messages are moved or removed because of it.
struct AbsenceCheck {
  /// Where each name stands; nil where that could not be told.
  private let places: OctetTable<[Path]>?

  /// Looks for the names in all Maildirs below all configured roots.
  init(_ names: OctetSet, in trees: [FolderTree]) throws(SyncFailure) {
    guard !names.isEmpty else {
      places = OctetTable()
      return
    }
    places = try attempt { () throws(SystemError) in try NameSearch(trees).places(of: names) }
  }

  /// Whether no file of that base name stands anywhere.
  func isNowhere(_ name: [UInt8]) -> Bool {
    guard let places else { return false }
    return places[name] == nil
  }

  /// Whether the only file of that base name stands in that Maildir, or one of several does and none in the other.
  func isMoved(_ name: [UInt8], from source: Path, to target: Path) -> Bool {
    guard let found = places?[name] else { return false }
    return found.contains(target) && !found.contains(source)
  }
}
