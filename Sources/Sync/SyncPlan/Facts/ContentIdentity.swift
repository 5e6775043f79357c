/// What tells one message from another whatever its name or UID: hashes of Message-ID, header and body.
///
/// All are cut SHA-256 values over octets with LF line ends.
package struct ContentIdentity: Hashable, Sendable {
  /// Of the octets of the Message-ID with its angle brackets; 0 means that there is none.
  package let messageID: UInt64
  /// The first half of the body's hash.
  package let bodyHigh: UInt64
  /// The second half of the body's hash.
  package let bodyLow: UInt64
  /// Of the header without the fields that tools add on a message's way, such as Received and Status.
  package let header: UInt64

  package init(messageID: UInt64, bodyHigh: UInt64, bodyLow: UInt64, header: UInt64) {
    self.messageID = messageID
    self.bodyHigh = bodyHigh
    self.bodyLow = bodyLow
    self.header = header
  }

  /// What remains where servers and clients rewrite header fields, to look messages up by.
  package var text: Sameness.Key { Sameness.Key(Trace(self), .text) }
}
