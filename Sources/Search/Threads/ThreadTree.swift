/// A thread as a tree: who answered whom.
package struct ThreadTree: Hashable, Sendable {
  /// The messages that answer none of the others, as places in the list.
  package let roots: [Int]

  /// The answers to each message.
  package let answers: [[Int]]

  /// The tree of the messages of one thread.
  ///
  /// The parent is the likeliest one that is there. A circle is cut above its oldest message. Roots, and the answers
  /// to one message, are in the order of ``ThreadMember/precedes(_:)``.
  package init(_ members: [ThreadMember]) {
    let order = members.indices.sorted { members[$0].precedes(members[$1]) }
    let parents = Self.parents(members, order)
    var answers = [[Int]](repeating: [], count: members.count)
    for place in order {
      if let parent = parents[place] { answers[parent].append(place) }
    }
    self.answers = answers
    roots = order.filter { parents[$0] == nil }
  }

  /// Every message with its depth from 0, each before its answers.
  package var flattened: [(place: Int, depth: Int)] {
    var result: [(place: Int, depth: Int)] = []
    var waiting = roots.reversed().map { ($0, 0) }
    while let (place, depth) = waiting.popLast() {
      result.append((place, depth))
      waiting += answers[place].reversed().map { ($0, depth + 1) }
    }
    return result
  }

  private static func parents(_ members: [ThreadMember], _ order: [Int]) -> [Int?] {
    var places: [LinkKey: Int] = [:]
    for place in order where places[members[place].id] == nil { places[members[place].id] = place }
    var trees = DisjointSets(count: members.count)
    var parents = [Int?](repeating: nil, count: members.count)
    // The newest first, so that in a circle it is the oldest that finds no parent left.
    for place in order.reversed() {
      let found = members[place].links.lazy.compactMap { places[$0] }.first {
        trees.representative($0) != trees.representative(place)
      }
      guard let found else { continue }
      parents[place] = found
      trees.join(found, place)
    }
    return parents
  }
}
