internal import CXapian

/// A text in which U+FFFD stands for octets that are not UTF-8: command lines, lines of a batch and JSON have no others.
struct RepairedText {
  private let octets: [UInt8]
  /// What stands before the first of them.
  let start: [UInt8]

  /// Nil where the text has no such character.
  init?(_ octets: [UInt8]) {
    let mark = Array("\u{FFFD}".utf8)
    guard let place = octets.indices.first(where: { octets[$0...].starts(with: mark) }) else {
      return nil
    }
    self.octets = octets
    start = Array(octets[..<place])
  }

  /// Whether it is what a text becomes.
  func stands(for text: some Collection<UInt8>) -> Bool { Self.of(text) == octets }

  /// What a text becomes.
  static func of(_ text: some Collection<UInt8>) -> [UInt8] {
    Array(String(decoding: text, as: UTF8.self).utf8)
  }
}

extension XapianQuery {
  /// The messages of an id, which may be given as what texts have of it.
  static func id(_ id: [UInt8], _ database: XapianDatabase) throws(IndexError) -> XapianQuery {
    var parts = [try term(Schema.id(id), database)]
    if let repaired = RepairedText(id) {
      for found in try database.terms([Schema.Prefix.id] + Schema.uncut(repaired.start))
      where repaired.stands(for: found.dropFirst()) {
        parts.append(try term(found, database))
      }
    }
    return try combine(MAGNUM_INDEX_OR, parts)
  }
}
