package import Octets
package import SMTP

/// A message ready for the spool.
package struct PreparedLetter: Sendable {
  /// The message, lines ended by LF; no Bcc in it.
  package let message: any OctetSource

  /// From whom and to whom.
  package let envelope: Envelope

  /// The Message-ID, with its brackets.
  package let messageID: [UInt8]?

  /// The values of the Bcc fields that were taken out; `nil` for none.
  package let blindCopies: [UInt8]?
}
