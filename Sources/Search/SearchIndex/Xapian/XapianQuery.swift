internal import CXapian

/// A query as the library takes it; good for the database it was made with.
final class XapianQuery {
  let handle: OpaquePointer

  private init(_ handle: OpaquePointer) {
    self.handle = handle
  }

  deinit {
    magnum_index_query_free(handle)
  }

  static func all() throws(IndexError) -> XapianQuery {
    XapianQuery(try XapianCall.made { magnum_index_query_all($0) })
  }

  static func none() throws(IndexError) -> XapianQuery {
    XapianQuery(try XapianCall.made { magnum_index_query_none($0) })
  }

  static func term(_ term: [UInt8], _ database: XapianDatabase) throws(IndexError) -> XapianQuery {
    XapianQuery(
      try XapianCall.made { magnum_index_query_term(database.handle, term, term.count, $0) }
    )
  }

  /// Any term that begins so.
  static func beginning(
    _ prefix: [UInt8],
    _ database: XapianDatabase,
    limit: Int = Schema.wordLimit
  ) throws(IndexError) -> XapianQuery {
    XapianQuery(
      try XapianCall.made {
        magnum_index_query_prefix(database.handle, prefix, prefix.count, limit, $0)
      }
    )
  }

  /// Values between two bounds; an empty one is none.
  static func range(
    _ slot: UInt32,
    _ low: [UInt8],
    _ high: [UInt8]
  ) throws(IndexError) -> XapianQuery {
    XapianQuery(
      try XapianCall.made {
        magnum_index_query_range(slot, low, low.count, high, high.count, $0)
      }
    )
  }

  /// Any value in a slot.
  static func valued(_ slot: UInt32) throws(IndexError) -> XapianQuery {
    // The least of all values: an empty bound would be none.
    try range(slot, [0], [])
  }

  /// These documents, in ascending order.
  static func documents(
    _ numbers: [UInt32],
    _ database: XapianDatabase
  ) throws(IndexError) -> XapianQuery {
    XapianQuery(
      try XapianCall.made {
        magnum_index_query_documents(database.handle, numbers, numbers.count, $0)
      }
    )
  }

  /// Several made one; none of them is nothing at all.
  static func combine(
    _ how: magnum_index_operator,
    _ parts: [XapianQuery],
    window: Int = 0
  ) throws(IndexError) -> XapianQuery {
    guard let first = parts.first else { return try none() }
    if parts.count == 1 { return first }
    let handles: [OpaquePointer?] = parts.map(\.handle)
    return XapianQuery(
      try XapianCall.made {
        magnum_index_query_combine(how, handles, handles.count, UInt32(clamping: window), $0)
      }
    )
  }

  /// Words next to each other, or at most so far apart.
  static func phrase(
    _ how: magnum_index_operator,
    _ words: [[UInt8]],
    window: Int
  ) throws(IndexError) -> XapianQuery {
    var parts: [XapianQuery] = []
    for word in words {
      parts.append(
        XapianQuery(try XapianCall.made { magnum_index_query_word(word, word.count, $0) })
      )
    }
    return try combine(how, parts, window: window)
  }
}
