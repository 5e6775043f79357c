/// The octets of US-ASCII by name, and the questions asked of single octets.
///
/// Everything here treats octets above 127 as "something else": never a letter, digit or control.
@usableFromInline
package enum ASCII {
  @inlinable package static var null: UInt8 { 0x00 }
  @inlinable package static var tab: UInt8 { 0x09 }
  @inlinable package static var lineFeed: UInt8 { 0x0A }
  @inlinable package static var carriageReturn: UInt8 { 0x0D }
  @inlinable package static var escape: UInt8 { 0x1B }
  @inlinable package static var space: UInt8 { 0x20 }
  @inlinable package static var exclamationMark: UInt8 { 0x21 }
  @inlinable package static var quote: UInt8 { 0x22 }
  @inlinable package static var hash: UInt8 { 0x23 }
  @inlinable package static var dollar: UInt8 { 0x24 }
  @inlinable package static var percent: UInt8 { 0x25 }
  @inlinable package static var ampersand: UInt8 { 0x26 }
  @inlinable package static var apostrophe: UInt8 { 0x27 }
  @inlinable package static var openParenthesis: UInt8 { 0x28 }
  @inlinable package static var closeParenthesis: UInt8 { 0x29 }
  @inlinable package static var asterisk: UInt8 { 0x2A }
  @inlinable package static var plus: UInt8 { 0x2B }
  @inlinable package static var comma: UInt8 { 0x2C }
  @inlinable package static var minus: UInt8 { 0x2D }
  @inlinable package static var dot: UInt8 { 0x2E }
  @inlinable package static var slash: UInt8 { 0x2F }
  @inlinable package static var zero: UInt8 { 0x30 }
  @inlinable package static var nine: UInt8 { 0x39 }
  @inlinable package static var colon: UInt8 { 0x3A }
  @inlinable package static var semicolon: UInt8 { 0x3B }
  @inlinable package static var lessThan: UInt8 { 0x3C }
  @inlinable package static var equals: UInt8 { 0x3D }
  @inlinable package static var greaterThan: UInt8 { 0x3E }
  @inlinable package static var questionMark: UInt8 { 0x3F }
  @inlinable package static var at: UInt8 { 0x40 }
  @inlinable package static var openBracket: UInt8 { 0x5B }
  @inlinable package static var backslash: UInt8 { 0x5C }
  @inlinable package static var closeBracket: UInt8 { 0x5D }
  @inlinable package static var underscore: UInt8 { 0x5F }
  @inlinable package static var openBrace: UInt8 { 0x7B }
  @inlinable package static var closeBrace: UInt8 { 0x7D }
  @inlinable package static var tilde: UInt8 { 0x7E }
  @inlinable package static var delete: UInt8 { 0x7F }

  /// Whether the octet is `0`…`9`.
  @inlinable
  package static func isDigit(_ octet: UInt8) -> Bool {
    octet &- 0x30 < 10
  }

  /// Whether the octet is `A`…`Z` or `a`…`z`.
  @inlinable
  package static func isLetter(_ octet: UInt8) -> Bool {
    (octet | 0x20) &- 0x61 < 26
  }

  /// Whether the octet is a control: 0…31 or 127.
  @inlinable
  package static func isControl(_ octet: UInt8) -> Bool {
    octet < 0x20 || octet == 0x7F
  }

  /// Whether the octet is a space or a tab.
  @inlinable
  package static func isBlank(_ octet: UInt8) -> Bool {
    octet == 0x20 || octet == 0x09
  }

  /// The octet with `A`…`Z` made small; all others as they are.
  @inlinable
  package static func lowercased(_ octet: UInt8) -> UInt8 {
    octet &- 0x41 < 26 ? octet | 0x20 : octet
  }

  /// The octet with `a`…`z` made large; all others as they are.
  @inlinable
  package static func uppercased(_ octet: UInt8) -> UInt8 {
    octet &- 0x61 < 26 ? octet & 0xDF : octet
  }
}

extension Collection where Element == UInt8 {
  /// Whether both hold the same octets when ASCII letters are compared without regard to case.
  ///
  /// Octets above 127 must be equal: no Unicode case folding happens here.
  @inlinable
  package func equalsCaseless(_ other: some Collection<UInt8>) -> Bool {
    elementsEqual(other) { ASCII.lowercased($0) == ASCII.lowercased($1) }
  }

  /// Whether the octets are those of the literal, ASCII letters compared without regard to case.
  @inlinable
  package func equalsCaseless(_ literal: StaticString) -> Bool {
    literal.withUTF8Buffer { equalsCaseless($0) }
  }

  /// Whether the octets begin with those of the literal, ASCII letters compared caselessly.
  @inlinable
  package func startsCaseless(with literal: StaticString) -> Bool {
    literal.withUTF8Buffer { prefix($0.count).equalsCaseless($0) }
  }
}

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
