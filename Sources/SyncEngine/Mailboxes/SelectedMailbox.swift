internal import IMAP
internal import MailModel

/// A mailbox that was opened beside the sync.
struct SelectedMailbox {
  /// Its name.
  let name: MailboxName
  /// Its UIDVALIDITY; 0 where the server told none.
  private(set) var validity: UInt32 = 0
  /// Its UIDNEXT; 0 where the server told none.
  private(set) var uidNext: UInt32 = 0
  /// Whether the server lets nobody change it.
  private(set) var isReadOnly = false
  /// The flags that it keeps; nil where the server did not tell, and all are kept.
  private(set) var permanentFlags: [Flag]?

  /// Opens the mailbox, for changes or to look.
  init(
    opening name: MailboxName,
    on connection: Connection,
    forChanges: Bool = true
  ) throws(SyncFailure) {
    self.name = name
    var selected: [ResponseCode] = []
    let command: Command = forChanges ? .select(name, nil) : .examine(name, nil)
    let response = try connection.perform(command) { event in
      guard case .status(let status) = event, let code = status.code else { return }
      // What is told before that is of the mailbox that was open.
      if code == .closed { selected = [] } else { selected.append(code) }
    }
    guard response.kind == .ok else {
      throw .commandRefused(command: forChanges ? "SELECT" : "EXAMINE", response)
    }
    isReadOnly = response.code == .readOnly
    for code in selected {
      switch code {
      case .uidValidity(let value): validity = value
      case .uidNext(let value): uidNext = value
      case .permanentFlags(let flags): permanentFlags = flags
      default: break
      }
    }
  }

  /// Whether the mailbox keeps the flag.
  func keeps(_ flag: Flag) -> Bool {
    flag.isKept(by: permanentFlags)
  }
}
