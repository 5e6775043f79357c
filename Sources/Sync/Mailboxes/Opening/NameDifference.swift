internal import Maildir
internal import SyncState

/// What the base names of a Maildir's files and those on record of its mailbox do not have in common: nearly nothing, most
/// of the time.
struct NameDifference {
  /// The messages whose file is not here, by UID, from the lowest.
  let fileless: [UInt32]
  /// The positions of files that are no message's; detached ones are among them.
  let unmatched: [Int]
  /// The positions of the files of all messages, from the lowest UID; `FileTable.absent` for those without one.
  private let positions: [UInt32]

  /// The difference of these.
  init(_ files: FileTable, _ state: MailboxState) {
    positions = state.messages.positions(in: files)
    var isMatched = [Bool](repeating: false, count: files.count)
    for position in positions where position != FileTable.absent { isMatched[Int(position)] = true }
    let hasFileless = positions.contains(FileTable.absent)
    let uids = hasFileless ? state.messages.keys : []
    fileless = zip(uids, positions).filter { $1 == FileTable.absent }.map(\.0)
    // Of two messages with one name just one has the file, and none where that one is forgotten.
    if state.messages.sharesNames {
      for position in files.indices {
        isMatched[position] = files.withBase(at: position) { state.messages.uid(of: $0) } != nil
      }
    }
    unmatched = isMatched.indices.filter { !isMatched[$0] }
  }

  /// Where the file of the message stands that is the `number`th on record, from 0 for the lowest UID; nil where it has none.
  func position(ofMessage number: Int) -> Int? {
    positions[number] == FileTable.absent ? nil : Int(positions[number])
  }
}
