internal import Octets

/// The section `[search]`, in which each key is the name of a query.
enum NamedQuerySection {
  static let name = "search"

  /// The query that an entry of the section holds; what it means is only known to who searches.
  static func query(_ entry: TOMLEntry) throws(Mistake) -> String {
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
