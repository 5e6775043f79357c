/// What must be known about a message before it is sent; only `MessageScanner` finds it out.
package struct MessageFacts: Hashable, Sendable {
  /// The longest line that a message may have, in octets without line end (RFC 5322 §2.1.1).
  package static let lineLimit: UInt64 = 998

  /// The size on the wire in octets, every line ended by CR LF, stuffed dots not counted
  /// (RFC 1870 §3).
  package internal(set) var size: UInt64 = 0

  /// The number of lines.
  package internal(set) var lines: UInt64 = 0

  /// Whether an octet above 127 is anywhere.
  package internal(set) var hasEightBits = false

  /// Whether an octet above 127 is before the first empty line.
  package internal(set) var hasEightBitHeader = false

  /// Whether what is before the first empty line is well-formed UTF-8.
  package internal(set) var isHeaderUTF8 = true

  /// Whether the header is one that only SMTPUTF8 may carry (RFC 6532 §3): other octets than UTF-8 it must not carry either.
  package var needsSMTPUTF8: Bool { hasEightBitHeader && isHeaderUTF8 }

  /// The number of lines that are longer than `lineLimit`.
  package internal(set) var overlongLines: UInt64 = 0

  /// The first of them, counted from 1; `nil` when there is none.
  package internal(set) var firstOverlongLine: UInt64?

  /// The length of the longest line, in octets without line end.
  package internal(set) var longestLine: UInt64 = 0
}
