internal import Octets

/// Patterns of mailboxes, of which the last one that fits decides; those with a `!` keep mailboxes out.
package struct OrderedPatterns: Hashable, Sendable {
  /// One of the patterns.
  package struct Entry: Hashable, Sendable {
    /// What it fits.
    package let pattern: MailboxPattern
    /// Whether it lets in what it fits.
    package let admits: Bool

    package init(_ pattern: MailboxPattern, admits: Bool) {
      self.pattern = pattern
      self.admits = admits
    }

    /// A pattern as it is written, with `!` in front where it keeps mailboxes out.
    package init(_ text: String) {
      let octets = Array(text.utf8)
      admits = octets.first != ASCII.exclamationMark
      pattern = MailboxPattern(admits ? octets : Array(octets.dropFirst()))
    }
  }

  /// The patterns in their order.
  package let entries: [Entry]

  /// Patterns in this order.
  package init(_ entries: [Entry]) { self.entries = entries }

  /// All mailboxes.
  package static let all = OrderedPatterns([Entry("*")])

  /// Whether the mailbox is let in that has these names, the one in use here first.
  package func admit(anyOf names: [[UInt8]]) -> Bool {
    entries.last { $0.pattern.matches(anyOf: names) }?.admits ?? false
  }
}
