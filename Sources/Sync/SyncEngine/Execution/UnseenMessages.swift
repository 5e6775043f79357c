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
    /// Whether this run failed to read it: UIDNEXT does not say then that nothing came, as servers give back old UIDs.
    let hasFailed: Bool
  }

  private let context: AccountContext
  private let store: any MailStore
  private let places: [Place]

  /// Those of the mailboxes in `listing` that are not in the group; `entries` is what is on record of all mailboxes of the account,
  /// `failed` which of them this run failed to read.
  init(
    _ context: AccountContext,
    _ store: any MailStore,
    _ listing: ServerListing,
    _ entries: [Summary.Entry],
    but group: [OpenMailbox],
    failed: Set<MailboxName>
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
        failed.contains(mailbox.name) || mailbox.status?.uidNext ?? 0 > header?.uidNext ?? 1
      else { return nil }
      return Place(
        name: mailbox.name,
        header: header,
        hasFailed: failed.contains(mailbox.name)
      )
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
    guard header.uidNext == nil || place.hasFailed else {
      return remote.view.listed.filter { !header.isBelowNext($0.uid) }
    }
    // Where UIDNEXT tells nothing, what is on record was seen.
    let state = try context.recorded(header.id)
    return remote.view.listed.filter { state?.messages.contains($0.uid) != true }
  }
}
