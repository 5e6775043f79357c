package import MailModel

/// Messages that are all in memory sorted into threads.
package enum ThreadPartition {
  /// The threads as ``ThreadCollector`` makes them, each a list of places in `members`.
  ///
  /// Within a thread, and among threads by their first message, the order is that of ``ThreadMember/precedes(_:)``.
  package static func threads(
    of members: [ThreadMember],
    subjects: SubjectThreading = .all
  ) -> [[Int]] {
    var collector = ThreadCollector(count: members.count)
    for (place, member) in members.enumerated() { collector.add(member, at: place) }
    let table = collector.threads(subjects: subjects)
    var threads: [[Int]] = []
    var numbers: [Int: Int] = [:]
    for place in members.indices.sorted(by: table.precedes) {
      let first = table.first(place)
      if let number = numbers[first] {
        threads[number].append(place)
      } else {
        numbers[first] = threads.count
        threads.append([place])
      }
    }
    return threads
  }

  /// The messages of a thread that their subject alone joins to it, as places in `members`.
  ///
  /// The others are linked to its oldest message, or to some of `seeds`, by ids.
  package static func joinedBySubject(
    _ members: [ThreadMember],
    seeds: Set<Int> = []
  ) -> [Int] {
    let parts = threads(of: members, subjects: .off)
    guard parts.count > 1 else { return [] }
    if seeds.isEmpty { return parts.dropFirst().flatMap { $0 } }
    return parts.filter { part in !part.contains { seeds.contains($0) } }.flatMap { $0 }
  }
}
