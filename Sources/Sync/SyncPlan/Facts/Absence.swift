/// What it means that a file of the map is not in the scan.
package enum Absence: Hashable, Sendable {
  /// It is gone: the directories stood still while they were read.
  case proven
  /// Nothing: the directories changed while they were read.
  case unproven
  /// Nothing: another copy of the folder was put in its place, and the file was not in it.
  ///
  /// `isOlder` says that the copy is older than the map, so that the flags in its names are no changes either.
  case restored(isOlder: Bool)

  /// Whether another copy of the folder was put in its place.
  package var isRestored: Bool {
    switch self {
    case .restored: true
    case .proven, .unproven: false
    }
  }
}
