internal import MailStore
internal import Mailboxes
internal import Maildir
internal import Octets
internal import Platform
internal import SyncPlan

/// The second look at where files are, right before messages are moved or removed because of it.
struct AbsenceCheck {
  /// Where each name stands; nil where that could not be told.
  private let places: OctetTable<[Path]>?
  private let recorded: RecordedFiles

  /// Looks for the names in all Maildirs below all configured roots.
  init(_ names: OctetSet, in trees: [FolderTree], _ recorded: RecordedFiles) throws(SyncFailure) {
    self.recorded = recorded
    guard !names.isEmpty else {
      places = OctetTable()
      return
    }
    places = try attempt(NameSearch(trees).places(of: names))
  }

  /// Whether the file of that base name that `owner` had stands nowhere: not there, and elsewhere only as another
  /// message's.
  func isNowhere(_ name: [UInt8], of owner: Path) throws(SyncFailure) -> Bool {
    guard SyncRule.absence.isOn else { return true }
    guard let places else { return false }
    for place in places[name] ?? [] {
      if place == owner { return false }
      if try !recorded.accountsFor(name, in: place) { return false }
    }
    return true
  }

  /// Whether a file of that base name stands in the Maildir.
  func isThere(_ name: [UInt8], in directory: Path) -> Bool {
    places?[name]?.contains(directory) ?? false
  }
}
