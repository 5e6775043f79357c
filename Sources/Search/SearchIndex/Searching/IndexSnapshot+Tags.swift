internal import CXapian
package import Query

extension IndexSnapshot {
  /// The tags that the messages have that a query finds.
  ///
  /// No message is read: the first that has a tag, in the order of the library, tells.
  package func tags(of query: Query) throws(IndexError) -> Set<Tag> {
    let found = query == .everything ? nil : try compiler.compile(query)
    var tags: Set<Tag> = []
    for tag in Tag.own where try isAny(try compiler.tag(tag), among: found) { tags.insert(tag) }
    for (label, slot) in labels.all {
      guard let name = keywords.name(label) else { continue }
      let tag = Tag(rawValue: String(decoding: name, as: UTF8.self))
      guard !tags.contains(tag), try database.frequency(ofSlot: slot) > 0 else { continue }
      if let found {
        guard try isAny(.valued(slot), among: found) else { continue }
      }
      tags.insert(tag)
    }
    return tags
  }

  /// Whether something finds any of the messages that are found; of all, for nil.
  private func isAny(
    _ query: XapianQuery,
    among found: XapianQuery?
  ) throws(IndexError) -> Bool {
    let both = try found.map { (found) throws(IndexError) in
      try XapianQuery.combine(MAGNUM_INDEX_AND, [query, found])
    }
    return try !database.search(both ?? query, order: MAGNUM_INDEX_UNSORTED, limit: 1).isEmpty
  }
}
