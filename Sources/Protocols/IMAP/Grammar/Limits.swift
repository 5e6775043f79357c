/// What a server may ask of our memory before it counts as hostile or broken.
package struct Limits: Hashable, Sendable {
  /// The longest response without message bodies, in octets; 16 MiB.
  ///
  /// Everything between two responses counts, short literals too. A plain `SEARCH` response in a
  /// mailbox of a million messages has 7 MiB.
  package var lineLength: Int

  /// The largest message body, in octets; 2 GiB.
  ///
  /// Bodies are streamed, never held.
  package var literalSize: UInt64

  /// The largest literal elsewhere (mailbox name, header fields), in octets; 1 MiB.
  package var shortLiteralSize: Int

  /// The most flags, attributes or capabilities in one list; 10,000.
  ///
  /// Each costs far more in memory than the two octets it may have on the wire.
  package var listLength: Int

  /// The deepest nesting of parentheses in values that are skipped; 100 levels.
  package var nesting: Int

  /// The limits given; each as documented where it is left out.
  package init(
    lineLength: Int = 16 << 20,
    literalSize: UInt64 = 2 << 30,
    shortLiteralSize: Int = 1 << 20,
    listLength: Int = 10_000,
    nesting: Int = 100
  ) {
    self.lineLength = lineLength
    self.literalSize = literalSize
    self.shortLiteralSize = shortLiteralSize
    self.listLength = listLength
    self.nesting = nesting
  }

  /// The limits for servers on the Internet.
  package static let standard = Limits()
}
