package import MailModel
internal import Octets
package import Platform

/// What other tools left behind about the messages of one Maildir.
///
/// A pure function of the files' names and of mbsync's state, which `MbsyncStateFile` finds. UIDs are only
/// hints, since names and state can be older than the mail: they count if the Message-ID agrees.
package struct ForeignRecords {
  /// What is known of one file.
  package struct Record: Hashable {
    /// The UID on the server; nil where nothing tells it.
    package var uid: UInt32?
    /// The flags that both sides had; nil where nothing tells them.
    package var flags: MessageFlags?
    /// Whether the message is or was on the server.
    package var wasSynced = false
    /// Whether the file only stands in for a message that was too large for the tool.
    package var isPlaceholder = false
  }

  private let state: MbsyncState?
  private let isStateBehind: Bool
  private let pairs: [UInt32: MbsyncState.Pair]
  private let digest: [UInt8]?

  /// Looks for what is known of the files of a Maildir.
  ///
  /// - Parameters:
  ///   - directory: the Maildir.
  ///   - mailboxes: what other tools may call its mailbox, with slashes between the levels.
  ///   - names: the base names of all files in it.
  package init(of directory: Path, _ mailboxes: [[UInt8]], names: some Collection<[UInt8]>) {
    let directories = MbsyncStateFile.usualDirectories
    let state = MbsyncStateFile(of: directory, names: mailboxes, in: directories)
    self.init(names: names, mbsync: state)
  }

  /// Takes the base names of all files of the Maildir, and mbsync's state of it where there is one.
  init(names: some Collection<[UInt8]>, mbsync: MbsyncStateFile?) {
    state = mbsync?.state
    isStateBehind = mbsync?.isBehind ?? false
    let known = names.map { ForeignName($0) }
    digest = Self.mostFrequent(known.compactMap(\.mailboxDigest))
    let counts = Self.counts(known.compactMap(\.nearUID))
    // A number that two files bear is of one of them only.
    pairs = Dictionary(
      first: (mbsync?.state.pairs ?? []).compactMap { pair in
        pair.nearUID.flatMap { counts[$0] == 1 ? ($0, pair) : nil }
      }
    )
  }

  /// What is known of the file of that base name, where the server's UIDVALIDITY is `validity`.
  package func record(of name: [UInt8], validity: UInt32) -> Record {
    let foreign = ForeignName(name)
    if let nearUID = foreign.nearUID, let state {
      return record(of: nearUID, name, state, validity)
    }
    let isOfMailbox = foreign.mailboxDigest == digest
    return Record(uid: isOfMailbox ? foreign.serverUID : nil, wasSynced: foreign.wasSynced)
  }

  private func record(
    of nearUID: UInt32,
    _ name: [UInt8],
    _ state: MbsyncState,
    _ validity: UInt32
  ) -> Record {
    guard let pair = pairs[nearUID] else {
      // mbsync numbers new files before it pushes them: above that mark they never were.
      return Record(wasSynced: isStateBehind || nearUID <= state.maxPushedUID ?? .max)
    }
    return Record(
      uid: state.farValidity == validity ? pair.farUID : nil,
      flags: hidesFlags(name) ? nil : pair.base,
      wasSynced: pair.wasSynced,
      isPlaceholder: pair.placeholder == .near
    )
  }

  /// Whether the flags stand behind another sign than `:` (mbsync's `InfoDelimiter`): what is not visible here
  /// must not look as if it were taken away.
  private func hidesFlags(_ name: [UInt8]) -> Bool {
    name.indices.contains { index in
      [ASCII.semicolon, UInt8(ascii: "!")].contains(name[index])
        && name[(index + 1)...].starts(with: "2,".utf8)
    }
  }

  private static func counts<Key: Hashable>(_ keys: [Key]) -> [Key: Int] {
    keys.reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }

  private static func mostFrequent(_ digests: [[UInt8]]) -> [UInt8]? {
    counts(digests).max { one, other in
      one.value == other.value
        ? other.key.lexicographicallyPrecedes(one.key) : one.value < other.value
    }?.key
  }
}

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
