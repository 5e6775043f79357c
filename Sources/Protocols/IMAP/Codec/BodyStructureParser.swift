internal import MailModel
internal import Octets

/// The grammar of BODYSTRUCTURE (RFC 9051 §9 `body`).
///
/// Strict: what is the least bit else, or more than real mail has, is no structure. Who asked for it does without then.
struct BodyStructureParser {
  /// The deepest nesting, and the most parts of one message, containers counted.
  private static let nesting = 30
  private static let parts = 500

  private var count = 0

  /// Reads a structure, from its opening parenthesis to the closing one.
  mutating func parse(_ lexer: inout Lexer, depth: Int = 0) throws(Problem) -> BodyStructure {
    count += 1
    guard depth < Self.nesting, count <= Self.parts else { throw .malformed }
    try lexer.expect(ASCII.openParenthesis)
    lexer.skipSpaces()
    return lexer.peek == ASCII.openParenthesis
      ? try multipart(&lexer, depth) : try single(&lexer, depth)
  }

  private mutating func multipart(
    _ lexer: inout Lexer,
    _ depth: Int
  ) throws(Problem) -> BodyStructure {
    var parts: [BodyStructure] = []
    repeat {
      parts.append(try parse(&lexer, depth: depth + 1))
      lexer.skipSpaces()
    } while lexer.peek == ASCII.openParenthesis
    let subtype = try word(&lexer)
    var fileNames: [[UInt8]] = []
    var disposition: [UInt8]?
    if try !lexer.skipListEnd() {
      fileNames = try parameters(&lexer)
      disposition = try self.disposition(&lexer, &fileNames)
      try skipRest(&lexer)
    }
    return BodyStructure(
      type: [UInt8](ascii: "multipart"),
      subtype: subtype,
      size: 0,
      disposition: disposition,
      fileNames: fileNames,
      content: .parts(parts)
    )
  }

  private mutating func single(
    _ lexer: inout Lexer,
    _ depth: Int
  ) throws(Problem) -> BodyStructure {
    let type = try word(&lexer)
    let subtype = try word(&lexer)
    var fileNames = try parameters(&lexer)
    // Content-ID, Content-Description, Content-Transfer-Encoding.
    for _ in 0..<3 { _ = try lexer.nstring() }
    lexer.skipSpaces()
    guard let size = try lexer.digits() else { throw .malformed }
    let content = try content(type, subtype, &lexer, depth)
    var disposition: [UInt8]?
    if try !lexer.skipListEnd() {
      // Content-MD5.
      _ = try lexer.nstring()
      disposition = try self.disposition(&lexer, &fileNames)
      try skipRest(&lexer)
    }
    return BodyStructure(
      type: type,
      subtype: subtype,
      size: size,
      disposition: disposition,
      fileNames: fileNames,
      content: content
    )
  }

  /// What stands between the size of a part and what extends the grammar: lines of text, the message inside.
  private mutating func content(
    _ type: [UInt8],
    _ subtype: [UInt8],
    _ lexer: inout Lexer,
    _ depth: Int
  ) throws(Problem) -> BodyStructure.Content {
    if type == [UInt8](ascii: "text") {
      try lines(&lexer)
      return .leaf
    }
    let isMessage = subtype == [UInt8](ascii: "rfc822") || subtype == [UInt8](ascii: "global")
    guard type == [UInt8](ascii: "message"), isMessage else { return .leaf }
    lexer.skipSpaces()
    guard lexer.peek == ASCII.openParenthesis else { throw .malformed }
    // The envelope.
    try lexer.skipValue()
    let message = try parse(&lexer, depth: depth + 1)
    try lines(&lexer)
    return .message(message)
  }

  private func lines(_ lexer: inout Lexer) throws(Problem) {
    lexer.skipSpaces()
    _ = try lexer.digits()
  }

  /// Reads a string that has to be there, in small letters.
  private func word(_ lexer: inout Lexer) throws(Problem) -> [UInt8] {
    lexer.skipSpaces()
    guard let word = try lexer.string(), !word.isEmpty else { throw .malformed }
    return word.map { ASCII.lowercased($0) }
  }

  /// Reads parameters; gives the names of files among them.
  private func parameters(_ lexer: inout Lexer) throws(Problem) -> [[UInt8]] {
    lexer.skipSpaces()
    if lexer.skipNil() { return [] }
    try lexer.expect(ASCII.openParenthesis)
    var names: [[UInt8]] = []
    while try !lexer.skipListEnd() {
      let name = try word(&lexer)
      let value = try lexer.nstring() ?? []
      if name.starts(with: [UInt8](ascii: "name")) || name.starts(with: [UInt8](ascii: "filename"))
      {
        names.append([UInt8](value))
      }
    }
    return names
  }

  /// Reads a disposition where one follows; the names of files that it tells are added.
  private func disposition(
    _ lexer: inout Lexer,
    _ fileNames: inout [[UInt8]]
  ) throws(Problem) -> [UInt8]? {
    lexer.skipSpaces()
    if lexer.peek == ASCII.closeParenthesis || lexer.skipNil() { return nil }
    try lexer.expect(ASCII.openParenthesis)
    let disposition = try word(&lexer)
    fileNames += try parameters(&lexer)
    try lexer.expect(ASCII.closeParenthesis)
    return disposition
  }

  /// Reads past language, location and what may be added one day.
  private func skipRest(_ lexer: inout Lexer) throws(Problem) {
    while try !lexer.skipListEnd() { try lexer.skipValue() }
  }
}
