internal import Octets

/// The six flags that the name of a Maildir file and an IMAP server can both keep.
package struct SystemFlags: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// None of them; the literal `[]` goes by way of an array, which is felt where there are very many messages.
  package init() { rawValue = 0 }

  /// `D`, `\Draft`: the user is still writing it.
  package static let draft = Self(rawValue: 1)
  /// `F`, `\Flagged`.
  package static let flagged = Self(rawValue: 2)
  /// `P`, `$Forwarded`: passed on, resent or bounced.
  package static let forwarded = Self(rawValue: 4)
  /// `R`, `\Answered`.
  package static let answered = Self(rawValue: 8)
  /// `S`, `\Seen`.
  package static let seen = Self(rawValue: 16)
  /// `T`, `\Deleted`: no more than a mark, nothing is expunged because of it.
  package static let deleted = Self(rawValue: 32)

  /// All six.
  package static let all: Self = [.draft, .flagged, .forwarded, .answered, .seen, .deleted]

  /// The characters of all flags in the info part of a Maildir name, in the order of the bits, which is that of ASCII.
  private static let characters = [UInt8](ascii: "DFPRST")

  /// The flag of a character in the info part of a Maildir name; nil for one that means nothing here.
  package init?(character: UInt8) {
    switch character {
    case UInt8(ascii: "D"): self = .draft
    case UInt8(ascii: "F"): self = .flagged
    case UInt8(ascii: "P"): self = .forwarded
    case UInt8(ascii: "R"): self = .answered
    case UInt8(ascii: "S"): self = .seen
    case UInt8(ascii: "T"): self = .deleted
    default: return nil
    }
  }

  /// The characters of the flags in a Maildir name, in ASCII order.
  package var characters: [UInt8] {
    Self.characters.enumerated()
      .filter { bit, _ in rawValue & 1 << UInt8(bit) != 0 }
      .map { _, character in character }
  }
}
