package import MailModel
internal import MailStore
package import SyncPlan

extension FolderSync {
  /// How things are afterwards.
  package struct Outcome: Sendable {
    /// Whether nothing is left undone.
    package var isComplete = true
    /// Mailboxes whose folder stands elsewhere, by id: a run must not take another folder for theirs.
    package var withheld: Set<UInt64> = []
    /// Names that a mailbox on record has by now, though that is not recorded: a run must not take it for a new one.
    package var withheldNames: Set<MailboxName> = []
    /// Whether mailboxes came while this run renamed and made others: what they hold is seen by the next run alone.
    package var hasUnseen = false
    /// What is left until the mailboxes were looked at, see `finishSteps`.
    package var deferred: [FolderStep] = []
    /// The names that mailboxes got on the server.
    var given: Set<MailboxName> = []
    /// Mailboxes that were removed from the server, and are on record still.
    var removed: Set<UInt64> = []
    /// Whether renames were looked for: if not, any mailbox may be another than it seems.
    package var isPlanned = true

    /// Whether the run may look at all mailboxes that there are.
    package var seesAll: Bool { !hasUnseen && withheld.isEmpty && withheldNames.isEmpty }

    package init(isComplete: Bool = true, isPlanned: Bool = true) {
      self.isComplete = isComplete
      self.isPlanned = isPlanned
    }

    /// Withholds a mailbox on record, and the name that it has on the server by now, if it has another.
    mutating func withhold(_ id: UInt64, as name: MailboxName?) {
      withheld.insert(id)
      if let name { withheldNames.insert(name) }
      isComplete = false
    }

    /// Withholds the mailboxes that came since renames were looked for, and those on record that others removed: the next
    /// run does.
    ///
    /// One that went may have another name by now, and what was moved out of its folder is to follow it there.
    mutating func withhold(
      _ listing: ServerListing,
      unseenIn planned: ServerListing,
      but made: Set<MailboxName>,
      _ known: [KnownMailbox]
    ) {
      let seen = planned.selectable
      let left = listing.selectable
      for mailbox in known where seen.contains(mailbox.name) && !left.contains(mailbox.name) {
        guard !removed.contains(mailbox.id) else { continue }
        withheld.insert(mailbox.id)
      }
      // A name that is no mailbox may be listed for ever, and holds nothing that could be seen.
      for mailbox in listing.mailboxes
      where mailbox.isSelectable && !made.contains(mailbox.name) && !given.contains(mailbox.name) {
        // Servers without LIST-STATUS tell it only where they are asked for it.
        let isOther = Self.isOther(planned.status(of: mailbox.name), than: mailbox.status)
        guard !seen.contains(mailbox.name) || isOther else { continue }
        withheldNames.insert(mailbox.name)
        hasUnseen = true
      }
    }

    /// Whether two answers are of two mailboxes, as far as they tell.
    private static func isOther(_ one: ServerMailbox.Status?, than other: ServerMailbox.Status?)
      -> Bool
    {
      guard let one = one?.identity, let other = other?.identity else { return false }
      if let isSame = one.sharesID(with: other) { return !isSame }
      return one.validity.differs(from: other.validity)
    }
  }
}
