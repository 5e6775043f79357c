/// Something that is to be done on a server, as the file of the spool says it: never changed once
/// it is there.
package struct Entry: Hashable, Sendable {
  /// Its name, and with it its place in the queue.
  package let id: EntryID

  /// The account that does it.
  package let account: String

  /// When it was put into the spool, in seconds since 1970.
  package let queued: Int64

  /// What is to be done.
  package let action: Action

  /// What the message behind the header must be; `nil` where the action has none.
  package let seal: MessageSeal?

  /// An entry of these parts.
  package init(
    id: EntryID,
    account: String,
    queued: Int64,
    action: Action,
    seal: MessageSeal? = nil
  ) {
    self.id = id
    self.account = account
    self.queued = queued
    self.action = action
    self.seal = seal
  }
}
