/// What the header of a message tells of its content, for when the body is not to be fetched.
package struct ContentKey: Hashable, Sendable {
  /// The hash of the Message-ID, as in `ContentIdentity`; 0 means that there is none.
  package let messageID: UInt64
  /// Octets of the body with line ends as CRLF.
  package let bodySize: UInt64

  /// A key from its two numbers.
  package init(messageID: UInt64, bodySize: UInt64) {
    self.messageID = messageID
    self.bodySize = bodySize
  }
}
