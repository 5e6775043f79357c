/// Why a message cannot be sent to a server at all; nothing was sent.
package enum EnvelopeError: Error, Hashable, Sendable {
  case noRecipients

  /// More recipients than the server takes in one transaction (`Extensions.recipientLimit`).
  case tooManyRecipients(count: Int, limit: Int)

  /// The message is larger than the server takes (RFC 1870 §6.1), both in octets.
  case tooLarge(size: UInt64, limit: UInt64)

  /// An address has octets above 127, so that SMTPUTF8 is needed, which must not carry a header that is not UTF-8.
  case headerNotUTF8(EnvelopeAddress)

  /// An address has octets above 127 and the server does not offer SMTPUTF8.
  case needsSMTPUTF8(EnvelopeAddress)
}
