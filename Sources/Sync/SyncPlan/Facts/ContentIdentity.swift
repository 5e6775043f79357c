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

/// How much of a message its file holds.
///
/// A file that holds parts only is never taken for the message: nothing uploads it, and its removal removes nothing for
/// good.
package enum Completeness: Hashable, Sendable {
  /// All of it.
  case whole
  /// Header and texts, without attachments; `name` is what the file says of itself, to be found again by.
  case partial(name: [UInt8])

  /// Whether there are parts of the message that are on the server only.
  package var isPartial: Bool {
    switch self {
    case .whole: false
    case .partial: true
    }
  }
}
