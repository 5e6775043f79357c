internal import CXapian

/// In which order results come.
package enum SearchOrder: String, Hashable, Sendable, CaseIterable {
  case newestFirst = "newest-first"
  case oldestFirst = "oldest-first"
  /// As the index has them.
  case unsorted

  var library: magnum_index_order {
    switch self {
    case .newestFirst: MAGNUM_INDEX_DESCENDING
    case .oldestFirst: MAGNUM_INDEX_ASCENDING
    case .unsorted: MAGNUM_INDEX_UNSORTED
    }
  }
}

/// How much of a message a result tells.
package enum ResultDetail: Hashable, Sendable {
  /// All that the index keeps.
  case all
  /// All but the receivers: what a list of threads shows.
  case list
}
