package import IMAP

/// What became of a request.
package enum RequestOutcome: Sendable {
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
    /// The server lets nobody change the mailbox.
    case readOnly
    /// The server does not keep one of the flags.
    case unkeepable
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
  /// The message is marked as deleted; a server without UIDPLUS could only expunge others with it that
  /// somebody else marked.
  case marked
  /// It cannot be done.
  case impossible(Obstacle)
  /// The server answered NO or BAD to the command.
  case refused(command: String, StatusResponse)
  /// It is not known, or nothing could be done; the next attempt finds out.
  case failed(SyncFailure)
}
