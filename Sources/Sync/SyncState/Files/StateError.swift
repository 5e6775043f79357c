/// Why a file of the state cannot be trusted.
package struct StateError: Error, Hashable {
  /// What is wrong with it.
  package enum Problem: Hashable {
    case wrongKind, olderVersion, newerVersion, checksum, truncated, badRecord
    /// The log belongs to another map than the one that is there.
    case generations(map: UInt64, log: UInt64)
    /// The map is another mailbox's.
    case otherMailbox
    /// There is a log and no map.
    case mapMissing
  }

  /// The line, counted from 1; nil where the whole file is meant.
  package var line: Int?
  /// What is wrong with the file.
  package var problem: Problem
}

extension StateError.Problem {
  /// The problem in words.
  package var reason: String {
    switch self {
    case .wrongKind: "it is not a file of Magnum"
    case .olderVersion: "it was written by an older version"
    case .newerVersion: "it was written by a newer version"
    case .checksum: "its checksum is wrong"
    case .truncated: "its end is missing"
    case .badRecord: "a line is not as it should be"
    case .generations(let map, let log): "it follows map \(log), and the map is \(map)"
    case .otherMailbox: "it describes another mailbox"
    case .mapMissing: "the map that it follows is missing"
    }
  }
}
