internal import CXapian

extension XapianDatabase {
  /// The documents that a query finds.
  ///
  /// - Parameters:
  ///   - query: made with this database.
  ///   - order: by date.
  ///   - collapse: a slot; only the first of those with the same value there is given.
  ///   - offset: how many to leave out.
  ///   - limit: how many to give.
  /// - Returns: the numbers of the documents, in that order.
  /// - Throws: why the database cannot be read.
  func search(
    _ query: XapianQuery,
    order: magnum_index_order,
    collapse: UInt32? = nil,
    offset: Int = 0,
    limit: Int = .max
  ) throws(IndexError) -> [UInt32] {
    try XapianCall.numbers {
      magnum_index_search(
        handle,
        query.handle,
        order,
        Schema.Slot.date,
        collapse.map { Int64($0) } ?? -1,
        UInt32(clamping: offset),
        UInt32(clamping: limit),
        $0,
        $1
      )
    }
  }

  /// How many documents a query finds; of those with the same value in a slot, one counts.
  func count(_ query: XapianQuery, collapse: UInt32? = nil) throws(IndexError) -> Int {
    var result: UInt32 = 0
    try XapianCall.check {
      magnum_index_search_count(
        handle,
        query.handle,
        collapse.map { Int64($0) } ?? -1,
        &result,
        $0
      )
    }
    return Int(result)
  }
}
