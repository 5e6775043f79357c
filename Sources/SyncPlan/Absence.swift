/// What it means that a file of the map is not in the scan.
package enum Absence: Hashable, Sendable {
  /// It is gone: the directories stood still while they were read.
  case proven
  /// Nothing: the directories changed while they were read.
  case unproven
  /// Nothing: an older copy of the folder was put in its place, and the file was not in it.
  case restored
}
