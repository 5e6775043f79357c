package import MailStore
package import MirrorCheck

/// What a verification of an account came to.
package struct VerificationReport: Sendable {
  /// The mailboxes that were compared.
  package var mailboxes = 0
  /// Messages that are the same on both sides; of a deep verification those whose octets were compared.
  package var equal = 0
  /// Differences between the sides.
  package var differences = 0
  /// Files that the server lost and that are kept: no differences.
  package var detached = 0
  /// Second copies of sent messages, which are not uploaded.
  package var copies = 0
  /// Messages of which only header and texts are here, as they were fetched: no differences, and not proved to be equal.
  package var partial = 0
  /// Messages that were removed here, and that the server still has since it expunges none alone: no differences.
  package var going = 0
  /// Messages that are older than the window: no differences.
  package var older = 0
  /// Mailboxes that are left out by the configuration or the caller.
  package var others = 0
  /// Messages that a deep verification left for another day, since the account limits what is fetched in one.
  package var left = 0
  package var leftOctets: UInt64 = 0
  /// When it goes on, in seconds since 1970; nil where none were left.
  package var resumption: Int64?
  /// Mailboxes that could not be compared.
  package var failed = 0
  /// What ended it early; nil where nothing did.
  package var failure: SyncFailure?

  /// Nothing was compared yet.
  package init() {}

  /// Whether the mirror is what the server has, as far as it was asked.
  package var isEqual: Bool { differences == 0 && failed == 0 && failure == nil }
}

/// What a verification finds, as it finds it.
package enum VerificationEvent: Sendable {
  /// A mailbox, by its name for people, differs in this.
  case difference(mailbox: String, MirrorDifference)
  /// A mailbox could not be compared.
  case problem(mailbox: String, SyncFailure)
  /// So many messages of a mailbox were compared octet by octet, of so many.
  case compared(mailbox: String, messages: Int, of: Int)
}
