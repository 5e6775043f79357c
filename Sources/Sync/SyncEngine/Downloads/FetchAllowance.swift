package import Mailboxes
internal import MailModel
internal import SyncPlan
package import SyncState

/// Which messages of a mailbox may be fetched today, where the account limits what is fetched in a day.
package struct FetchAllowance: Sendable {
  let meter: FetchMeter
  /// The lowest UID of the messages that are outside of the limit; nil where none is.
  private let firstNew: UInt32?

  /// The allowance of a mailbox before anything of it is fetched; nil where the account has no limit.
  ///
  /// Outside of it is what came to INBOX since it was looked at last. Messages are fetched with the newest first: so those above
  /// all that are here are new, also while older ones wait for another day.
  package init?(_ meter: FetchMeter?, _ mailbox: OpenMailbox) {
    guard let meter else { return nil }
    self.meter = meter
    firstNew = mailbox.mailbox.name.isInbox ? Self.firstNew(mailbox.state) : nil
  }

  private static func firstNew(_ state: MailboxState) -> UInt32? {
    let known = state.messages.highestUID.map { $0 == .max ? $0 : $0 + 1 }
    return [known, state.header.uidNext].compactMap { $0 }.max()
  }

  /// Whether the message of that UID counts.
  func counts(_ uid: UInt32) -> Bool { firstNew.map { uid < $0 } ?? true }
}
