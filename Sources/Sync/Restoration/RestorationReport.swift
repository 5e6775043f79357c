package import MailModel
package import MailStore
package import Platform
package import RestorePlan

/// What a restore of a Maildir came to.
package struct RestorationReport: Sendable {
  /// What it came to in a mailbox, or in all of them.
  package struct Counts: Hashable, Sendable {
    /// Message files, those that cannot be restored not among them.
    package var messages = 0
    /// Messages that were uploaded; in a dry run those that would be.
    package var uploaded = 0
    /// Messages that the server had before.
    package var present = 0
    /// Messages that the server has in another mailbox, and that were not uploaded.
    package var elsewhere = 0
    /// Messages that the server does not have in the end.
    package var missing = 0
    /// Messages that the server has, and that this run fetched to compare all octets, or one before.
    package var proven = 0
    /// Messages that the server has with another header or other octets.
    package var altered = 0
    /// Uploaded messages that are not on the server as they were sent, and messages of before that it does not give, or that
    /// are marked as deleted there.
    package var unequal = 0
    /// Messages that the server had before with other flags, keywords or another date, which stay as they are.
    package var remarked = 0
    /// Files that cannot be restored, or that the server refused.
    package var refused = 0

    /// Nothing was looked at yet.
    package init() {}

    static func += (left: inout Counts, right: Counts) {
      left.messages += right.messages
      left.uploaded += right.uploaded
      left.present += right.present
      left.elsewhere += right.elsewhere
      left.missing += right.missing
      left.proven += right.proven
      left.altered += right.altered
      left.unequal += right.unequal
      left.remarked += right.remarked
      left.refused += right.refused
    }
  }

  /// What it came to in all mailboxes.
  package var counts = Counts()
  /// The mailboxes to which something was to be restored, and that could be.
  package var mailboxes = 0
  /// Those of them that were made, or would be.
  package var made = 0
  /// Mailboxes to which nothing could be restored.
  package var failed = 0
  /// What is no message file, or lies where none is restored.
  package var skipped = 0
  /// What ended it early; nil where nothing did.
  package var failure: SyncFailure?

  /// Nothing was restored yet.
  package init() {}

  /// Whether the server has every message of the Maildir as it was to be.
  package var isComplete: Bool {
    counts.missing == 0 && counts.unequal == 0 && counts.refused == 0 && failed == 0 && skipped == 0
      && failure == nil
  }
}

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
