/// What a client can ask for (RFC 9051 §6); only commands that change nothing on the server.
package enum Command: Hashable, Sendable {
  /// Asks what the server can do (RFC 9051 §6.1.1).
  case capability
  /// Does nothing but give the server occasion to tell news (RFC 9051 §6.1.2).
  case noop
  /// Ends the connection in order (RFC 9051 §6.1.3).
  case logout
  /// RFC 9051 §6.2.1; nothing may be sent behind it until `Session.startedTLS()`.
  case startTLS
  /// RFC 3691: leaves the mailbox without expunging.
  case unselect
  /// Sends the password as it is (RFC 9051 §6.2.3): over encrypted connections only.
  case login(user: [UInt8], password: [UInt8])
  /// `initialResponse` goes inline (RFC 4959, needs SASL-IR), empty as `=`; `nil`: none inline.
  case authenticate(mechanism: [UInt8], initialResponse: [UInt8]?)
  /// RFC 5161.
  case enable([[UInt8]])
  /// `reference` and `pattern` as they go over the wire; `returning` `nil`: as in RFC 3501.
  case list(reference: [UInt8], pattern: [UInt8], returning: ListReturn?)
  /// Asks for facts about a mailbox without opening it (RFC 9051 §6.3.11).
  case status(MailboxName, [StatusItem])
  /// Opens a mailbox for reading only (RFC 9051 §6.3.3).
  case examine(MailboxName, SelectParameter?)
  /// Opens for reading and writing, which takes \Recent away from others; `examine` does not.
  case select(MailboxName, SelectParameter?)
  /// `changedSince`: only messages with a larger modification sequence (RFC 7162 §3.1.4.1).
  case uidFetch(MessageSet, [FetchItem], changedSince: UInt64?)
  /// `returningAll`: answered by ESEARCH with a compact set (RFC 4731, needs ESEARCH).
  case uidSearch(SearchQuery, returningAll: Bool)
}
