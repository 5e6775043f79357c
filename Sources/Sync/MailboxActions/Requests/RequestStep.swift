internal import MailModel
internal import MailStore

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
