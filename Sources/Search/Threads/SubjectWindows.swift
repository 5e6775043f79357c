internal import MailModel

/// Messages of one subject cut into groups that belong together.
///
/// A message opens a window of 30 days; answers that were written in it belong to it, and where all subjects link, other
/// messages between the same people. The next one after that opens the next window. So the daily report of a machine does
/// not become one thread of years, and the invoices of several shops do not become one thread.
enum SubjectWindows {
  /// The length of a window in seconds.
  static let length: Int64 = 30 * 86_400

  /// A message that its subject alone may link.
  struct Entry {
    let key: LinkKey
    let parties: LinkKey
    let place: UInt32
    let isReply: Bool
  }

  /// Joins the messages that are linked by their subjects alone.
  static func join(
    _ entries: [Entry],
    _ threading: SubjectThreading,
    _ table: inout ThreadTable
  ) {
    let sorted = entries.sorted {
      $0.key == $1.key ? table.precedes(Int($0.place), Int($1.place)) : $0.key < $1.key
    }
    var latest: Entry?
    // The latest of each two people.
    var windows: [LinkKey: Entry] = [:]
    for entry in sorted {
      if latest?.key != entry.key { (latest, windows) = (nil, [:]) }
      let candidates = [
        threading == .all ? windows[entry.parties] : nil, entry.isReply ? latest : nil,
      ]
      if let window = candidates.lazy.compactMap({ $0 }).first(where: { isOpen($0, entry, table) })
      {
        table.join(Int(window.place), Int(entry.place))
      } else {
        latest = entry
        windows[entry.parties] = entry
      }
    }
  }

  /// Whether a message was written while a window was open.
  private static func isOpen(_ window: Entry, _ entry: Entry, _ table: ThreadTable) -> Bool {
    let start = table.date(Int(window.place))
    let (age, overflow) = table.date(Int(entry.place)).subtractingReportingOverflow(start)
    return !overflow && age <= length
  }
}
