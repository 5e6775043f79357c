package import MailModel

/// Messages sorted into threads: a function of the set of messages alone, not of the order of their arrival.
///
/// A thread is a connected component: messages that share an id, as their own or one they refer to, even if no
/// message of that id is there; and messages that ``SubjectWindows`` puts together. Nothing about the ids can hurt:
/// circles, lists in the wrong order, and references to oneself are edges like others.
package enum ThreadPartition {
  /// The threads, each a list of places in `members`.
  ///
  /// The time grows with the number of messages and ids. Within a thread, and among threads by their first message,
  /// the order is that of ``ThreadMember/precedes(_:)``.
  package static func threads(
    of members: [ThreadMember],
    subjects: SubjectThreading = .all
  ) -> [[Int]] {
    var sets = DisjointSets(count: members.count)
    joinByLinks(members, &sets)
    for group in SubjectWindows.groups(members, subjects) {
      for place in group.dropFirst() { sets.join(group[0], place) }
    }
    return sorted(members, &sets)
  }

  private static func joinByLinks(_ members: [ThreadMember], _ sets: inout DisjointSets) {
    var places: [LinkKey: Int] = [:]
    places.reserveCapacity(members.count * 2)
    for (place, member) in members.enumerated() {
      join(member.id, place, &places, &sets)
      for link in member.links { join(link, place, &places, &sets) }
    }
  }

  private static func join(
    _ key: LinkKey,
    _ place: Int,
    _ places: inout [LinkKey: Int],
    _ sets: inout DisjointSets
  ) {
    if let other = places[key] { sets.join(other, place) } else { places[key] = place }
  }

  private static func sorted(_ members: [ThreadMember], _ sets: inout DisjointSets) -> [[Int]] {
    var threads: [[Int]] = []
    var numbers: [Int: Int] = [:]
    for place in members.indices.sorted(by: { members[$0].precedes(members[$1]) }) {
      let representative = sets.representative(place)
      if let number = numbers[representative] {
        threads[number].append(place)
      } else {
        numbers[representative] = threads.count
        threads.append([place])
      }
    }
    return threads
  }
}
