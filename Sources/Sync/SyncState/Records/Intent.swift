package import MailModel
package import SyncPlan

/// A change that is about to be made, on the server or in two journals, recorded so that a crash leaves no doubt.
///
/// Each is recorded with the mailbox that the message is to arrive in; `discard` with the one it leaves.
package enum Intent: Hashable {
  /// An upload of a file of this mailbox.
  case append(Upload)
  /// A move of a message out of another mailbox to where its file lies now.
  case move(Transfer)
  /// A copy of a message of another mailbox, or of this one, for a new file that holds the same.
  case copy(Transfer)
  /// A copy to Trash, after which the message itself is to go.
  case discard(Disposal)
  /// A file goes where the server moved its message, out of a mailbox that has the message on record still.
  case follow(Following)
  /// A message that came here is on record; where it came from, its record is to go.
  case leave(Origin)
  /// Marks are taken from messages that stay, so that others can be expunged, and are put back after that.
  case unmark(Unmarking)

  /// Whether it is about a partial message, which older versions do not know.
  var isOfPartial: Bool {
    switch self {
    case .move(let transfer), .copy(let transfer): transfer.completeness.isPartial
    case .follow(let following): following.message.completeness.isPartial
    case .append, .discard, .leave, .unmark: false
    }
  }

  /// An upload: the file, and what the server had before.
  package struct Upload: Hashable {
    /// The base name.
    package var name: [UInt8]
    /// Octets on the wire.
    package var size: UInt64
    package var identity: ContentIdentity
    /// The flags and keywords that it is sent with; nil where the log of an older version does not tell.
    package var flags: MessageFlags?
    /// The mailbox's UIDNEXT before: nothing below it can be the uploaded message.
    package var uidNext: UInt32
    /// The message that this is a new version of.
    package var replacing: UInt32?
    /// The message whose file it was before, and which is gone from the server.
    package var origin: Origin?

    package init(
      name: [UInt8],
      size: UInt64,
      identity: ContentIdentity,
      flags: MessageFlags?,
      uidNext: UInt32,
      replacing: UInt32?,
      origin: Origin?
    ) {
      self.name = name
      self.size = size
      self.identity = identity
      self.flags = flags
      self.uidNext = uidNext
      self.replacing = replacing
      self.origin = origin
    }
  }

  /// A move into this mailbox, or a copy.
  package struct Transfer: Hashable {
    /// The id of the mailbox that the message leaves.
    package var source: UInt64
    /// Its UIDVALIDITY.
    package var validity: UInt32
    package var uid: UInt32
    /// The base name of the file, which lies in this mailbox already.
    package var name: [UInt8]
    /// RFC822.SIZE in octets; nil where it is not known.
    package var size: UInt64?
    /// Its content; nil where it is not known.
    package var identity: ContentIdentity?
    /// The UIDNEXT of this mailbox before.
    package var uidNext: UInt32
    /// How much of the message the file holds.
    package var completeness: Completeness

    package init(
      source: UInt64,
      validity: UInt32,
      uid: UInt32,
      name: [UInt8],
      size: UInt64?,
      identity: ContentIdentity?,
      uidNext: UInt32,
      completeness: Completeness
    ) {
      self.completeness = completeness
      self.source = source
      self.validity = validity
      self.uid = uid
      self.name = name
      self.size = size
      self.identity = identity
      self.uidNext = uidNext
    }

    /// A move of a message by what is recorded of it; nil where nothing is.
    package init(_ origin: Origin, _ record: BaseRecord?, name: [UInt8], uidNext: UInt32) {
      self.init(
        source: origin.source,
        validity: origin.validity,
        uid: origin.uid,
        name: name,
        size: record?.size,
        identity: record?.identity,
        uidNext: uidNext,
        completeness: record?.completeness ?? .whole
      )
    }

    /// Which message it is.
    package var origin: Origin { Origin(source: source, validity: validity, uid: uid) }
  }

  /// A file that follows its message into this mailbox.
  package struct Following: Hashable {
    /// The message as it is to be on record here, with the base name that the file gets.
    package var message: BaseRecord
    package var origin: Origin
    /// The id of the mailbox in whose Maildir the file lies until then.
    package var source: UInt64
    /// The base name that the file has there.
    package var file: [UInt8]
    /// The flags that the file is about to show otherwise.
    package var flags: SystemFlags

    package init(
      _ message: BaseRecord,
      from origin: Origin,
      file: [UInt8],
      in source: UInt64,
      changing flags: SystemFlags
    ) {
      self.message = message
      self.origin = origin
      self.file = file
      self.source = source
      self.flags = flags
    }
  }

  /// A message of another mailbox.
  package struct Origin: Hashable {
    /// The id of the mailbox.
    package var source: UInt64
    /// Its UIDVALIDITY.
    package var validity: UInt32
    package var uid: UInt32

    package init(source: UInt64, validity: UInt32, uid: UInt32) {
      self.source = source
      self.validity = validity
      self.uid = uid
    }
  }

  /// Messages of this mailbox that are marked as deleted, and are not while others are expunged.
  package struct Unmarking: Hashable {
    /// The UIDVALIDITY of the mailbox.
    package var validity: UInt32
    package var uids: [UInt32]

    package init(validity: UInt32, uids: [UInt32]) {
      self.validity = validity
      self.uids = uids
    }
  }

  /// A copy of this mailbox's message to Trash.
  package struct Disposal: Hashable {
    /// Its UID in this mailbox.
    package var uid: UInt32
    /// Trash as it stands on the wire.
    package var trash: [UInt8]
    /// What Trash was like before; nil where it was not asked, since the server was to move the message in one step.
    package var place: MailboxPlace?
    /// RFC822.SIZE in octets; nil where it is not known.
    package var size: UInt64?
    /// Its content; nil where it is not known.
    package var identity: ContentIdentity?

    package init(
      uid: UInt32,
      trash: [UInt8],
      place: MailboxPlace?,
      size: UInt64?,
      identity: ContentIdentity?
    ) {
      self.uid = uid
      self.trash = trash
      self.place = place
      self.size = size
      self.identity = identity
    }
  }
}

/// A message without a file that is to go for good.
package struct PendingExpunge: Hashable, Sendable {
  /// What the server named as the copy of a message when it was asked to put one into another mailbox.
  package struct Copy: Hashable, Sendable {
    /// The UIDVALIDITY of the mailbox that it is in.
    package var validity: UInt32
    package var uid: UInt32

    package init(validity: UInt32, uid: UInt32) {
      self.validity = validity
      self.uid = uid
    }
  }

  /// Whether it is marked as deleted, and waits for the EXPUNGE that a server without UIDPLUS does not allow at any time.
  package var isFlagged: Bool
  /// The copy for which an open intent of another mailbox stands; nil where there is none, or where its UID is not known.
  ///
  /// It is certain that it was made, even if it is moved on before that mailbox has it on record.
  package var copy: Copy?
  /// What was on record of it before; nil where nothing was.
  ///
  /// Set by the state that it becomes a part of.
  package internal(set) var former: BaseRecord?

  package init(isFlagged: Bool, copy: Copy? = nil) {
    self.isFlagged = isFlagged
    self.copy = copy
  }
}
