package import MailModel
package import SyncPlan

/// What a mailbox was like right before something was put into it: nothing below its UIDNEXT is new.
package struct MailboxPlace: Hashable, Sendable {
  /// Its UIDVALIDITY.
  package var validity: UInt32
  /// Its UIDNEXT.
  package var uidNext: UInt32

  /// A place from its parts.
  package init(validity: UInt32, uidNext: UInt32) {
    self.validity = validity
    self.uidNext = uidNext
  }

  /// What the server told of a mailbox; nil where that is not enough.
  package init?(_ status: ServerMailbox.Status) {
    guard status.identity.validity > 0, let uidNext = status.uidNext else { return nil }
    self.init(validity: status.identity.validity, uidNext: uidNext)
  }
}

extension MailStore {
  /// What a mailbox is like now, without opening it; nil where the server does not tell.
  package func place(of name: MailboxName) throws(SyncFailure) -> MailboxPlace? {
    try status(of: [name])[name].flatMap { MailboxPlace($0) }
  }
}
