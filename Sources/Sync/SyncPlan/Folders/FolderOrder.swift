/// Orders renames so that each finds its new name free.
enum FolderOrder {
  /// One rename.
  struct Move<Name: Hashable, Item> {
    var item: Item
    /// What it gives up.
    var from: Name
    var to: Name
  }

  /// The moves in an order in which no name is taken twice, and those that only change names with each other.
  static func ordered<Name: Hashable, Item>(
    _ moves: [Move<Name, Item>]
  ) -> (ordered: [Move<Name, Item>], circular: [Move<Name, Item>]) {
    var waiting = moves
    var ordered: [Move<Name, Item>] = []
    while let next = waiting.indices.first(where: { isFree($0, waiting) }) {
      ordered.append(waiting.remove(at: next))
    }
    return (ordered, waiting)
  }

  private static func isFree<Name: Hashable, Item>(
    _ index: Int,
    _ moves: [Move<Name, Item>]
  ) -> Bool {
    moves.indices.allSatisfy { $0 == index || moves[$0].from != moves[index].to }
  }
}
