internal import Octets

/// A pattern over decoded mailbox names: `*` stands for anything, `%` for anything but `/`.
///
/// All else stands for itself, octet by octet, upper and lower case distinct; only `INBOX` is
/// matched caselessly, as RFC 9051 §5.1 has it.
package struct MailboxPattern: Hashable, Sendable {
  /// The pattern as it was written, UTF-8.
  package let octets: [UInt8]

  /// A pattern of those octets; every sequence of octets is one.
  package init(_ octets: [UInt8]) {
    self.octets = octets.equalsCaseless("INBOX") ? Array(ascii: "INBOX") : octets
  }

  /// A pattern written as text.
  package init(_ text: String) {
    self.init(Array(text.utf8))
  }

  /// Whether the whole name fits the pattern.
  ///
  /// The name is decoded UTF-8 with `/` between its levels, the inbox written `INBOX`. Takes time
  /// proportional to both lengths multiplied at worst, whatever the wildcards.
  package func matches(_ name: [UInt8]) -> Bool {
    // reached[i]: the pattern read so far fits the first i octets of the name.
    var reached = [Bool](repeating: false, count: name.count + 1)
    reached[0] = true
    for octet in octets {
      switch octet {
      case ASCII.asterisk: Self.spread(&reached) { _ in true }
      case ASCII.percent: Self.spread(&reached) { name[$0] != ASCII.slash }
      default: Self.step(&reached) { name[$0] == octet }
      }
    }
    return reached[name.count]
  }

  /// Whether the mailbox fits the pattern that has these names, the one in use here first.
  ///
  /// A pattern that begins with a wildcard means the names in use alone: `%` is not every mailbox because each has a name
  /// without the prefix of its namespace too.
  package func matches(anyOf names: [[UInt8]]) -> Bool {
    guard let first = names.first else { return false }
    if matches(first) { return true }
    guard names.count > 1, let start = octets.first, start != ASCII.asterisk, start != ASCII.percent
    else { return false }
    return names.dropFirst().contains(where: matches)
  }

  /// A wildcard: from every place reached, on over all octets that it may stand for.
  private static func spread(_ reached: inout [Bool], over standsFor: (Int) -> Bool) {
    for place in reached.indices.dropLast() where reached[place] && standsFor(place) {
      reached[place + 1] = true
    }
  }

  /// An octet that stands for itself: every place reached moves one on, or is lost.
  private static func step(_ reached: inout [Bool], where fits: (Int) -> Bool) {
    for place in reached.indices.dropLast().reversed() {
      reached[place + 1] = reached[place] && fits(place)
    }
    reached[0] = false
  }
}

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
