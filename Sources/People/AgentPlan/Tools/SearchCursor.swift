internal import Octets

/// Where a page of results ended, as the client gets it and gives it back.
package struct SearchCursor: Hashable, Sendable {
  /// How many results came before.
  package let offset: Int
  /// How many there were in all.
  package let count: Int
  /// A checksum of the query and its order: another query has other pages.
  package let query: UInt64
  /// A checksum of the last result.
  package let last: UInt64

  package init(offset: Int, count: Int, query: UInt64, last: UInt64) {
    (self.offset, self.count, self.query, self.last) = (offset, count, query, last)
  }

  /// What the client gets.
  package var text: String { "\(offset)-\(count)-\(query)-\(last)" }

  /// Nil for what no cursor is written as.
  package init?(_ text: String) {
    let parts = text.utf8.split(separator: ASCII.minus, omittingEmptySubsequences: false)
    guard parts.count == 4, parts.allSatisfy({ $0.allSatisfy(ASCII.isDigit) }) else { return nil }
    let numbers = parts.compactMap { UInt64(String(Substring($0))) }
    guard numbers.count == 4, let offset = Int(exactly: numbers[0]),
      let count = Int(exactly: numbers[1]), offset > 0, offset <= count
    else { return nil }
    self.init(offset: offset, count: count, query: numbers[2], last: numbers[3])
  }
}
