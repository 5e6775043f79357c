package import MailModel
package import SyncPlan

/// The mailboxes of a server, in its order, with what it told of each.
package struct ServerListing: Sendable {
  /// The mailboxes.
  package private(set) var mailboxes: [ServerMailbox]
  private let places: [MailboxName: Int]

  /// A list; of two mailboxes of one name the first counts where it is asked for by name.
  package init(_ mailboxes: [ServerMailbox] = []) {
    self.mailboxes = mailboxes
    places = Dictionary(
      mailboxes.enumerated().map { ($1.name, $0) },
      uniquingKeysWith: { first, _ in first }
    )
  }

  /// The mailbox of that name; nil where there is none.
  package subscript(_ name: MailboxName) -> ServerMailbox? {
    places[name].map { mailboxes[$0] }
  }

  /// What was told of the mailbox of that name; nil where nothing was.
  package func status(of name: MailboxName) -> ServerMailbox.Status? { self[name]?.status }

  /// Notes what the server told of mailboxes; of those that are not listed nothing is noted.
  package mutating func note(_ status: [MailboxName: ServerMailbox.Status]) {
    for (name, status) in status {
      if let place = places[name] { mailboxes[place].status = status }
    }
  }

  /// The names of those that can hold messages.
  package var selectable: Set<MailboxName> {
    Set(mailboxes.lazy.filter(\.isSelectable).map(\.name))
  }
}
