package import MailModel

/// The facts of a STATUS response (RFC 9051 §7.3.4); `nil` where the server told none.
package struct MailboxStatus: Hashable, Sendable {
  /// The mailbox that the facts are about.
  package let name: MailboxName

  /// The number of messages.
  package var messages: UInt32?

  /// The UID that the next message will have at least.
  package var uidNext: UInt32?

  /// The validity that all UIDs of the mailbox share; as sent, so possibly an invalid 0.
  package var uidValidity: UInt32?

  /// The largest modification sequence (RFC 7162 §3.1.7); 0 when the mailbox keeps none.
  package var highestModSequence: UInt64?

  /// The identifier that stays with the mailbox when it is renamed (RFC 8474 §4.3).
  package var mailboxID: [UInt8]?

  package init(name: MailboxName) {
    self.name = name
  }
}

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
