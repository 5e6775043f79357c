package import MailModel
package import SyncPlan

extension MailStore {
  /// What a mailbox is like now, without opening it; nil where the server does not tell.
  package func place(of name: MailboxName) throws(SyncFailure) -> MailboxPlace? {
    try status(of: [name])[name].flatMap { MailboxPlace($0) }
  }
}
