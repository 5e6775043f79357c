internal import MailModel
internal import Octets

/// A place in a response that moves forward as the elements of the grammar are read.
///
/// The response is one logical line: its literals stand in it, each after its marker and line
/// end. Nothing is copied before it is known to be wanted.
struct Lexer {
  private let octets: ArraySlice<UInt8>
  private let limits: Limits
  private(set) var index: Int

  init(_ octets: ArraySlice<UInt8>, limits: Limits) {
    self.octets = octets
    self.limits = limits
    index = octets.startIndex
  }

  var isAtEnd: Bool { index >= octets.endIndex }

  var peek: UInt8? { index < octets.endIndex ? octets[index] : nil }

  /// What was not read yet.
  var remaining: ArraySlice<UInt8> { octets[min(index, octets.endIndex)...] }

  mutating func skip(_ octet: UInt8) -> Bool {
    guard peek == octet else { return false }
    index += 1
    return true
  }

  /// Reads past one octet of any kind.
  mutating func advance() {
    if index < octets.endIndex { index += 1 }
  }

  /// Reads past blanks; servers send more and fewer than the grammar says.
  mutating func skipSpaces() {
    while index < octets.endIndex, ASCII.isBlank(octets[index]) { index += 1 }
  }

  /// Reads past one octet that has to come, blanks before it included.
  mutating func expect(_ octet: UInt8) throws(Problem) {
    skipSpaces()
    guard skip(octet) else { throw .malformed }
  }

  /// Reads up to a blank, a parenthesis, `[`, `"` or the end; possibly nothing.
  mutating func word() -> ArraySlice<UInt8> {
    let start = index
    while index < octets.endIndex, !Self.endsWord(octets[index]) { index += 1 }
    return octets[start..<index]
  }

  /// Reads up to a blank or the end; possibly nothing.
  mutating func token() -> ArraySlice<UInt8> {
    let start = index
    while index < octets.endIndex, !ASCII.isBlank(octets[index]) { index += 1 }
    return octets[start..<index]
  }

  private static func endsWord(_ octet: UInt8) -> Bool {
    switch octet {
    case ASCII.space, ASCII.tab, ASCII.openParenthesis, ASCII.closeParenthesis,
      ASCII.openBracket, ASCII.quote:
      true
    default: false
    }
  }

  /// Reads decimal digits; `nil`, the digits read, when the number exceeds 64 bits.
  mutating func digits() throws(Problem) -> UInt64? {
    let start = index
    var value: UInt64 = 0
    var isExact = true
    while index < octets.endIndex, ASCII.isDigit(octets[index]) {
      let (tenfold, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) = tenfold.addingReportingOverflow(UInt64(octets[index] &- ASCII.zero))
      if overflow || carry { isExact = false }
      value = sum
      index += 1
    }
    guard index > start else { throw .malformed }
    return isExact ? value : nil
  }

  /// Reads a number of 32 bits.
  mutating func number() throws(Problem) -> UInt32 {
    guard let value = try digits(), let number = UInt32(exactly: value) else { throw .malformed }
    return number
  }

  /// Reads past `NIL` if it comes next as a whole word.
  mutating func skipNil() -> Bool {
    let start = index
    if word().equalsCaseless("NIL") { return true }
    index = start
    return false
  }
}

// Strings.
extension Lexer {
  /// Reads a quoted string or a literal; `nil`, nothing read, when neither comes next.
  mutating func string() throws(Problem) -> ArraySlice<UInt8>? {
    switch peek {
    case ASCII.quote: try quoted()
    case ASCII.openBrace, ASCII.tilde: try literal()
    default: nil
    }
  }

  /// Reads an `astring` (a string or bare octets up to a blank).
  mutating func astring() throws(Problem) -> ArraySlice<UInt8> {
    skipSpaces()
    if let string = try string() { return string }
    let token = token()
    guard !token.isEmpty else { throw .malformed }
    return token
  }

  /// Reads a string; `nil` for NIL.
  mutating func nstring() throws(Problem) -> ArraySlice<UInt8>? {
    skipSpaces()
    if skipNil() { return nil }
    guard let string = try string() else { throw .malformed }
    return string
  }

  private mutating func quoted() throws(Problem) -> ArraySlice<UInt8> {
    let start = index + 1
    var end = start
    while end < octets.endIndex, octets[end] != ASCII.quote {
      if octets[end] == ASCII.backslash { return try escaped(from: start) }
      end += 1
    }
    guard end < octets.endIndex else { throw .malformed }
    index = end + 1
    return octets[start..<end]
  }

