internal import Mailboxes
internal import Platform

/// Where messages of one mailbox go that are fetched.
struct DownloadTarget: Sendable {
  let mailbox: MirroredMailbox
  /// The path of its Maildir.
  let directory: Path
  /// Where they are recorded.
  let journal: SharedJournal
  /// Which of its messages may be fetched today; nil is all.
  let allowance: FetchAllowance?
  /// Takes what happens.
  let report: @Sendable (SyncEvent.Kind) -> Void

  /// Where messages of a mailbox go that is worked on.
  init(
    _ mailbox: OpenMailbox,
    _ allowance: FetchAllowance?,
    _ report: @escaping @Sendable (SyncEvent.Kind) -> Void
  ) {
    self.allowance = allowance
    self.mailbox = mailbox.mailbox
    self.report = report
    directory = mailbox.directory
    journal = SharedJournal(mailbox.journal)
  }
}
