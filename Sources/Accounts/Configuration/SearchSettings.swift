internal import Octets

/// The section `[search]`: tags that searches leave out, and queries by their names.
package struct SearchSettings: Hashable, Sendable {
  /// Queries by the names that searches call them by.
  package internal(set) var queries: [String: String] = [:]

  /// The tags whose messages are left out where a query does not name them.
  package internal(set) var excludedTags: [String] = []

  /// None.
  package init() {}

  static let section = "search"
  static let excludedKey = "exclude-tags"

  /// Reads an entry of the section.
  mutating func readEntry(_ entry: TOMLEntry) throws(Mistake) {
    if entry.key == Self.excludedKey {
      excludedTags = try Self.tags(entry.value)
    } else {
      queries[entry.key] = try Self.query(entry)
    }
  }

  private static func tags(_ value: TOMLNode) throws(Mistake) -> [String] {
    guard case .array(let nodes) = value else {
      throw Mistake(.wrongType(expected: "an array of strings", found: value.typeName))
    }
    var tags: [String] = []
    for node in nodes {
      guard case .string(let tag) = node, !tag.isEmpty else {
        throw .badValue("must hold tags", remedy: "write \(excludedKey) = [\"muted\"]")
      }
      tags.append(tag)
    }
    return tags
  }

  /// The query that an entry of the section holds; what it means is only known to who searches.
  private static func query(_ entry: TOMLEntry) throws(Mistake) -> String {
    let isName = entry.key.utf8.allSatisfy {
      ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == ASCII.minus || $0 == ASCII.underscore
        || $0 == ASCII.dot || $0 >= 0x80
    }
    guard isName, !entry.key.isEmpty else {
      throw .badValue(
        "a query cannot have this name",
        remedy: "write it with letters, digits, \".\", \"-\" and \"_\""
      )
    }
    guard case .string(let text) = entry.value else {
      throw Mistake(.wrongType(expected: "a string", found: entry.value.typeName))
    }
    guard !text.utf8.allSatisfy({ $0 <= ASCII.space }) else { throw .badValue("must not be empty") }
    return text
  }
}
