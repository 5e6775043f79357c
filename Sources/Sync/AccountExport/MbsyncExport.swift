package import Configuration
internal import Maildir
package import MailModel
internal import Octets
internal import Platform
internal import SyncPlan
package import SyncState

/// Lets mbsync take over the Maildir of an account: its first run then fetches and uploads nothing.
///
/// Each file whose message is on the server gets a UID in its name, and each mailbox the two files in which mbsync keeps what
/// it knows. No message is touched. Magnum itself still knows all files afterwards, by their contents.
package struct MbsyncExport {
  /// The configuration of mbsync for the account.
  package let configuration: MbsyncConfiguration
  private let handOver: HandOver

  /// Locks the account, and reads what is recorded of it.
  ///
  /// - Throws: where it was never synced, is being synced, or its records cannot be read.
  package init(_ account: Account) throws(ExportFailure) {
    let handOver = try HandOver(account)
    self.handOver = handOver
    let headers = handOver.states.map(\.header)
    let style = MbsyncFolderStyle(headers, handOver.names, layout: account.layout)
    let here = account.recordedNames()
    let boxes = headers.map { MbsyncBox($0, handOver.names, style, here: here) }
    configuration = MbsyncConfiguration(
      account,
      boxes: boxes.compactMap { $0 },
      left: zip(headers, boxes).filter { $1 == nil }.map(\.0.mailbox),
      style: style,
      names: handOver.names
    )
  }

  /// Gives the files their names, and writes what mbsync is to know; durable on return.
  ///
  /// May be begun again where it was cut short; once it is done, only after another sync, since mbsync has changed more by
  /// then than is recorded.
  ///
  /// - Parameter validity: what the new UIDs stand under; the time in seconds since 1970.
  /// - Returns: what it came to.
  /// - Throws: the error of the call that failed; mbsync must not be run then.
  package func write(validity: UInt32) throws(ExportFailure) -> ExportCount {
    try handOver.perform { (state, files) throws(SystemError) in
      try write(state, files, validity: validity)
    }
  }

  private func write(
    _ state: MailboxState,
    _ files: FileTable,
    validity: UInt32
  ) throws(SystemError) -> Int {
    let maildir = handOver.places.tree.path(of: state.header.directory)
    // While names change, mbsync must not take the old state for the truth.
    for name in [".mbsyncstate", ".uidvalidity"] {
      let file = maildir.appending(name)
      if try FileSystem.status(file) != nil { try FileSystem.remove(file) }
    }
    let count = try rename(files, state, in: maildir)
    let text = MbsyncStateText(
      farValidity: state.header.validity,
      nearValidity: validity,
      // Messages above that may be here already, and others between them not yet.
      highestFar: max(state.header.uidNext ?? 1, 1) - 1,
      pairs: Self.pairs(state)
    )
    try HandOver.synchronise(maildir)
    try AtomicFile.replace(maildir.appending(".uidvalidity"), with: text.validity)
    try AtomicFile.replace(maildir.appending(".mbsyncstate"), with: text.octets)
    return count
  }

  /// The messages in the order of their UIDs, with UIDs of files in the same order, and behind them the pending expunges.
  ///
  /// mbsync removes these, and messages whose file was removed, as a sync would have.
  private static func pairs(_ state: MailboxState) -> [MbsyncStateText.Pair] {
    let messages = state.sortedMessages.map { (uid: $0.uid, flags: $0.flags) }
    let going = state.pendingExpunges.sorted { $0.key < $1.key }
      .map { (uid: $0.key, flags: $0.value.former?.flags ?? MessageFlags()) }
    return (messages + going).enumerated().map { number, message in
      MbsyncStateText.Pair(
        far: message.uid,
        near: UInt32(number + 1),
        flags: message.flags.system.characters
      )
    }
  }

  /// Names the files whose messages are on the server; gives how many there are.
  private func rename(
    _ files: FileTable,
    _ state: MailboxState,
    in maildir: Path
  ) throws(SystemError) -> Int {
    var numbers: [[UInt8]: UInt32] = [:]
    for (number, message) in state.sortedMessages.enumerated() {
      numbers[ForeignMarks.removed(from: message.name)] = UInt32(number + 1)
    }
    var count = 0
    for file in files {
      let base = ForeignMarks.removed(from: file.name.base)
      guard let near = numbers[base] else {
        // A UID that stands for something else would be taken for a message of mbsync's.
        try rename(file, to: base, in: maildir)
        continue
      }
      try rename(file, to: MbsyncStateText.base(base, uid: near), in: maildir)
      count += 1
    }
    return count
  }

  private func rename(_ file: ScannedFile, to base: [UInt8], in maildir: Path) throws(SystemError) {
    try HandOver.rename(file, to: file.name.with(base: base).octets, in: maildir)
  }
}

/// A mailbox under the names that mbsync has for both of its sides, levels divided by slashes.
package struct MbsyncBox: Hashable {
  /// The mailbox, in modified UTF-7.
  package let far: [UInt8]
  /// The folder.
  package let near: [UInt8]
  /// Whether the mailbox lies outside of the server's prefix, where its name is a whole one.
  package let isOutside: Bool
  /// The names by which the configuration means it, that of the folder first.
  package let names: [[UInt8]]

  /// Whether a pattern finds both.
  var hasOneName: Bool { far == near && !isOutside }

  /// Takes what is recorded of a mailbox; nil where mbsync cannot have its name.
  package init?(
    _ header: MailboxHeader,
    _ names: ServerNames,
    _ folders: MbsyncFolderStyle,
    here: MailboxNames = .plain
  ) {
    let below = names.levelsBelowPrefix(header.mailbox)
    let levels = below ?? names.levels(header.mailbox)
    isOutside = below == nil
    // A slash divides levels there whatever the server has.
    guard levels.allSatisfy({ !$0.isEmpty && !$0.contains(ASCII.slash) }),
      let near = folders.name(of: header.directory)
    else { return nil }
    let isInbox = header.mailbox.equalsCaseless("INBOX")
    far = isInbox ? Array("INBOX".utf8) : Array(levels.joined(separator: [ASCII.slash]))
    self.near = near
    self.names = here.forms(of: here.name(of: names.decoded(header.mailbox)))
  }
}

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
