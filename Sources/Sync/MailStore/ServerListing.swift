package import MailModel
import Octets
package import SyncPlan

/// The mailboxes of a server, in its order, with what it told of each.
package struct ServerListing: Sendable {
  package private(set) var mailboxes: [ServerMailbox]
  /// What mailboxes are called here.
  package let names: MailboxNames
  /// What they were called in the last run.
  package let formerNames: MailboxNames
  /// The mailbox in which mail arrives.
  package private(set) var arrivals = MailboxName(wire: Array("INBOX".utf8))
  private let places: [MailboxName: Int]

  /// A list; of two mailboxes of one name the first counts where it is asked for by name.
  ///
  /// - Parameters:
  ///   - mailboxes: what the server lists, by its own names.
  ///   - namespaces: what these names begin with; nil where the server does not say.
  ///   - rules: what the mailboxes are called here.
  package init(
    _ mailboxes: [ServerMailbox] = [],
    namespaces: ServerNamespaces? = nil,
    rules: NamingRules = .plain
  ) {
    let (now, former) = rules.names(
      of: mailboxes,
      prefix: namespaces?.personal ?? [],
      others: namespaces?.others ?? []
    )
    (names, formerNames) = (now, former)
    self.mailboxes =
      now.prefix.isEmpty && now.folders.isEmpty ? mailboxes : mailboxes.map { $0.named(by: now) }
    places = Dictionary(first: mailboxes.enumerated().map { ($1.name, $0) })
  }

  /// The list with these mailboxes in place of all of `listing`, in which mail arrives in `arrivals`; they are called the same.
  package init(_ mailboxes: [ServerMailbox], of listing: ServerListing, arrivals: MailboxName) {
    (names, formerNames) = (listing.names, listing.formerNames)
    self.mailboxes = mailboxes
    self.arrivals = arrivals
    places = Dictionary(first: mailboxes.enumerated().map { ($1.name, $0) })
  }

  /// The mailbox of that name; nil where there is none.
  package subscript(_ name: MailboxName) -> ServerMailbox? {
    places[name].map { mailboxes[$0] }
  }

  /// What was told of the mailbox of that name; nil where nothing was.
  package func status(of name: MailboxName) -> ServerMailbox.Status? { self[name]?.status }

  /// Records the status of mailboxes; mailboxes that are not listed are ignored.
  package mutating func recordStatus(_ status: [MailboxName: ServerMailbox.Status]) {
    for (name, status) in status {
      if let place = places[name] { mailboxes[place].status = status }
    }
  }

  /// The names of those that can hold messages.
  package var selectable: Set<MailboxName> {
    Set(mailboxes.lazy.filter(\.isSelectable).map(\.name))
  }
}

/// What the names of a server's mailboxes begin with, as it stands on the wire.
package struct ServerNamespaces: Hashable, Sendable {
  /// The prefix of the user's own mailboxes; empty where they have none.
  package var personal: [UInt8]
  /// The prefixes of the mailboxes of other users, and of shared ones.
  package var others: [[UInt8]]

  package init(personal: [UInt8], others: [[UInt8]] = []) {
    self.personal = personal
    self.others = others
  }
}
