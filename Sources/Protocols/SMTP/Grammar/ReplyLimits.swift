/// What a server may ask of our memory before it counts as hostile or broken.
package struct ReplyLimits: Hashable, Sendable {
  /// The longest line of a reply, in octets with its line end; 16 KiB.
  ///
  /// Replies have 512 octets by RFC 5321 §4.5.3.1.5, challenges 12,288 by RFC 4954 §4.
  package var lineLength: Int

  /// The most lines in one reply; 128.
  package var lineCount: Int

  /// The limits given; each as documented where it is left out.
  package init(lineLength: Int = 16 << 10, lineCount: Int = 128) {
    self.lineLength = lineLength
    self.lineCount = lineCount
  }

  /// The limits for servers on the Internet.
  package static let standard = ReplyLimits()
}
