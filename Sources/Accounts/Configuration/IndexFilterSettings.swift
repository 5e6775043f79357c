internal import Octets

/// The section `[index-filter]`: programs that make text of attachments, so that searches find it.
package struct IndexFilterSettings: Hashable, Sendable {
  /// The programs by types of attachments.
  package internal(set) var filters = TextFilters()

  /// Whether they run without namespaces of their own: `index-filter-unconfined`.
  package internal(set) var isUnconfined = false

  package init(_ filters: TextFilters = TextFilters(), isUnconfined: Bool = false) {
    self.filters = filters
    self.isUnconfined = isUnconfined
  }

  static let section = "index-filter"

  /// Reads an entry of the section.
  mutating func readEntry(_ entry: TOMLEntry) throws(Mistake) {
    guard TextFilter.isType(entry.key) else {
      throw .badValue(
        "is no type of attachments",
        remedy: "write it as \"application/pdf\" = [\"pdftotext\", \"-\", \"-\"]"
      )
    }
    guard let filter = TextFilter(type: entry.key, command: try entry.value.words()) else {
      throw .badValue("must name a program")
    }
    guard !filters.all.contains(where: { $0.type == filter.type }) else {
      throw .badValue("another key is the same type", remedy: "keep one of the two")
    }
    filters = TextFilters(filters.all + [filter])
  }
}
