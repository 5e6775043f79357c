internal import MailModel
internal import MailStore
internal import Mailboxes
internal import SyncEvents
internal import SyncPlan
internal import SyncState

/// What the server has in mailboxes of the account that are not planned now, and that no run has seen: one could not be read,
/// or takes no part in this run.
struct UnseenMessages {
  /// What is known of a message that may be among them; nil where it is not known.
  struct Wanted {
    let size: UInt64?
    let date: Int64?

    /// Whether the message may be it.
    func fits(_ message: RemoteMessage) -> Bool {
      Self.isEqual(size, message.size) && Self.isEqual(date, message.date)
    }

    private static func isEqual<Value: Equatable>(_ wanted: Value?, _ found: Value?) -> Bool {
      guard let wanted, let found else { return true }
      return wanted == found
    }
  }

  private let store: any MailStore
  private let entries: [Summary.Entry]

  /// Those of the mailboxes on record that are not in the group.
  init(
    _ context: AccountContext,
    _ store: any MailStore,
    _ entries: [Summary.Entry],
    but group: [OpenMailbox]
  ) {
    self.store = store
    let own = Set(group.map(\.mailbox.id))
    let listed = context.facts.listed
    self.entries = entries.filter { entry in
      let header = entry.header
      return !own.contains(header.id)
        && listed[MailboxName(wire: header.mailbox), default: 0] > header.uidNext
        && context.mirrors(entry)
    }
  }

  /// They; nil where not all of them can be told.
  func messages() throws(SyncFailure) -> [RemoteMessage]? {
    var all: [RemoteMessage] = []
    for entry in entries {
      guard let messages = try messages(entry) else { return nil }
      all += messages
    }
    return all
  }

  /// Those of one mailbox; nil where the server does not let it be read.
  private func messages(_ entry: Summary.Entry) throws(SyncFailure) -> [RemoteMessage]? {
    let header = entry.header
    let remote: RemoteMailbox
    do throws(SyncFailure) {
      let name = MailboxName(wire: header.mailbox)
      remote = try store.read(MailboxQuestion(name, since: header.token))
    } catch {
      guard !error.endsConnection else { throw error }
      return nil
    }
    let first = remote.validity == header.validity ? header.uidNext : 1
    return remote.view.listed.filter { $0.uid >= first }
  }
}
