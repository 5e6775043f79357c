internal import Octets
internal import Platform

/// A value of the file on its way to what it means; each method is one way to read it.
struct KeyValue {
  let key: ConfigurationKey
  let node: TOMLNode
  let file: ConfigurationFile
  let environment: ConfigurationEnvironment
  /// The line of the key, from 1.
  let line: Int?

  /// File and line of the key, for people.
  var place: String? { line.map { "\(environment.shown(file.path)):\($0)" } }

  // MARK: - Types

  /// Any string, even an empty one.
  func string() throws(Mistake) -> String {
    guard case .string(let text) = node else { throw wrongType() }
    return text
  }

  /// A string that holds something, and no control characters.
  func text() throws(Mistake) -> String {
    let text = try string()
    guard !text.isEmpty else { throw .badValue("must not be empty") }
    guard !text.utf8.contains(where: ASCII.isControl) else {
      throw .badValue("contains a control character")
    }
    return text
  }

  /// An array of strings.
  func strings() throws(Mistake) -> [String] {
    guard case .array(let nodes) = node else {
      if case .string(let text) = node {
        throw wrongType(remedy: "write [\"\(Printable.text(text.utf8, limit: 60))\"]")
      }
      throw wrongType()
    }
    var result: [String] = []
    for node in nodes {
      guard case .string(let text) = node else { throw wrongType(foundElement: node) }
      result.append(text)
    }
    return result
  }

  /// A table with a string behind each key.
  func table() throws(Mistake) -> [(key: String, value: String)] {
    guard case .table(let entries) = node else { throw wrongType() }
    var result: [(key: String, value: String)] = []
    for entry in entries {
      guard case .string(let text) = entry.value else {
        throw Mistake(
          .wrongType(expected: key.kind.name, found: "a table with \(entry.value.typeName)")
        )
      }
      result.append((entry.key, text))
    }
    return result
  }

  /// A whole number in the range.
  func integer(in range: ClosedRange<Int>) throws(Mistake) -> Int {
    guard case .integer(let number) = node else {
      if case .string(let text) = node, Int(text) != nil {
        throw wrongType(remedy: "write \(text) without quotes")
      }
      throw wrongType()
    }
    guard range.contains(number) else {
      throw .badValue("must be \(range.lowerBound) to \(range.upperBound), not \(number)")
    }
    return number
  }

  /// `true` or `false`.
  func boolean() throws(Mistake) -> Bool {
    guard case .boolean(let flag) = node else {
      if case .string(let text) = node, text == "true" || text == "false" {
        throw wrongType(remedy: "write \(text) without quotes")
      }
      throw wrongType()
    }
    return flag
  }

  /// One of the words of an enumeration.
  func choice<Choice>(_: Choice.Type) throws(Mistake) -> Choice
  where Choice: RawRepresentable<String> & CaseIterable {
    let word = try string()
    if let choice = Choice(rawValue: word) { return choice }
    throw Self.unknownWord(word, among: Choice.allCases.map(\.rawValue))
  }

  /// The mistake of a word that is none of those the key takes.
  static func unknownWord(_ word: String, among words: [String]) -> Mistake {
    let shown = Printable.text(word.utf8, limit: 60)
    let nearest = Suggestion.nearest(to: word, among: words)
    return .badValue(
      "\"\(shown)\" is not one of \(words.map { "\"\($0)\"" }.joined(separator: ", "))",
      remedy: nearest.map { "did you mean \"\($0)\"?" }
    )
  }

  /// A program with its arguments, or a line for the shell.
  func command() throws(Mistake) -> ChildProcess.Command {
    if case .string = node { return .shell(try text()) }
    let words = try strings()
    guard let program = words.first, !program.isEmpty else {
      throw .badValue("must name a program")
    }
    return .arguments(words)
  }

  /// An absolute path; a leading `~` is the home directory.
  func path() throws(Mistake) -> Path {
    let text = try text()
    if text == "~" { return environment.home }
    if text.hasPrefix("~/") { return environment.home.appending(String(text.dropFirst(2))) }
    guard text.hasPrefix("/") else {
      throw .badValue(
        "\"\(Printable.text(text.utf8, limit: 100))\" is not an absolute path",
        remedy: "begin it with / or ~/"
      )
    }
    return Path(text)
  }

  private func wrongType(foundElement: TOMLNode? = nil, remedy: String? = nil) -> Mistake {
    let found = foundElement.map { "an array with \($0.typeName)" } ?? node.typeName
    return Mistake(.wrongType(expected: key.kind.name, found: found), remedy: remedy)
  }
}
