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

/// A word of a query that looks like a field and is none, so that it was taken for words.
package struct UnknownField: Hashable, Sendable {
  /// The name before the colon.
  package let name: String

  /// The field that other programs call so; nil where none does.
  package let meaning: String?

  package static let known = QueryField.allNames.sorted()

  /// Those in a query without mistakes, in their order; of another query, none.
  package static func all(in text: [UInt8]) -> [UnknownField] {
    guard let tokens = try? QueryLexer.tokens(of: text) else { return [] }
    return tokens.compactMap { token in
      guard case .text(let word) = token.kind else { return nil }
      let letters = word.prefix { ASCII.isLetter($0) || $0 == ASCII.minus }
      let rest = word[letters.endIndex...]
      // What begins with two slashes is the address of a page.
      guard letters.count > 1, rest.first == ASCII.colon, rest.count > 1,
        !rest.dropFirst().starts(with: [ASCII.slash, ASCII.slash])
      else { return nil }
      let name = String(decoding: letters, as: UTF8.self)
      return UnknownField(name: name, meaning: meanings[name.lowercased()])
    }
  }

  /// The words of other programs, and those that people guess.
  private static let meanings: [String: String] = [
    "after": "date:2026-01-31..", "since": "date:2026-01-31..", "newer": "date:2026-01-31..",
    "before": "date:..2026-01-31", "until": "date:..2026-01-31", "older": "date:..2026-01-31",
    "on": "date:2026-01-31", "year": "date:2026", "sender": "from:", "author": "from:",
    "recipient": "to:", "label": "tag:", "keyword": "tag:", "in": "folder:", "mailbox": "folder:",
    "filename": "attachment:", "name": "attachment:", "type": "mimetype:", "larger": "size:1M..",
    "bigger": "size:1M..", "smaller": "size:..1M", "prio": "tag:", "text": "body:",
    "message-id": "id:", "rfc": "id:", "subj": "subject:", "title": "subject:",
  ]
}
