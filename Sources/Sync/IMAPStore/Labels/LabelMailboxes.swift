internal import MailModel
internal import MailStore
internal import Octets
internal import SyncPlan

/// The mailboxes of a server with labels that together hold each message once, and how many messages each label has.
struct LabelMailboxes {
  /// That of all mail.
  let all: MailboxName
  /// Trash.
  let trash: MailboxName
  /// The one to which drafts are sent: that of the server's label for them, where it is shown.
  let drafts: MailboxName
  /// How labels are spelled there, by their tags.
  let spellings: [[UInt8]: [UInt8]]
  /// The three mailboxes; the one of all mail has the role of an archive, and mail arrives there.
  let listing: ServerListing
  /// The number of messages with a tag, as the mailboxes of labels tell it; none where two labels are one tag.
  let counts: [[UInt8]: Int]
  /// Changes with what the server tells of the mailboxes of labels.
  let digest: UInt64

  /// - Parameters:
  ///   - listing: all mailboxes of the server.
  ///   - isWanted: whether the labels of messages may have changed although All Mail looks as before, by the digest.
  /// - Throws: `labels` where one of the three is hidden.
  init(_ listing: ServerListing, isWanted: (UInt64) -> Bool) throws(SyncFailure) {
    let roles: [MailboxRole] = [.all, .trash, .junk]
    let found = roles.map { role in
      listing.mailboxes.first { $0.isSelectable && $0.attributedRole == role }
    }
    let hidden = zip(roles, found).filter { $1 == nil }.map(\.0)
    var mailboxes = found.compactMap(\.self)
    guard hidden.isEmpty, let first = mailboxes.first else { throw .labels(.hidden(hidden)) }
    let labels = listing.mailboxes.filter { mailbox in
      !mailboxes.contains { $0.name == mailbox.name }
    }
    all = first.name
    trash = mailboxes[1].name
    drafts =
      listing.mailboxes.first { $0.isSelectable && $0.attributedRole == .drafts }?.name
      ?? first.name
    spellings = Self.spellings(labels, all: first.name)
    counts = Self.counts(labels, all: first.name)
    digest = Self.digest(labels)
    mailboxes[0] = first.holding(.archive, arrivals: TagName.inbox)
    // What STATUS tells of it need not change with a label.
    if isWanted(digest) { mailboxes[0].status = first.status?.withoutModSequence }
    self.listing = ServerListing(mailboxes, of: listing, arrivals: all)
  }

  private static func digest(_ labels: [ServerMailbox]) -> UInt64 {
    var hash = Hash64()
    for mailbox in labels {
      guard let status = mailbox.status, let messages = status.messages else { continue }
      hash.update(mailbox.name.wire)
      hash.update(UInt64(messages))
      hash.update(UInt64(status.uidNext ?? 0))
    }
    return hash.value
  }

  private static func spellings(
    _ labels: [ServerMailbox],
    all: MailboxName
  ) -> [[UInt8]: [UInt8]] {
    Dictionary(
      first: labels.compactMap { mailbox in
        guard let label = mailbox.label(besides: all),
          case .tag(let tag) = LabelMeaning(label: label)
        else { return nil }
        return (tag, label)
      }
    )
  }

  private static func counts(_ labels: [ServerMailbox], all: MailboxName) -> [[UInt8]: Int] {
    var counts: [[UInt8]: Int] = [:]
    var seen: Set<[UInt8]> = []
    for mailbox in labels {
      guard let messages = mailbox.status?.messages, let label = mailbox.label(besides: all),
        case .tag(let tag) = LabelMeaning(label: label)
      else { continue }
      counts[tag] = seen.insert(tag).inserted ? Int(messages) : nil
    }
    return counts
  }
}

extension ServerMailbox.Status {
  fileprivate var withoutModSequence: Self {
    Self(identity: identity, uidNext: uidNext, messages: messages)
  }
}
