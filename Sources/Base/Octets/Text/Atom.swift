/// The octets of an `atom` (RFC 9051 §9), more generous than the standard where servers are.
package enum Atom {
  /// Whether an atom may hold the octet; `]` and `\` may be in names that servers give.
  @inlinable package static func mayHold(_ octet: UInt8) -> Bool {
    switch octet {
    case ...ASCII.space, ASCII.openParenthesis, ASCII.closeParenthesis, ASCII.openBrace,
      ASCII.percent, ASCII.asterisk, ASCII.quote, ASCII.delete...:
      false
    default: true
    }
  }
}
