internal import MailModel
internal import MailStore
internal import Mailboxes
import Octets
internal import SyncPlan
internal import SyncState

/// What the server has in mailboxes of the account that are not planned now, and that no run has seen: one could not be read,
/// or takes no part in this run.
struct UnseenMessages {
  /// A mailbox, and the last run's word of it; nil where it has no record.
  private struct Place {
    let name: MailboxName
    let header: MailboxHeader?
  }

  private let context: AccountContext
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
    self.context = context
    self.store = store
    let own = Set(group.map(\.mailbox.name))
    let headers = Dictionary(
      first: entries.map { (MailboxName(wire: $0.header.mailbox), $0.header) }
    )
    places = listing.mailboxes.compactMap { mailbox in
      let header = headers[mailbox.name]
      guard mailbox.isSelectable, !own.contains(mailbox.name),
        context.mirrors(mailbox),
        mailbox.status?.uidNext ?? 0 > header?.uidNext ?? 1
      else { return nil }
      return Place(name: mailbox.name, header: header)
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
        place.header.map { MailboxQuestion(place.name, since: $0.token) }
          ?? MailboxQuestion(place.name)
      )
    } catch {
      guard !error.endsConnection else { throw error }
      return nil
    }
    guard let header = place.header, remote.validity == header.validity else {
      return Array(remote.view.listed)
    }
    guard header.uidNext == nil else {
      return remote.view.listed.filter { !header.isBelowNext($0.uid) }
    }
    // Where the last run was told of no UIDNEXT, what is on record was seen.
    let state = try context.recorded(header.id)
    return remote.view.listed.filter { state?.messages.contains($0.uid) != true }
  }
}
