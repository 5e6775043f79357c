/// What tells one message from another whatever its name or UID: hashes of Message-ID and body.
///
/// Both are cut SHA-256 values. The body is hashed with its line ends as LF, without the header,
/// since tools add header fields on the way.
package struct ContentIdentity: Hashable, Sendable {
  /// Of the octets of the Message-ID with its angle brackets; 0 means that there is none.
  package let messageID: UInt64
  /// The first half of the body's hash.
  package let bodyHigh: UInt64
  /// The second half of the body's hash.
  package let bodyLow: UInt64

  /// An identity from its three numbers.
  package init(messageID: UInt64, bodyHigh: UInt64, bodyLow: UInt64) {
    self.messageID = messageID
    self.bodyHigh = bodyHigh
    self.bodyLow = bodyLow
  }
}
