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

/// Sets of numbers that are joined two by two.
package struct DisjointSets {
  private var parents: [Int]
  private var sizes: [Int]

  /// So many numbers from 0, each a set of its own.
  package init(count: Int) {
    parents = Array(0..<count)
    sizes = Array(repeating: 1, count: count)
  }

  /// The number that stands for the set of another one.
  package mutating func representative(_ number: Int) -> Int {
    var number = number
    while parents[number] != number {
      parents[number] = parents[parents[number]]
      number = parents[number]
    }
    return number
  }

  /// Makes one set of two.
  package mutating func join(_ one: Int, _ other: Int) {
    let (one, other) = (representative(one), representative(other))
    guard one != other else { return }
    let (large, small) = sizes[one] < sizes[other] ? (other, one) : (one, other)
    parents[small] = large
    sizes[large] += sizes[small]
  }
}
