package import MailModel

/// What is recorded without a change on either side.
package enum MailboxFact: Hashable, Sendable {
  /// File and UID are the same message, with the flags agreed on as the file is.
  case match(name: [UInt8], uid: UInt32, agreed: MessageFlags, size: UInt64?, date: Int64?)
  /// The file is that of the message, whose content is `identity`, and was written anew since: the next run takes it for a new
  /// version.
  case matchEdited(
    name: [UInt8],
    uid: UInt32,
    agreed: MessageFlags,
    size: UInt64?,
    date: Int64?,
    identity: ContentIdentity?
  )
  /// The server has the message under another UID of the same mailbox, into which it came back, while its file was moved to
  /// another one: its record goes on under that.
  case renumber(from: UInt32, to: RemoteMessage, agreed: MessageFlags)
  /// The flags are agreed on.
  case agree(uid: UInt32, flags: MessageFlags)
  /// A file was synced once and is now detached.
  case detach(name: [UInt8], uid: UInt32?)
  /// A new file is a copy of a message, and waits for what becomes of that one.
  case wait(name: [UInt8], original: RemoteReference)
}

/// A file that gets another name or place.
package enum LocalRename: Hashable, Sendable {
  /// The file shows `flags`; then the agreed ones are recorded.
  case setFlags(name: [UInt8], uid: UInt32, flags: SystemFlags, agreed: MessageFlags)
  /// A file goes into this mailbox, where the server moved its message; then the message is recorded.
  case relocate(Relocation)
}

/// A file that goes where the server moved its message.
package struct Relocation: Hashable, Sendable {
  /// The base name that it has.
  package let name: [UInt8]
  /// The id of the mailbox in whose Maildir it is.
  package let source: UInt64
  /// The message as it is recorded then, with the base name that the file gets.
  package let record: BaseRecord
  /// What the file shows then.
  package let flags: SystemFlags
  /// The record that the message has until then, which goes; nil where it has none that means anything, or one that is needed
  /// for another file.
  package let former: RemoteReference?
}

/// A file without attachments that is exchanged for the whole message.
package struct FileCompletion: Hashable, Sendable {
  /// The message.
  package let uid: UInt32
  /// The base name of its file.
  package let name: [UInt8]
  /// RFC822.SIZE of the message, in octets; nil where it is not known.
  package let size: UInt64?
}

/// A file that is removed.
package enum FileDeletion: Hashable, Sendable {
  /// Under the record's own name; then the record. Where flags or tags were changed here since both sides agreed, it waits until
  /// every mailbox that its message may have been moved to was read.
  case synced(name: [UInt8], uid: UInt32, isChanged: Bool)
  /// Of a message that the server moved, and that was fetched anew there: its former file, wherever that was moved, and the
  /// record, where there is one. What was changed of its flags here goes to the file that it has now first, and where that
  /// is gone nothing is removed.
  case superseded(
    name: [UInt8],
    uid: UInt32? = nil,
    by: Survivor,
    adding: SystemFlags = [],
    removing: SystemFlags = []
  )
}
