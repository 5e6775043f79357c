/// A fact about a mailbox that STATUS can tell (RFC 9051 §6.3.11).
package enum StatusItem: Hashable, Sendable, CaseIterable {
  /// The number of messages.
  case messages
  /// The UID that the next message will have at least.
  case uidNext
  /// The validity that all UIDs share.
  case uidValidity
  /// RFC 7162 §3.1.7; needs CONDSTORE.
  case highestModSequence
  /// RFC 8474 §4.3; needs OBJECTID.
  case mailboxID

  var wire: StaticString {
    switch self {
    case .messages: "MESSAGES"
    case .uidNext: "UIDNEXT"
    case .uidValidity: "UIDVALIDITY"
    case .highestModSequence: "HIGHESTMODSEQ"
    case .mailboxID: "MAILBOXID"
    }
  }
}
