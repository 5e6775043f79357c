package import MailModel

/// Sorts messages into threads: what comes of it depends on the set of messages alone, not on the order of their arrival.
///
/// A thread is a connected component: messages that share an id, as their own or one they refer to, even if no
/// message of that id is there; and messages that ``SubjectWindows`` puts together. Nothing about the ids can hurt:
/// circles, lists in the wrong order, and references to oneself are edges like others. Links are not kept: the time and
/// memory grow with the number of messages and ids.
package struct ThreadCollector: Sendable {
  private var table: ThreadTable
  /// A message of each id, as its own or one it refers to.
  private var places: [LinkKey: UInt32] = [:]
  private var subjects: [SubjectWindows.Entry] = []

  /// One for so many messages, of which some may never come.
  package init(count: Int) {
    table = ThreadTable(count: count)
  }

  /// Adds a message under its number.
  package mutating func add(_ member: ThreadMember, at place: Int) {
    table.add(member.id, member.date, at: place)
    join(member.id, place)
    for link in member.links { join(link, place) }
    guard let subject = member.subject else { return }
    subjects.append(
      SubjectWindows.Entry(
        key: subject.key,
        // Of more people than two: as those of no other message.
        parties: member.parties ?? member.id,
        place: UInt32(place),
        isReply: subject.isReply
      )
    )
  }

  private mutating func join(_ key: LinkKey, _ place: Int) {
    if let other = places[key] {
      table.join(Int(other), place)
    } else {
      places[key] = UInt32(place)
    }
  }

  /// The threads of all messages that were added, with subjects as far as they may link.
  package consuming func threads(subjects threading: SubjectThreading) -> ThreadTable {
    places = [:]
    if threading != .off { SubjectWindows.join(subjects, threading, &table) }
    table.flattenParents()
    return table
  }
}

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
