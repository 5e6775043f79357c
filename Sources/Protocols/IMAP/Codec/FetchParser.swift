internal import Octets

/// The attributes of one FETCH response (RFC 9051 §7.5.2), which may stop at a body to stream.
struct FetchParser {
  /// Where the parser stopped.
  enum Outcome: Hashable {
    /// The response is complete.
    case complete
    /// A body of that many octets comes next on the wire; the parser goes on behind it.
    case body(size: UInt64)
  }

  /// What was learned so far.
  private(set) var fetch: Fetch

  /// A body that stood in the response itself, as a quoted string.
  private(set) var inlineBody: ArraySlice<UInt8>?

  init(sequence: UInt32) {
    fetch = Fetch(sequence: sequence)
  }

  /// Reads attributes, from behind the opening parenthesis or behind a body.
  mutating func parse(_ lexer: inout Lexer) throws(Problem) -> Outcome {
    while try !lexer.skipListEnd() {
      if let size = try attribute(&lexer) { return .body(size: size) }
    }
    return .complete
  }

  /// Reads one attribute; returns the size of the body that follows on the wire, if one does.
  private mutating func attribute(_ lexer: inout Lexer) throws(Problem) -> UInt64? {
    let name = lexer.word()
    if lexer.peek == ASCII.openBracket {
      let (section, origin) = try section(&lexer)
      guard name.equalsCaseless("BODY") else {
        try lexer.skipValue()
        return nil
      }
      return try bodySection(section, origin, &lexer)
    }
    // A stray parenthesis or quote where a name should be.
    guard !name.isEmpty else { throw .malformed }
    return try attribute(name, &lexer)
  }

  private mutating func attribute(
    _ name: ArraySlice<UInt8>,
    _ lexer: inout Lexer
  ) throws(Problem) -> UInt64? {
    lexer.skipSpaces()
    switch name.count {
    case 3 where name.equalsCaseless("UID"): fetch.uid = try nonZero(&lexer)
    case 5 where name.equalsCaseless("FLAGS"): fetch.flags = try lexer.flags()
    case 6 where name.equalsCaseless("MODSEQ"): fetch.modSequence = try parenthesised(&lexer)
    case 6 where name.equalsCaseless("RFC822"): return try body(&lexer)
    case 7 where name.equalsCaseless("EMAILID"):
      fetch.emailID = try lexer.list().first.map { [UInt8]($0) }
    case 11 where name.equalsCaseless("X-GM-LABELS"): fetch.labels = try lexer.labels()
    case 11 where name.equalsCaseless("RFC822.SIZE"): fetch.size = try size(&lexer)
    case 12 where name.equalsCaseless("INTERNALDATE"):
      fetch.internalDate = try lexer.nstring().flatMap { InternalDate.seconds($0) }
    case 13 where name.equalsCaseless("RFC822.HEADER"): try header(&lexer)
    case 13 where name.equalsCaseless("BODYSTRUCTURE"): try structure(&lexer)
    default: try lexer.skipValue()
    }
    return nil
  }

  /// Reads `[…]` and a partial's `<n>` behind it; returns what stands in the brackets, and n.
  private func section(
    _ lexer: inout Lexer
  ) throws(Problem) -> (name: ArraySlice<UInt8>, origin: UInt64?) {
    _ = lexer.skip(ASCII.openBracket)
    let inside = lexer.remaining
    let start = lexer.index
    while !lexer.skip(ASCII.closeBracket) {
      guard lexer.peek != nil else { throw .malformed }
      if try lexer.string() == nil { lexer.advance() }
    }
    let section = inside.prefix(lexer.index - 1 - start)
    guard lexer.skip(ASCII.lessThan) else { return (section, nil) }
    let origin = try lexer.digits() ?? .max
    guard lexer.skip(ASCII.greaterThan) else { throw .malformed }
    return (section, origin)
  }

  private mutating func bodySection(
    _ section: ArraySlice<UInt8>,
    _ origin: UInt64?,
    _ lexer: inout Lexer
  ) throws(Problem) -> UInt64? {
    lexer.skipSpaces()
    if section.isEmpty { return try body(&lexer) }
    if section.startsCaseless(with: "HEADER") {
      try header(&lexer)
    } else if let octets = try lexer.string() {
      let name = section.map { ASCII.lowercased($0) }
      fetch.sections[name] = [UInt8](octets)
      fetch.origins[name] = origin
    } else {
      try lexer.skipValue()
    }
    return nil
  }

  /// Reads what a message is made of; what cannot be read says nothing, and does not end the session.
  private mutating func structure(_ lexer: inout Lexer) throws(Problem) {
    var parser = BodyStructureParser()
    var ahead = lexer
    do throws(Problem) {
      fetch.structure = try parser.parse(&ahead)
      lexer = ahead
    } catch {
      // However deep: the sender of the message decides about that, not the server.
      try lexer.skipValue(nesting: .max)
    }
  }

  /// Reads a body: NIL of a message that is gone, a string, or the marker of a literal that is still to come.
  private mutating func body(_ lexer: inout Lexer) throws(Problem) -> UInt64? {
    guard !fetch.hasBody else { throw .secondBody }
    if lexer.skipNil() { return nil }
    fetch.hasBody = true
    var ahead = lexer
    if let size = try ahead.literalSize(), ahead.isAtEnd {
      lexer = ahead
      return size
    }
    guard let body = try lexer.string() else { throw .malformed }
    inlineBody = body
    return nil
  }

  private mutating func header(_ lexer: inout Lexer) throws(Problem) {
    guard let fields = try lexer.nstring() else { return }
    fetch.header = (fetch.header ?? []) + fields
  }

  /// Reads a UID; `nil` for what no UID can be, so that one bad message does not end the session.
  private func nonZero(_ lexer: inout Lexer) throws(Problem) -> UInt32? {
    try optionalNumber(&lexer).flatMap { UInt32(exactly: $0) }.flatMap { $0 == 0 ? nil : $0 }
  }

  /// Octets that no message has, so that sums of many sizes do not overflow.
  private static let sizeLimit: UInt64 = 1 << 40

  /// A size that can be true; nil is one that was not told.
  private func size(_ lexer: inout Lexer) throws(Problem) -> UInt64? {
    try optionalNumber(&lexer).flatMap { $0 < Self.sizeLimit ? $0 : nil }
  }

  private func optionalNumber(_ lexer: inout Lexer) throws(Problem) -> UInt64? {
    if let octet = lexer.peek, ASCII.isDigit(octet) { return try lexer.digits() }
    try lexer.skipValue()
    return nil
  }

  /// Reads `(123)`, and `123` from servers that leave the parentheses out.
  private func parenthesised(_ lexer: inout Lexer) throws(Problem) -> UInt64? {
    guard lexer.skip(ASCII.openParenthesis) else { return try optionalNumber(&lexer) }
    lexer.skipSpaces()
    let number = try optionalNumber(&lexer)
    try lexer.expect(ASCII.closeParenthesis)
    return number
  }
}
