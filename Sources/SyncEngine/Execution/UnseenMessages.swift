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

    init(size: UInt64?, date: Int64?) {
      self.size = size
      self.date = date
    }

    /// What is on record of it; nil where nothing is.
    init(_ record: BaseRecord?) { self.init(size: record?.size, date: record?.date) }

    /// Whether the message may be it.
    func fits(_ message: RemoteMessage) -> Bool {
      Self.isEqual(size, message.size) && Self.isEqual(date, message.date)
    }

    private static func isEqual<Value: Equatable>(_ wanted: Value?, _ found: Value?) -> Bool {
      guard let wanted, let found else { return true }
      return wanted == found
    }
  }

  /// A mailbox, and the last run's word of it; nil where it has no record.
  private struct Place {
    let name: MailboxName
    let token: MailboxQuestion.Token?
  }

  private let store: any MailStore
  private let places: [Place]

  /// Those of the mailboxes in `listing` that are not in the group; `entries` is what is on record of all mailboxes of the account.
  init(
    _ context: AccountContext,
    _ store: any MailStore,
    _ listing: ServerListing,
    _ entries: [Summary.Entry],
    but group: [OpenMailbox]
  ) {
    self.store = store
    let own = Set(group.map(\.mailbox.name))
    let tokens = Dictionary(
      entries.map { (MailboxName(wire: $0.header.mailbox), $0.header.token) },
      uniquingKeysWith: { first, _ in first }
    )
    places = listing.mailboxes.compactMap { mailbox in
      let token = tokens[mailbox.name]
      guard mailbox.isSelectable, !own.contains(mailbox.name),
        context.mirrors(mailbox),
        mailbox.status?.uidNext ?? 0 > token?.uidNext ?? 1
      else { return nil }
      return Place(name: mailbox.name, token: token)
    }
  }

  /// They; nil where not all of them can be told.
  func messages() throws(SyncFailure) -> [RemoteMessage]? {
    var all: [RemoteMessage] = []
    for place in places {
      guard let messages = try messages(place) else { return nil }
      all += messages
    }
    return all
  }

  /// Those of one mailbox; nil where the server does not let it be read.
  private func messages(_ place: Place) throws(SyncFailure) -> [RemoteMessage]? {
    let remote: RemoteMailbox
    do throws(SyncFailure) {
      remote = try store.read(
        place.token.map { MailboxQuestion(place.name, since: $0) } ?? MailboxQuestion(place.name)
      )
    } catch {
      guard !error.endsConnection else { throw error }
      return nil
    }
    guard let token = place.token, remote.validity == token.validity else {
      return Array(remote.view.listed)
    }
    return remote.view.listed.filter { $0.uid >= token.uidNext }
  }
}
