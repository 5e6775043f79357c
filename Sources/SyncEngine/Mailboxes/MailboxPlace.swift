internal import IMAP
internal import MailModel

/// What a mailbox was like right before something was put into it: nothing below its UIDNEXT is new.
struct MailboxPlace {
  var validity: UInt32
  var uidNext: UInt32

  init(validity: UInt32, uidNext: UInt32) {
    self.validity = validity
    self.uidNext = uidNext
  }

  /// What a mailbox is like now, without opening it; nil where the server does not tell.
  init?(of name: MailboxName, _ connection: Connection) throws(SyncFailure) {
    var found: (UInt32, UInt32)?
    let response = try connection.perform(.status(name, [.uidNext, .uidValidity])) { event in
      guard case .mailboxStatus(let status) = event, status.name == name,
        let validity = status.uidValidity, let uidNext = status.uidNext
      else { return }
      found = (validity, uidNext)
    }
    guard response.kind == .ok, let found else { return nil }
    (validity, uidNext) = found
  }
}
