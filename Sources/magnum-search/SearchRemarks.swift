internal import Configuration
internal import Octets
internal import Query
internal import SearchIndex
internal import Terminal

/// What is said where a query finds nothing: that a word in it may not mean what it was meant to.
enum SearchRemarks {
  static func lines(_ text: String, _ query: Query, _ set: SearchSet) -> [String] {
    UnknownField.all(in: Array(text.utf8)).map(line)
      + folders(in: query).filter { isUnknown($0, set) }.map {
        "there is no folder \"\(Printable.text($0))\""
      }
  }

  private static func line(_ field: UnknownField) -> String {
    let near = Suggestion.nearest(to: field.name, among: UnknownField.known).map { "\($0):" }
    let meant = (field.meaning ?? near).map { "; did you mean \($0)?" } ?? ""
    return "\"\(Printable.text(field.name.utf8)):\" is no field, and was taken for a word\(meant)"
  }

  private static func isUnknown(_ folder: [UInt8], _ set: SearchSet) -> Bool {
    (try? set.count(.exact(.folder, folder))) == 0
  }

  private static func folders(in query: Query) -> [[UInt8]] {
    switch query {
    case .exact(.folder, let name): [name]
    case .and(let parts), .or(let parts), .xor(let parts): parts.flatMap { folders(in: $0) }
    case .thread(let inner): folders(in: inner)
    default: []
    }
  }
}
