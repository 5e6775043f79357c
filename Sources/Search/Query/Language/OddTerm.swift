internal import Octets

/// A term of a query without a mistake that can find nothing.
package enum OddTerm: Hashable, Sendable {
  /// No letter or digit is in it.
  case wordless(String)
  /// A range whose end lies before its beginning, with the name of its field.
  case backward(String)

  /// Those in a query, in their order; of a query with a mistake, none.
  package static func all(in text: [UInt8], _ query: Query) -> [OddTerm] {
    guard let tokens = try? QueryLexer.tokens(of: text) else { return [] }
    var scanner = WordScanner()
    var odd: [OddTerm] = []
    for (number, token) in tokens.enumerated() {
      if number > 0, case .field(_, let field) = tokens[number - 1].kind {
        guard case .text = field else { continue }
      }
      switch token.kind {
      case .text(let word), .quoted(let word):
        let isStar = word.allSatisfy { $0 == ASCII.asterisk }
        guard !isStar, word != [ASCII.minus], scanner.words(word).isEmpty else { continue }
        odd.append(.wordless(String(decoding: word, as: UTF8.self)))
      default: continue
      }
    }
    return odd + backward(query)
  }

  private static func backward(_ query: Query) -> [OddTerm] {
    switch query {
    case .size(let from?, let to?): from > to ? [.backward("size")] : []
    case .revision(let from?, let to?):
      (from < 0) == (to < 0) && from > to ? [.backward("lastmod")] : []
    case .date(let range): (range.first ?? .min) > (range.last ?? .max) ? [.backward("date")] : []
    case .and(let parts), .or(let parts), .xor(let parts): parts.flatMap(backward)
    case .not(let part), .thread(let part): backward(part)
    default: []
    }
  }
}
