import Octets

/// Queries that have a name, as `query:name` calls them.
package struct NamedQueries: Sendable {
  private let texts: [[UInt8]: [UInt8]]
  /// Those that are being read: one must not come to itself again.
  private var open: Set<[UInt8]> = []

  package static let none = NamedQueries([:])

  /// These, by name.
  package init(_ queries: [String: String]) {
    texts = Dictionary(first: queries.map { (Array($0.key.utf8), Array($0.value.utf8)) })
  }

  /// The text of one, and those that may be called in it.
  ///
  /// - Throws: `unknownName`, `circularName`.
  func text(
    _ name: [UInt8],
    _ place: Range<Int>
  ) throws(QueryError) -> (text: [UInt8], inside: NamedQueries) {
    let shown = String(decoding: name, as: UTF8.self)
    guard let text = texts[name] else {
      let known = texts.keys.map { String(decoding: $0, as: UTF8.self) }.sorted()
      throw QueryError(.unknownName(shown, known), place)
    }
    guard !open.contains(name) else { throw QueryError(.circularName(shown), place) }
    var inside = self
    inside.open.insert(name)
    return (text, inside)
  }
}
