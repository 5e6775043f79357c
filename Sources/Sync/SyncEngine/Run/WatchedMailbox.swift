internal import MailModel
internal import MailStore
internal import SyncPlan

/// The mailbox in which changes are waited for between syncs, and how it looked when something was last known of it.
///
/// Counts alone prove nothing: they are compared only to find out whether something may have changed between the list that a
/// sync began with and the moment from which the server tells of changes.
struct WatchedMailbox {
  static let inbox = MailboxName(wire: Array("INBOX".utf8))

  let name: MailboxName

  /// How a mailbox looks from outside.
  struct Look: Hashable {
    let validity: UInt32?
    let uidNext: UInt32?
    let modSequence: UInt64?
    let messages: UInt32
  }

  /// Whether changes in it are told since it was last looked at, without anything else being asked.
  private(set) var isOpen = false

  private var listed: Look?
  private var opened: Look?

  /// A mailbox of which nothing is known yet.
  init(_ name: MailboxName = Self.inbox) {
    self.name = name
  }

  /// A sync begins with that list.
  mutating func recordListing(_ listing: ServerListing) {
    listed = listing.status(of: name).flatMap { Look($0) }
  }

  /// It was opened; tells whether something may have happened there that no sync has seen.
  ///
  /// Where it looks as it did when it was opened before, a sync came between that saw nothing to do, whatever the list says.
  mutating func isChanged(_ mailbox: RemoteMailbox) -> Bool {
    let look = Look(mailbox)
    defer { opened = look }
    isOpen = true
    return look != listed && look != opened
  }

  /// It cannot be opened: nothing is reported of it.
  mutating func fail() {
    isOpen = true
  }

  /// It is no longer reported.
  mutating func forget() {
    isOpen = false
  }
}

extension WatchedMailbox.Look {
  fileprivate init?(_ status: ServerMailbox.Status) {
    guard let uidNext = status.uidNext, let messages = status.messages else { return nil }
    self.init(
      validity: status.identity.validity,
      uidNext: uidNext,
      modSequence: status.modSequence,
      messages: messages
    )
  }

  fileprivate init(_ mailbox: RemoteMailbox) {
    self.init(
      validity: mailbox.validity,
      uidNext: mailbox.uidNext,
      modSequence: mailbox.modSequence,
      messages: mailbox.exists
    )
  }
}