  /// A quoted string with backslashes, which needs a copy; any octet may follow a backslash.
  private mutating func escaped(from start: Int) throws(Problem) -> ArraySlice<UInt8> {
    var result: [UInt8] = []
    index = start
    while let octet = peek, octet != ASCII.quote {
      index += 1
      if octet == ASCII.backslash, let next = peek {
        result.append(next)
        index += 1
      } else {
        result.append(octet)
      }
    }
    guard skip(ASCII.quote) else { throw .malformed }
    return result[...]
  }

  private mutating func literal() throws(Problem) -> ArraySlice<UInt8>? {
    let start = index
    guard let size = try literalSize() else { return nil }
    guard size <= octets.endIndex - index else {
      index = start
      throw .malformed
    }
    index += Int(size)
    return octets[index - Int(size)..<index]
  }

  /// Reads a literal's marker and the line end behind it; `nil`, nothing read, when none comes.
  mutating func literalSize() throws(Problem) -> UInt64? {
    let start = index
    _ = skip(ASCII.tilde)
    guard skip(ASCII.openBrace) else {
      index = start
      return nil
    }
    guard let size = try digits() else { throw .malformed }
    _ = skip(ASCII.plus)
    guard skip(ASCII.closeBrace) else { throw .malformed }
    _ = skip(ASCII.carriageReturn)
    guard isAtEnd || skip(ASCII.lineFeed) else { throw .malformed }
    return size
  }
}

// Lists, and values that are not needed.
extension Lexer {
  /// Reads `(a b c)`: bare words or strings; NIL and a missing list are empty.
  mutating func list() throws(Problem) -> [ArraySlice<UInt8>] {
    skipSpaces()
    guard skip(ASCII.openParenthesis) else {
      _ = skipNil()
      return []
    }
    var result: [ArraySlice<UInt8>] = []
    while try !skipListEnd() {
      result.append(try listElement())
      try checkLength(result.count)
    }
    return result
  }

  /// Reads past the `)` of a list if it comes next.
  mutating func skipListEnd() throws(Problem) -> Bool {
    skipSpaces()
    guard peek != nil else { throw .malformed }
    return skip(ASCII.closeParenthesis)
  }

  mutating func listElement() throws(Problem) -> ArraySlice<UInt8> {
    if let string = try string() { return string }
    let start = index
    while let octet = peek, !ASCII.isBlank(octet), octet != ASCII.closeParenthesis { index += 1 }
    return octets[start..<index]
  }

  /// Reads a list of flags; NIL is an empty one.
  mutating func flags() throws(Problem) -> [Flag] {
    skipSpaces()
    guard skip(ASCII.openParenthesis) else {
      guard skipNil() else { throw .malformed }
      return []
    }
    var result: [Flag] = []
    while try !skipListEnd() {
      let element = try listElement()
      if !element.isEmpty { result.append(Flag(wire: element)) }
      try checkLength(result.count)
    }
    return result
  }

  /// Reads the rest of the line, split at blanks.
  mutating func words() throws(Problem) -> [[UInt8]] {
    var result: [[UInt8]] = []
    while true {
      skipSpaces()
      guard !isAtEnd else { return result }
      result.append([UInt8](token()))
      try checkLength(result.count)
    }
  }

  func checkLength(_ count: Int) throws(Problem) {
    guard count > limits.listLength else { return }
    throw .listTooLong(limit: limits.listLength)
  }

  /// Reads past one value of any kind: word, string, literal, list of such.
  ///
  /// - Parameter nesting: how deep it may be nested; nil is as documented for `Limits`.
  /// - Throws: what is wrong with it.
  mutating func skipValue(nesting: Int? = nil) throws(Problem) {
    let nesting = nesting ?? limits.nesting
    var depth = 0
    repeat {
      skipSpaces()
      guard let octet = peek else { throw .malformed }
      switch octet {
      case ASCII.openParenthesis:
        depth += 1
        guard depth <= nesting else { throw .nestedTooDeeply(limit: nesting) }
        index += 1
      case ASCII.closeParenthesis:
        // At depth 0 this is the end of the list around us: the value is missing.
        guard depth > 0 else { return }
        depth -= 1
        index += 1
      default:
        if try string() == nil { skipBareWord() }
      }
    } while depth > 0
  }

  /// Reads past at least one octet of a bare word, brackets included.
  private mutating func skipBareWord() {
    repeat { index += 1 } while peek.map { !Self.endsWord($0) || $0 == ASCII.openBracket } ?? false
  }

  /// Reads a set of UIDs in the order of the wire; no `*`, no zero.
  mutating func ranges() throws(Problem) -> [ClosedRange<UInt32>] {
    skipSpaces()
    var result: [ClosedRange<UInt32>] = []
    repeat {
      let first = try number()
      let second = skip(ASCII.colon) ? try number() : first
      guard first > 0, second > 0 else { throw .malformed }
      result.append(min(first, second)...max(first, second))
    } while skip(ASCII.comma)
    return result
  }
}
