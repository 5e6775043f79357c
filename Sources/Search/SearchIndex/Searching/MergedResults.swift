/// Results of several indexes made those of one.
enum MergedResults {
  /// How many results are wanted of each source, so that a page of all can be made.
  static func sum(_ offset: Int, _ limit: Int) -> Int {
    let (sum, isTooLarge) = offset.addingReportingOverflow(limit)
    return isTooLarge ? .max : sum
  }

  /// What the lists hold, in that order; a list alone has it.
  static func ordered<Item>(
    _ lists: [[Item]],
    _ order: SearchOrder,
    _ place: (Item) -> MessageMoment
  ) -> [Item] {
    if lists.count == 1 { return lists[0] }
    let all = lists.flatMap { $0 }
    if order == .unsorted { return all }
    let moments = all.map(place)
    let places = all.indices.sorted { one, other in
      let (left, right) = (moments[one], moments[other])
      if left == right { return one < other }
      return order == .newestFirst ? right < left : left < right
    }
    return places.map { all[$0] }
  }

  /// A page of the results.
  static func slice<Item>(_ items: [Item], _ offset: Int, _ limit: Int) -> [Item] {
    Array(items.dropFirst(offset).prefix(limit))
  }

  private struct Identity: Hashable {
    let id: [UInt8]
    let content: UInt64
  }

  /// Copies of one message made one, with the files and tags of all.
  static func withoutCopies(_ messages: [FoundMessage]) -> [FoundMessage] {
    var places: [Identity: Int] = [:]
    var result: [FoundMessage] = []
    for message in messages {
      let identity = Identity(id: message.id, content: message.content)
      guard let place = places[identity] else {
        places[identity] = result.count
        result.append(message)
        continue
      }
      result[place].files += message.files
      result[place].copies += message.copies
      result[place].isMatch = result[place].isMatch || message.isMatch
      result[place].tags = Set(result[place].tags + message.tags).sorted()
    }
    return result
  }
}
