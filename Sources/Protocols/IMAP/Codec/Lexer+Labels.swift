internal import Octets

// X-GM-LABELS.
extension Lexer {
  /// Reads a list of labels; nil is any other value, which says nothing of them.
  mutating func labels() throws(Problem) -> [[UInt8]]? {
    skipSpaces()
    guard skip(ASCII.openParenthesis) else {
      try skipValue()
      return nil
    }
    var result: [[UInt8]] = []
    while try !skipListEnd() {
      let label = peek == ASCII.quote ? try quotedLabel() : [UInt8](try listElement())
      if !label.isEmpty { result.append(label) }
      try checkLength(result.count)
    }
    return result
  }

  /// Reads a quoted label: a backslash that quotes nothing stands for itself, since servers write `"\Inbox"` as well as
  /// `"\\Inbox"`.
  private mutating func quotedLabel() throws(Problem) -> [UInt8] {
    var result: [UInt8] = []
    advance()
    while let octet = peek, octet != ASCII.quote {
      advance()
      if octet == ASCII.backslash, let next = peek, next == ASCII.quote || next == ASCII.backslash {
        result.append(next)
        advance()
      } else {
        result.append(octet)
      }
    }
    guard skip(ASCII.quote) else { throw .malformed }
    return result
  }
}
