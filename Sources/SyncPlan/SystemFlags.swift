/// The six flags that a Maildir name and an IMAP server can both keep.
package struct SystemFlags: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// `D`, `\Draft`.
  package static let draft = Self(rawValue: 1)
  /// `F`, `\Flagged`.
  package static let flagged = Self(rawValue: 2)
  /// `P`, `$Forwarded`.
  package static let forwarded = Self(rawValue: 4)
  /// `R`, `\Answered`.
  package static let answered = Self(rawValue: 8)
  /// `S`, `\Seen`.
  package static let seen = Self(rawValue: 16)
  /// `T`, `\Deleted`: no more than a mark, nothing is expunged because of it.
  package static let deleted = Self(rawValue: 32)

  /// All six.
  package static let all: Self = [.draft, .flagged, .forwarded, .answered, .seen, .deleted]
}
