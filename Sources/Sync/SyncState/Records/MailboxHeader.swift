package import MailModel
package import Maildir

/// What a mailbox's state is about.
package struct MailboxHeader: Hashable, Sendable {
  /// The server's name as it stands on the wire.
  package var mailbox: [UInt8]
  /// The Maildir, relative to the account's root; fixed when the mailbox was first mirrored.
  package var directory: [UInt8]
  /// The mailbox's own id, which its files carry in their names.
  package var id: UInt64
  /// UIDVALIDITY, never 0.
  package var validity: UInt32
  /// Messages from this UID on were never looked at; nil when that is unknown, as before the first complete run.
  package var uidNext: UInt32?
  /// HIGHESTMODSEQ up to which all changes are here; nil when unknown.
  package var modSequence: UInt64?
  /// Which map this is; a log belongs to the map of the same generation.
  package var generation: UInt64 = 1
  /// The window that the messages were chosen by, as configured.
  package var window: [UInt8] = Array("all".utf8)
  /// The server's own id of the mailbox (MAILBOXID, RFC 8474), which a rename leaves as it is; empty where it told none.
  package var serverID: [UInt8] = []

  package init(
    mailbox: [UInt8],
    directory: [UInt8],
    id: UInt64,
    validity: UInt32,
    uidNext: UInt32? = nil,
    modSequence: UInt64? = nil,
    generation: UInt64 = 1,
    window: [UInt8] = Array("all".utf8),
    serverID: [UInt8] = []
  ) {
    self.mailbox = mailbox
    self.directory = directory
    self.id = id
    self.validity = validity
    self.uidNext = uidNext
    self.modSequence = modSequence
    self.generation = generation
    self.window = window
    self.serverID = serverID
  }

  /// Which mailbox of the server it is.
  package var identity: MailboxIdentity { MailboxIdentity(validity: validity, serverID: serverID) }

  /// What tells a message of the mailbox from all others.
  package func origin(of uid: UInt32) -> Intent.Origin {
    Intent.Origin(source: id, validity: validity, uid: uid)
  }

  /// Whether the key is of this mailbox, with a UID from UIDNEXT on: only what is on record was seen of those.
  package func mayBeUnseen(_ key: MessageKey) -> Bool {
    key.mailbox == id && key.validity == validity && !isBelowNext(key.uid)
  }

  /// Whether a run looked at the UID, as far as that is known.
  package func isBelowNext(_ uid: UInt32) -> Bool { uidNext.map { uid < $0 } ?? false }
}
