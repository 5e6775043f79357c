internal import Octets
internal import SyncPlan
internal import SyncState

/// What mbsync is to know of a mailbox: its `.mbsyncstate`, as isync 1.4 writes it.
struct MbsyncStateText {
  /// A message that was on both sides.
  struct Pair {
    /// The UID on the server.
    let far: UInt32
    /// The UID in the file's name; of a file that was removed the one that it would have, by which mbsync knows that the
    /// message is to go: of what has none it takes that as done.
    let near: UInt32
    /// The letters of the flags that both sides had.
    let flags: [UInt8]
  }

  let farValidity: UInt32
  let nearValidity: UInt32
  /// The UID on the server up to which all messages were looked at; mbsync fetches what is above and in no pair.
  let highestFar: UInt32
  let pairs: [Pair]

  /// The highest UID in the names of the files.
  private var highestNear: UInt32 { pairs.map(\.near).max() ?? 0 }

  /// The file `.mbsyncstate`.
  var octets: [UInt8] {
    let head =
      "FarUidValidity \(farValidity)\nNearUidValidity \(nearValidity)\n"
      + "MaxPulledUid \(highestFar)\nMaxPushedUid \(highestNear)\n\n"
    return pairs.reduce(into: Array(head.utf8)) { text, pair in
      text += Array("\(pair.far) \(pair.near) ".utf8) + pair.flags + [ASCII.lineFeed]
    }
  }

  /// The file `.uidvalidity`.
  var validity: [UInt8] { Array("\(nearValidity)\n\(highestNear)\n".utf8) }

  /// A base name with a UID, in place of one that it may have.
  static func base(_ base: [UInt8], uid: UInt32) -> [UInt8] {
    ForeignMarks.removed(from: base) + Array(",U=\(uid)".utf8)
  }
}
