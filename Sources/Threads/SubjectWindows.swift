internal import MailModel

/// Messages of one subject cut into groups that belong together.
///
/// The oldest message opens a window of 30 days; what was written in it belongs to it; the next one after that opens
/// the next window. So the daily report of a machine does not become one thread of years.
enum SubjectWindows {
  /// The length of a window in seconds.
  static let length: Int64 = 30 * 86_400

  /// A message that its subject alone may link.
  struct Entry {
    let key: LinkKey
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
    var window: Entry?
    for entry in sorted {
      if let window, belongs(entry, to: window, threading, table) {
        table.join(Int(window.place), Int(entry.place))
      } else {
        window = entry
      }
    }
  }

  /// Whether a message belongs to the window that another one of its subject or of another opened.
  private static func belongs(
    _ entry: Entry,
    to window: Entry,
    _ threading: SubjectThreading,
    _ table: ThreadTable
  ) -> Bool {
    guard entry.key == window.key, threading == .all || entry.isReply else { return false }
    let start = table.date(Int(window.place))
    let (age, overflow) = table.date(Int(entry.place)).subtractingReportingOverflow(start)
    return !overflow && age <= length
  }
}
