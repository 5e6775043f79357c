internal import MailModel
internal import MailStore
internal import Octets
internal import SyncPlan

/// The mailbox that removed messages go to: by role, else made.
struct TrashMailbox {
  private let context: AccountContext
  private let store: any MailStore

  init(_ context: AccountContext, _ store: any MailStore) {
    self.context = context
    self.store = store
  }

  /// Its name; nil where there is none and the server does not make one.
  func name() throws(SyncFailure) -> MailboxName? {
    if let known = context.trash.name { return known }
    guard let name = try store.create(for: .trash, under: context.trash.candidates) else {
      return nil
    }
    context.report(.step("made the mailbox \(name) for removed messages"))
    context.trash.found(name)
    return name
  }

  /// What is in it now; nil where the server does not tell.
  func status() throws(SyncFailure) -> MailboxPlace? {
    guard let name = try name() else { return nil }
    return try store.place(of: name)
  }
}
