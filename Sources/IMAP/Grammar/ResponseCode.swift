/// What a status response says to the program rather than to people (RFC 9051 §7.1, RFC 5530).
package enum ResponseCode: Hashable, Sendable {
  /// The text must be shown to the user.
  case alert
  case capability(Capabilities)
  /// RFC 9051 §2.3.1.1; as the server sent it, so possibly an invalid 0.
  case uidValidity(UInt32)
  /// RFC 9051 §2.3.1.1; as the server sent it, so possibly an invalid 0.
  case uidNext(UInt32)
  /// RFC 7162 §3.1.2.1.
  case highestModSequence(UInt64)
  /// RFC 7162 §3.1.2.2: the mailbox has no modification sequences.
  case noModSequence
  /// The flags that can be changed for good; `.any` when new keywords can be made.
  case permanentFlags([Flag])
  case readOnly
  case readWrite
  /// The sequence number of the first message without \Seen.
  case unseen(UInt32)
  /// RFC 7162 §3.2.11: what follows is about the mailbox selected next, no longer the last one.
  case closed
  case authenticationFailed
  case authorizationFailed
  case expired
  case privacyRequired
  case contactAdministrator
  case unavailable
  case inUse
  case limit
  case overQuota
  case serverBug
  case clientBug
  case cannot
  case noPermission
  case alreadyExists
  case nonexistent
  case tryCreate
  case expungeIssued
  case parse
  case badCharset
  case uidNotSticky
  /// RFC 8474 §4.1: the identifier that stays with the mailbox when it is renamed.
  case mailboxID([UInt8])
  /// RFC 7162 §3.1.3: the messages that a conditional STORE did not change.
  case modified(UIDSet)
  /// RFC 4315 §3: where appended messages went.
  case appendUID(validity: UInt32, uids: UIDSet)
  /// RFC 4315 §3: where copied messages went; both lists in the order of the server.
  case copyUID(
    validity: UInt32,
    source: [ClosedRange<UInt32>],
    destination: [ClosedRange<UInt32>]
  )
  /// Any other code, or one whose arguments make no sense: name in large letters, rest verbatim.
  case other(name: [UInt8], arguments: [UInt8])
}
