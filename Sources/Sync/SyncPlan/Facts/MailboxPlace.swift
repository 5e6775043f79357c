internal import MailModel

/// What a mailbox was like right before something was put into it: nothing below its UIDNEXT is new.
package struct MailboxPlace: Hashable, Sendable {
  /// Its UIDVALIDITY.
  package var validity: UInt32
  /// Its UIDNEXT.
  package var uidNext: UInt32

  package init(validity: UInt32, uidNext: UInt32) {
    self.validity = validity
    self.uidNext = uidNext
  }

  /// What the server told of a mailbox; nil where that is not enough.
  package init?(_ status: ServerMailbox.Status) {
    guard let validity = status.identity.validity, let uidNext = status.uidNext else { return nil }
    self.init(validity: validity, uidNext: uidNext)
  }
}

/// A file and the mailbox in whose Maildir it lies.
struct Place: Hashable {
  let mailbox: UInt64
  let file: LocalFile
}

/// A message of one of the mailboxes that are planned together.
package struct RemoteReference: Hashable, Comparable, Sendable {
  /// The mailbox's own id.
  package let mailbox: UInt64
  package let uid: UInt32

  package init(mailbox: UInt64, uid: UInt32) {
    (self.mailbox, self.uid) = (mailbox, uid)
  }

  package static func < (first: Self, second: Self) -> Bool {
    (first.mailbox, first.uid) < (second.mailbox, second.uid)
  }
}
