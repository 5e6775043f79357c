internal import MailModel
package import MailStore

/// What became of a request.
package enum RequestResult: Sendable {
  /// Why a request can never be carried out as it stands.
  package enum Obstacle: Hashable, Sendable {
    /// The server has no mailbox of this decoded name.
    case noMailbox([UInt8])
    /// The server has no mailbox for removed messages, and makes none.
    case noTrash
    /// The message is in its mailbox no more, nor where it was to go.
    case gone
    /// The mailbox was numbered anew, and it cannot be told which message is meant.
    case ambiguous
    /// The server does not let the mailbox be changed.
    case readOnly
    /// The server does not keep one of the flags.
    case unkeepable
    /// The server has the only copy of it with its attachments, which is not to go for good.
    case partial
  }

  /// The server did it.
  case done
  /// It was so already: the message is gone, or where it was to go.
  case present
  /// The file shows it: the sync tells the server.
  case leftToSync
  /// The file shows something else, and the file counts.
  case superseded
  /// Folders changed while they were read, so that it is not known where the file is.
  case unsettled
  /// It was sent, and the server did not say where the message is now; the next attempt looks.
  case unnamed
  /// A server without UIDPLUS would have expunged others too that another client marks as deleted at the same time.
  case marked
  /// The server accepted the command and did not carry it out.
  case ignored(MailboxCommand)
  /// It cannot be done.
  case impossible(Obstacle)
  /// The server answered NO or BAD to the command.
  case refused(MailboxCommand, ServerReply)
  /// The server cannot be reached, or others work on the account.
  case failed(SyncFailure)
  /// It broke off in the midst, or a folder cannot be read; the next attempt finds out what was done.
  case broken(SyncFailure)
}

/// What is sent to the server for a request.
struct RequestStep {
  /// What is done with the message.
  enum Change {
    /// Flags are changed.
    case store(adding: [[UInt8]], removing: [[UInt8]])
    /// It goes to another mailbox, which was like the note before.
    case transfer(to: MailboxName, isTrash: Bool, AppendNote)
    /// It goes for good: as asked, or because a copy of it is where it was to go.
    case remove
  }

  /// The message.
  let uid: UInt32
  let mailbox: MailboxReference
  /// What is done with it.
  let change: Change

  /// What is to be durable before, so that a later attempt finds out whether it was done; nil for nothing.
  var note: AppendNote? {
    if case .transfer(_, _, let note) = change { note } else { nil }
  }
}
