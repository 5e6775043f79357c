import Query

/// A tree as text, for tables.
enum QueryText {
  static func text(_ query: Query) -> String {
    switch query {
    case .everything: "everything"
    case .nothing: "nothing"
    case .word(let word, let field, let isExact): name(field) + (isExact ? "=" : "") + text(word)
    case .phrase(let words, let field): name(field) + "\"\(list(words))\""
    case .near(let words, let field, let distance, let isOrdered):
      name(field) + "\(isOrdered ? "adj" : "near")/\(distance)<\(list(words))>"
    case .beginning(let word, let field): name(field) + text(word) + "*"
    case .wordless(let field): name(field) + "nothing"
    case .pattern(let pattern, let field): "\(field.rawValue):/\(text(pattern))/"
    case .exact(let field, let value): "\(field.rawValue)=\(text(value))"
    case .date(let range): "date[\(number(range.first))..\(number(range.last))]"
    case .size(let from, let to): "size[\(number(from))..\(number(to))]"
    case .revision(let from, let to): "revision[\(number(from))..\(number(to))]"
    case .thread(let query): "thread{\(text(query))}"
    case .and(let parts): group("and", parts)
    case .or(let parts): group("or", parts)
    case .xor(let parts): group("xor", parts)
    case .not(let part): group("not", [part])
    }
  }

  private static func name(_ field: TextField?) -> String {
    field.map { "\($0.rawValue):" } ?? ""
  }

  private static func group(_ name: String, _ parts: [Query]) -> String {
    "(\(name) \(parts.map(text).joined(separator: " ")))"
  }

  private static func list(_ words: [[UInt8]]) -> String {
    words.map(text).joined(separator: " ")
  }

  private static func text(_ octets: [UInt8]) -> String { String(decoding: octets, as: UTF8.self) }

  private static func number(_ number: (some BinaryInteger)?) -> String {
    number.map { "\($0)" } ?? ""
  }
}
