/// A literal that is to go on the wire next and whose octets the session does not have: a message
/// being appended.
package struct LiteralRequest: Hashable, Sendable {
  /// The APPEND.
  package let tag: CommandTag

  /// Which of its messages, counted from 0.
  package let index: Int

  /// The length of the message in octets.
  package let size: UInt64

  /// The octets not fed yet; never 0.
  package internal(set) var remaining: UInt64

  /// Whether the server said NO or BAD before it had the message.
  ///
  /// It expects the octets all the same, for it was told how many come, and throws them away
  /// (RFC 7888 §4). Any octets will do then; blanks can do no harm even if it does not.
  package internal(set) var isRefused = false

  init(tag: CommandTag, index: Int, size: UInt64) {
    self.tag = tag
    self.index = index
    self.size = size
    remaining = size
  }
}
