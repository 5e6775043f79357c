internal import Octets

/// Reads what NAMESPACE is answered with: three lists of namespaces, each possibly NIL (RFC 2342 §5).
struct NamespaceParser {
  private var lexer: Lexer

  init(_ lexer: Lexer) {
    self.lexer = lexer
  }

  /// The namespaces; nil where the answer cannot be understood, which costs the answer alone.
  mutating func parse() -> Namespaces? {
    guard let personal = try? namespaces(), let users = try? namespaces(),
      let shared = try? namespaces()
    else { return nil }
    return Namespaces(personal: personal, others: users + shared)
  }

  private mutating func namespaces() throws(Problem) -> [Namespaces.Namespace] {
    lexer.skipSpaces()
    guard lexer.skip(ASCII.openParenthesis) else {
      guard lexer.skipNil() else { throw .malformed }
      return []
    }
    var found: [Namespaces.Namespace] = []
    while try !lexer.skipListEnd() { found.append(try namespace()) }
    return found
  }

  private mutating func namespace() throws(Problem) -> Namespaces.Namespace {
    try lexer.expect(ASCII.openParenthesis)
    guard let prefix = try lexer.nstring() else { throw .malformed }
    let delimiter = try lexer.nstring()
    // Extensions are a name and a list each.
    while try !lexer.skipListEnd() { try lexer.skipValue() }
    return Namespaces.Namespace(prefix: Array(prefix), delimiter: delimiter?.first)
  }
}
