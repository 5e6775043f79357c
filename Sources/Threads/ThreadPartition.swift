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
}
