package import MailStore

/// What became of a message that was to be put into a mailbox.
package enum AppendOutcome: Sendable {
  /// The server took it, into the mailbox of this decoded name.
  case appended([UInt8])
  /// It is in the mailbox of this decoded name already.
  case present([UInt8])
  /// A file of the same message lies in the mailbox's folder: the sync uploads that one.
  case leftToSync
  /// The server keeps what it sends by itself.
  case keptByServer
  /// There is no such mailbox.
  case noMailbox
  /// IMAP cannot carry it, or the server takes none of its size.
  case unfit(FileProblem)
  /// The server answered NO or BAD to APPEND, with its words.
  case refused(ServerReply)
  /// The server cannot be reached, or others work on the account.
  case failed(SyncFailure)
  /// It broke off in the midst; the next attempt finds out what was done.
  case broken(SyncFailure)
}
