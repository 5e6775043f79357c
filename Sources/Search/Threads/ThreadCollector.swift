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
