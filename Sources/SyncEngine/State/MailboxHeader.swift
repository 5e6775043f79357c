internal import MailModel

/// What a mailbox's state is about.
struct MailboxHeader: Hashable, Sendable {
  /// The server's name as it stands on the wire.
  var mailbox: [UInt8]
  /// The Maildir, relative to the account's root; fixed when the mailbox was first mirrored.
  var directory: [UInt8]
  /// The mailbox's own id, which its files carry in their names.
  var id: UInt64
  /// UIDVALIDITY, never 0.
  var validity: UInt32
  /// Messages from this UID on were never looked at; 0 when none were.
  var uidNext: UInt32 = 0
  /// HIGHESTMODSEQ up to which all changes are here; 0 when unknown.
  var modSequence: UInt64 = 0
  /// Which map this is; a log belongs to the map of the same generation.
  var generation: UInt64 = 1
  /// The window that the messages were chosen by, as configured.
  var window: [UInt8] = Array("all".utf8)
  /// The server's own id of the mailbox (MAILBOXID, RFC 8474), which a rename leaves as it is; empty where it told none.
  var serverID: [UInt8] = []

  /// Which mailbox of the server it is.
  var identity: MailboxIdentity { MailboxIdentity(validity: validity, serverID: serverID) }
}
