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
