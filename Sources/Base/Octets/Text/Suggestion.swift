/// Finds the word that was probably meant.
package enum Suggestion {
  /// The candidate with the fewest slips from the word, the first of equals; nil where none is near.
  ///
  /// Near is a third of the word's length, one slip at least.
  package static func nearest(to word: String, among candidates: [String]) -> String? {
    let limit = max(1, word.count / 3)
    let rated = candidates.map { (name: $0, distance: distance(word, $0)) }
    let best = rated.min { $0.distance < $1.distance }
    return best.flatMap { $0.distance <= limit ? $0.name : nil }
  }

  /// How many characters must be added, left out, replaced, or swapped with the next.
  package static func distance(_ first: String, _ second: String) -> Int {
    let first = Array(first.lowercased())
    let second = Array(second.lowercased())
    var beforeLast: [Int] = []
    var last = Array(0...second.count)
    for row in first.indices {
      var current = [row + 1]
      for column in second.indices {
        let same = first[row] == second[column]
        var best = min(last[column] + (same ? 0 : 1), last[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, first[row] == second[column - 1], first[row - 1] == second[column] {
          best = min(best, beforeLast[column - 1] + 1)
        }
        current.append(best)
      }
      beforeLast = last
      last = current
    }
    return last[second.count]
  }
}
