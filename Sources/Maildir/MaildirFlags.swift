internal import Octets

/// The flags that the name of a Maildir file can show.
///
/// They stand for IMAP's \Draft, \Flagged, $Forwarded, \Answered, \Seen and \Deleted, in this order.
package struct MaildirFlags: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// D: the user is still writing it.
  package static let draft = MaildirFlags(rawValue: 1)

  /// F: marked by the user.
  package static let flagged = MaildirFlags(rawValue: 2)

  /// P: passed on (forwarded, resent, bounced).
  package static let passed = MaildirFlags(rawValue: 4)

  /// R: replied to.
  package static let replied = MaildirFlags(rawValue: 8)

  /// S: seen.
  package static let seen = MaildirFlags(rawValue: 16)

  /// T: moved to the trash, to be removed some time.
  package static let trashed = MaildirFlags(rawValue: 32)

  /// The letters of all flags in the order of the bits, which is that of ASCII.
  private static let alphabet = [UInt8](ascii: "DFPRST")

  /// The flag of a letter; nil for a letter that means nothing here.
  package init?(letter: UInt8) {
    guard let bit = Self.alphabet.firstIndex(of: letter) else { return nil }
    rawValue = 1 << UInt8(bit)
  }

  /// The letters of the flags, in ASCII order.
  package var letters: [UInt8] {
    Self.alphabet.enumerated()
      .filter { bit, _ in rawValue & 1 << UInt8(bit) != 0 }
      .map { _, letter in letter }
  }
}
