package import MailStore
internal import MailboxActions

/// What kept a run over a queue from doing all that is to be done in mailboxes.
package struct MailboxDelay: Sendable {
  /// What is in the way.
  package let failure: SyncFailure
  /// Whether it is the copy of something that was sent that waits.
  package let isCopy: Bool

  /// The words; nil where there is nothing to say, since it passes by itself at once.
  package var text: String? {
    switch failure {
    case .locked, .interrupted: return nil
    default:
      let what = isCopy ? "the copy of what was sent" : "what is to be done on the IMAP server"
      return "\(what) waits: \(SyncFailureWords(failure, account: "").what)"
    }
  }
}
