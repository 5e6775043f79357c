internal import Maildir
internal import SyncState

/// What the base names of a Maildir's files and those on record of its mailbox do not have in common: nearly nothing, most
/// of the time.
struct NameDifference {
  /// The messages whose file is not here, by UID, from the lowest.
  let fileless: [UInt32]
  /// The positions of files that are no message's; detached ones are among them.
  let unmatched: [Int]

  /// The difference of these.
  init(_ files: FileTable, _ state: MailboxState) {
    var fileless: [UInt32] = []
    var isMatched = [Bool](repeating: false, count: files.count)
    state.messages.forEachName { uid, _, name in
      if let position = files.position(of: name) {
        isMatched[position] = true
      } else {
        fileless.append(uid)
      }
    }
    // Of two messages with one name just one has the file, and none where that one is forgotten.
    if state.messages.sharesNames {
      for position in files.indices {
        isMatched[position] = files.withBase(at: position) { state.messages.uid(of: $0) } != nil
      }
    }
    self.fileless = fileless
    unmatched = isMatched.indices.filter { !isMatched[$0] }
  }
}
