internal import MailModel

/// A value of the file, freed from the library that read it.
///
/// Tables keep the order of the file.
indirect enum TOMLNode: Hashable, Sendable {
  case table([TOMLEntry])
  case array([TOMLNode])
  case string(String)
  case integer(Int)
  case boolean(Bool)
  /// A type that no key takes (floating-point numbers, dates, times), by its name with an article.
  case other(String)

  /// The type with its article, for "must be a string, not …".
  var typeName: String {
    switch self {
    case .table: "a section"
    case .array: "an array"
    case .string: "a string"
    case .integer: "an integer"
    case .boolean: "a boolean"
    case .other(let name): name
    }
  }
}

extension TOMLNode {
  /// The words of a command that no shell reads.
  func words() throws(Mistake) -> [String] {
    guard case .array(let nodes) = self else {
      throw Mistake(
        .wrongType(expected: "an array of strings", found: typeName),
        remedy: "no shell is used: write the program and each argument in quotes"
      )
    }
    var words: [String] = []
    for node in nodes {
      guard case .string(let word) = node else {
        let found = "an array with \(node.typeName)"
        throw Mistake(.wrongType(expected: "an array of strings", found: found))
      }
      words.append(word)
    }
    return words
  }
}

extension TOMLNode {
  /// Patterns of mailboxes or tags; `example` is the key with a value, as it is written.
  func patterns(as example: String) throws(Mistake) -> [MailboxPattern] {
    try strings(as: example).map { MailboxPattern($0) }
  }

  /// Strings, none of them empty; `example` is the key with a value, as it is written.
  func strings(as example: String) throws(Mistake) -> [String] {
    guard case .array(let nodes) = self else {
      throw Mistake(
        .wrongType(expected: "an array of strings", found: typeName),
        remedy: "write \(example)"
      )
    }
    var strings: [String] = []
    for node in nodes {
      guard case .string(let text) = node else {
        throw Mistake(
          .wrongType(expected: "an array of strings", found: "an array with \(node.typeName)")
        )
      }
      guard !text.isEmpty else { throw .badValue("must not be empty", remedy: "write \(example)") }
      strings.append(text)
    }
    return strings
  }
}

/// A key of a table with its value.
struct TOMLEntry: Hashable, Sendable {
  let key: String
  let value: TOMLNode

  /// The line of the key, from 1.
  let line: Int
}
