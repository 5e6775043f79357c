package import MailModel
package import MailStore
package import Platform
package import RestorePlan

/// What happens in a restore, as it happens; mailboxes by their names for people.
package enum RestorationEvent: Sendable {
  /// Something is not restored.
  case skipped(SkippedEntry)
  /// A file is not restored.
  case file(mailbox: String, Path, FileProblem)
  /// A mailbox was made, or would be.
  case made(mailbox: String)
  /// A file would be uploaded, with that many octets.
  case planned(mailbox: String, Path, octets: UInt64)
  /// The message of a file is in the mailbox `there`, and is not uploaded.
  case elsewhere(mailbox: String, Path, there: String)
  /// So many messages were uploaded, of so many.
  case uploaded(mailbox: String, messages: Int, of: Int)
  /// Flags and keywords that files have and that the mailbox does not keep.
  case unkept(mailbox: String, SystemFlags, [[UInt8]])
  /// A file and its message differ; `isNew` says that the message was uploaded in this run.
  case difference(mailbox: String, Path, uid: UInt32?, RestoreDifference, isNew: Bool)
  /// All of a mailbox is done.
  case finished(mailbox: String, RestorationReport.Counts)
  /// Nothing, or nothing more, can be restored to a mailbox.
  case problem(mailbox: String?, SyncFailure)
  /// A step that is worth a line with -v.
  case step(String)
}
