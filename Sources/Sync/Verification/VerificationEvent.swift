package import MailStore
package import MirrorCheck

/// What a verification finds, as it finds it.
package enum VerificationEvent: Sendable {
  /// A mailbox, by its name for people, differs in this.
  case difference(mailbox: String, MirrorDifference)
  /// A mailbox could not be compared.
  case problem(mailbox: String, SyncFailure)
  /// So many messages of a mailbox were compared octet by octet, of so many.
  case compared(mailbox: String, messages: Int, of: Int)
}
