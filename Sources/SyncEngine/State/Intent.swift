internal import SyncPlan

/// What was about to be done on the server when it was written down, so that a crash leaves no doubt.
///
/// Each is recorded with the mailbox that the message is to arrive in; `discard` with the one it leaves.
enum Intent: Hashable {
  /// An upload of a file of this mailbox.
  case append(Upload)
  /// A move of a message out of another mailbox to where its file lies now.
  case move(Transfer)
  /// A copy to Trash, after which the message itself is to go.
  case discard(Disposal)

  /// An upload: the file, and what the server had before.
  struct Upload: Hashable {
    /// The base name.
    var name: [UInt8]
    /// Octets on the wire.
    var size: UInt64
    var identity: ContentIdentity
    /// The mailbox's UIDNEXT before: nothing below it can be the uploaded message.
    var uidNext: UInt32
    /// The message that this is a new version of.
    var replacing: UInt32?
  }

  /// A move into this mailbox.
  struct Transfer: Hashable {
    /// The id of the mailbox that the message leaves, its UIDVALIDITY, and the UID there.
    var source: UInt64
    var validity: UInt32
    var uid: UInt32
    /// The base name of the file, which lies in this mailbox already.
    var name: [UInt8]
    /// RFC822.SIZE in octets.
    var size: UInt64
    var identity: ContentIdentity?
    /// The UIDNEXT of this mailbox before.
    var uidNext: UInt32
  }

  /// A copy of this mailbox's message to Trash.
  struct Disposal: Hashable {
    var uid: UInt32
    /// Trash as it stands on the wire, and its UIDVALIDITY and UIDNEXT before.
    var trash: [UInt8]
    var validity: UInt32
    var uidNext: UInt32
    /// RFC822.SIZE in octets.
    var size: UInt64
    var identity: ContentIdentity?
  }
}
