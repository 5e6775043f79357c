/// Bounds on what a message may make us do; what lies beyond them is kept, but not taken apart.
package struct MessageLimits: Sendable, Hashable {
  /// How many multiparts and messages may lie in one another, default 50.
  ///
  /// Real mail stays below 10; the parser and the release of the tree recurse this deep.
  package var nesting: Int

  /// How many parts one message may have, default 10,000, containers counted.
  package var parts: Int

  package init(nesting: Int = 50, parts: Int = 10_000) {
    self.nesting = nesting
    self.parts = parts
  }

  /// The limits that all mail is read with.
  package static let standard = MessageLimits()
}
