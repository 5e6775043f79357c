internal import Octets

/// A query that the configuration holds, and where it stands; what it means is only known to who searches.
package struct QueryText: Hashable, Sendable {
  package let text: String
  /// The line of the key, from 1.
  package let line: Int?

  /// None, as long as its section was not read.
  static let none = QueryText(text: "", line: nil)

  /// All mail, where no query narrows it.
  static let all = QueryText(text: "*", line: nil)

  private init(text: String, line: Int?) {
    (self.text, self.line) = (text, line)
  }

  /// The query of a key.
  init(_ entry: TOMLEntry) throws(Mistake) {
    guard case .string(let text) = entry.value else {
      throw Mistake(.wrongType(expected: "a string", found: entry.value.typeName))
    }
    guard !text.utf8.allSatisfy({ $0 <= ASCII.space }) else {
      throw .badValue("must not be empty", remedy: "write \"*\" for all mail")
    }
    (self.text, line) = (text, entry.line)
  }
}
