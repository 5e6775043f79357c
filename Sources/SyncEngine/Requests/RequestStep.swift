internal import IMAP
internal import MailModel

/// What is sent to the server for a request, in its mailbox that is open for changes.
enum RequestStep {
  /// Flags are changed.
  case store(uid: UInt32, adding: [Flag], removing: [Flag])
  /// The message goes to another mailbox, which was like the note before.
  case transfer(uid: UInt32, to: MailboxName, isTrash: Bool, AppendNote)
  /// The message goes for good: as asked, or because a copy of it is where it was to go.
  case remove(uid: UInt32)

  /// What is to be durable before, so that a later attempt finds out whether it was done; nil for nothing.
  var note: AppendNote? {
    if case .transfer(_, _, _, let note) = self { note } else { nil }
  }
}
