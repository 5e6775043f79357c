package import Configuration
internal import MailModel
internal import Maildir
internal import Octets
internal import Platform
internal import SyncPlan
internal import SyncState

/// Lets mbsync take over the Maildir of an account: its first run then fetches and uploads nothing.
///
/// Each file whose message is on the server gets a UID in its name, and each mailbox the two files in which mbsync keeps what
/// it knows. No message is touched. Magnum itself still knows all files afterwards, by their contents.
package struct MbsyncExport {
  /// The mailboxes with their names.
  package let boxes: [MbsyncBox]
  private let handOver: HandOver

  /// Locks the account, and reads what is recorded of it.
  ///
  /// - Throws: where it was never synced, is being synced, or its records cannot be read.
  package init(_ account: Account) throws(ExportFailure) {
    let handOver = try HandOver(account)
    self.handOver = handOver
    boxes = handOver.states.map { MbsyncBox($0.header, layout: account.layout) }
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
    let pairs = try rename(files, state, in: maildir)
    let known = state.messages.keys.max() ?? 0
    let text = MbsyncStateText(
      farValidity: state.header.validity,
      nearValidity: validity,
      highestFar: max(known, state.header.uidNext > 0 ? state.header.uidNext - 1 : 0),
      pairs: pairs
    )
    try HandOver.synchronise(maildir)
    try AtomicFile.replace(maildir.appending(".uidvalidity"), with: text.validity)
    try AtomicFile.replace(maildir.appending(".mbsyncstate"), with: text.octets)
    return pairs.count
  }

  /// Names the files whose messages are on the server, in the order of their UIDs there.
  private func rename(
    _ files: FileTable,
    _ state: MailboxState,
    in maildir: Path
  ) throws(SystemError) -> [MbsyncStateText.Pair] {
    var byBase: [[UInt8]: ScannedFile] = [:]
    var others: [ScannedFile] = []
    for file in files {
      let base = MbsyncStateText.without(file.name.base)
      if byBase[base] == nil { byBase[base] = file } else { others.append(file) }
    }
    var pairs: [MbsyncStateText.Pair] = []
    for message in state.sortedMessages {
      guard let file = byBase.removeValue(forKey: MbsyncStateText.without(message.name)) else {
        // The file was removed here: mbsync removes the message, as a sync would have.
        pairs.append(pair(message, near: 0))
        continue
      }
      let near = UInt32(pairs.count + 1)
      try rename(file, to: MbsyncStateText.base(file.name.base, uid: near), in: maildir)
      pairs.append(pair(message, near: near))
    }
    // A UID that stands for something else would be taken for a message of mbsync's.
    for file in Array(byBase.values) + others {
      try rename(file, to: MbsyncStateText.without(file.name.base), in: maildir)
    }
    return pairs
  }

  private func pair(_ message: BaseRecord, near: UInt32) -> MbsyncStateText.Pair {
    MbsyncStateText.Pair(far: message.uid, near: near, flags: message.flags.system.characters)
  }

  private func rename(_ file: ScannedFile, to base: [UInt8], in maildir: Path) throws(SystemError) {
    try HandOver.rename(file, to: file.name.with(base: base).octets, in: maildir)
  }
}
