/// What the header of a message tells of its content: a hint where the body is not to be fetched.
package struct ContentKey: Hashable, Sendable {
  /// The hash of the Message-ID, as in `ContentIdentity`; 0 means that there is none.
  package let messageID: UInt64
  /// The hash of the header, as in `ContentIdentity`.
  package let header: UInt64

  package init(messageID: UInt64, header: UInt64) {
    self.messageID = messageID
    self.header = header
  }
}
