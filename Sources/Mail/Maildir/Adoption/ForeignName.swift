internal import Octets

/// What a file's base name tells of the tool that kept the Maildir before.
///
/// mbsync:      `1795244621.13231_2.vm,U=2`, or its own name with `,U=16` behind it where another program wrote it.
/// offlineimap: `1795244691_2.13642.vm,U=2,FMD5=7e33429f656f1e6e9d79b29c3f82c57e`.
package struct ForeignName: Hashable {
  /// The UID that mbsync gave the file; nil where it gave none.
  ///
  /// It says which pair of the `MbsyncState` with the same `nearValidity` is the file's, and nothing without one.
  private(set) var nearUID: UInt32?
  /// The UID on the server that offlineimap noted; nil where it noted none.
  ///
  /// The name does not tell under which UIDVALIDITY.
  private(set) var serverUID: UInt32?
  /// The MD5 digest of the mailbox's name that offlineimap noted, 32 lower-case digits.
  ///
  /// A file with another one than its neighbours came from another mailbox, so that its UID is of there.
  private(set) var mailboxDigest: [UInt8]?
  /// Whether a tool has had the file in a sync.
  ///
  /// It is then taken to have been on the server, unless mbsync's state says that it never came there.
  package private(set) var wasSynced = false

  /// Reads a base name, with or without `:2,` and flags.
  package init(_ name: [UInt8]) {
    let fields = name.split(separator: ASCII.comma, omittingEmptySubsequences: false).dropFirst()
    mailboxDigest = fields.lazy.compactMap(Self.digest).first
    guard let uid = fields.lazy.compactMap(Self.uid).first else { return }
    wasSynced = true
    if mailboxDigest == nil {
      nearUID = uid == 0 ? nil : uid
    } else {
      serverUID = uid == 0 ? nil : uid
    }
  }

  /// The number of `U=` up to the end, or up to what may part names and flags where the user chose so.
  private static func uid(_ field: ArraySlice<UInt8>) -> UInt32? {
    var cursor = Cursor(field)
    guard cursor.skip("U="), let number = cursor.decimal(), isEnd(cursor.peek) else { return nil }
    return UInt32(exactly: number)
  }

  private static func digest(_ field: ArraySlice<UInt8>) -> [UInt8]? {
    var cursor = Cursor(field)
    guard cursor.skip("FMD5="), let digits = cursor.take(count: 32), isEnd(cursor.peek)
    else { return nil }
    let digest = digits.map(ASCII.lowercased)
    return Hex.decode(digest) == nil ? nil : digest
  }

  private static func isEnd(_ octet: UInt8?) -> Bool {
    guard let octet else { return true }
    return [ASCII.colon, ASCII.semicolon, UInt8(ascii: "!")].contains(octet)
  }
}
