internal import Octets
internal import SyncPlan
internal import SyncState

/// What mbsync is to know of a mailbox: its `.mbsyncstate`, as isync 1.4 writes it.
struct MbsyncStateText {
  /// A message on both sides.
  struct Pair {
    /// The UID on the server.
    let far: UInt32
    /// The UID in the file's name.
    let near: UInt32
    /// The letters of the flags that both sides had.
    let flags: [UInt8]
  }

  let farValidity: UInt32
  let nearValidity: UInt32
  /// The highest UID on the server that is known, also of messages that are not here.
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
    without(base) + Array(",U=\(uid)".utf8)
  }

  /// A base name without the UID that mbsync gave it.
  static func without(_ base: [UInt8]) -> [UInt8] {
    let fields = base.split(separator: ASCII.comma, omittingEmptySubsequences: false)
    let rest = fields.filter { field in
      !(field.starts(with: "U=".utf8) && field.dropFirst(2).allSatisfy(ASCII.isDigit))
    }
    return Array(rest.joined(separator: [ASCII.comma]))
  }
}
