internal import Maildir
internal import SyncPlan
internal import SyncState

/// What the plan sees of the records and files of one mailbox.
struct PlanScope {
  /// From the lowest UID.
  private(set) var records: [BaseRecord] = []
  /// The positions of files, in the order of the scan.
  private(set) var files: [Int] = []
  /// The number of messages that are left out of both.
  private(set) var unchanged = 0

  /// All of it.
  init(whole state: MailboxState, _ files: FileTable) {
    records = state.sortedMessages
    self.files = Array(files.indices)
  }

  /// All but messages that make no difference; `difference` is that of the two.
  init(
    _ state: MailboxState,
    _ files: FileTable,
    _ difference: NameDifference,
    _ leftOut: UnchangedMessages
  ) {
    var isLeftOut = [Bool](repeating: false, count: files.count)
    var uids: [UInt32] = []
    var number = 0
    state.messages.forEachMessage { uid, flags in
      defer { number += 1 }
      guard let position = difference.position(ofMessage: number),
        leftOut.contains(uid, recorded: flags, shown: files.flags(at: position))
      else { return uids.append(uid) }
      isLeftOut[position] = true
      unchanged += 1
    }
    records = uids.compactMap { state.messages[$0] }
    self.files = isLeftOut.indices.filter { !isLeftOut[$0] }
  }
}
