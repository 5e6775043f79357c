/// What a message would need that the server does not offer, and that it is sent without.
package enum Shortfall: Hashable, Sendable, CaseIterable {
  /// The message has octets above 127; they may be lost on the way.
  case eightBitMIME

  /// The header has octets above 127; it may be garbled or refused on the way.
  case smtpUTF8

  /// Reports were asked for; none will be made but those the server makes anyhow.
  case dsn
}
