package import Platform

/// Why an account cannot be handed over.
package enum ExportFailure: Error, Hashable, Sendable {
  /// It has no server, or was never synced.
  case neverSynced
  /// Another run of Magnum is at it.
  case locked
  /// What is recorded of a mailbox cannot be read.
  case unreadable(Path)
  /// Something was begun on the server, and it is not known yet what came of it: a sync finds out.
  case unfinished(mailbox: [UInt8])
  /// Messages of a mailbox are here without their attachments, which the other program would take for the messages.
  case partial(mailbox: [UInt8], messages: Int)
  /// So many messages of a mailbox lost their file, or files their message, that it may be an accident: the other program
  /// would remove them on the other side without a question.
  case losses(mailbox: [UInt8])
  /// A file has the name of another one of its folder except for what other programs write into names.
  case sameName(Path)
  /// It is not known what divides the levels of names on the server; a sync finds out.
  case unknownDelimiter
  /// Settings of single mailboxes, which the other program cannot have.
  case ownSettings(pattern: [UInt8])
  /// A call of the system failed.
  case system(SystemError)
}
