internal import IMAP
internal import MailModel
internal import SyncPlan

/// One mailbox as SELECT or EXAMINE and what followed it described it.
struct RemoteMailbox {
  /// UIDVALIDITY; 0 when the server gave none.
  var validity: UInt32 = 0
  /// UIDNEXT at the time of EXAMINE; 0 when the server gave none.
  var uidNext: UInt32 = 0
  /// HIGHESTMODSEQ at the time of EXAMINE; 0 when there is none (NOMODSEQ).
  var modSequence: UInt64 = 0
  /// MAILBOXID; empty when the server gave none.
  var serverID: [UInt8] = []
  /// How many messages there are.
  var exists: UInt32 = 0
  /// How many of them the server left out of the list of all; above 0 the view proves no removal.
  var missing = 0
  var view: RemoteView = .unchanged
  /// PERMANENTFLAGS; nil when the server told none, which means all (RFC 9051 §7.1).
  var permanentFlags: [Flag]?
  /// Whether it can only be read.
  var isReadOnly = false

  /// Which mailbox it is.
  var identity: MailboxIdentity { MailboxIdentity(validity: validity, serverID: serverID) }
}
