internal import MailModel
package import MailStore
internal import Maildir
import Octets
internal import SyncPlan
internal import SyncState

/// Lists messages from before the account's window in mailboxes that are seen together: those that may be gone from another
/// one of them.
///
/// Mail that is here stays, however old it becomes. If the server moved such a message, it no longer lists it, since it is too
/// old to be new. Then its file would be removed here, or uploaded again.
package struct OutOfWindowListing {
  /// With more spans of days than this all messages are listed.
  private static let largestNumber = 20
  private static let day: Int64 = 86400

  private let context: MailboxContext
  private let store: any MailStore
  private let spans: [Range<Int64>]

  /// Those that may be gone from mailboxes of the group, which were just opened.
  package init(_ context: MailboxContext, _ store: any MailStore, _ group: [OpenMailbox]) {
    self.context = context
    self.store = store
    let isWindowed = group.contains(where: \.remote.isWindowed)
    spans = context.fetchSince.map { isWindowed ? Self.spans(group, before: $0) : [] } ?? []
  }

  /// Has the server list those of one mailbox of the group, unless it listed all that are new there.
  package func list(in mailbox: OpenMailbox) throws(SyncFailure) {
    guard SyncRule.oldMail.isOn, mailbox.remote.isWindowed, !spans.isEmpty else { return }
    let isMany = spans.count > Self.largestNumber
    var question = MailboxQuestion(
      mailbox.mailbox.name,
      known: mailbox.state.messages.keys,
      firstDay: isMany ? nil : context.fetchSince
    )
    question.earlier = spans
    question.leaving = Array(mailbox.state.pendingExpunges.keys)
    let (known, remote) = (mailbox.state.header.identity, try store.read(question))
    guard known.sharesUIDs(with: remote.identity) else {
      throw .mailbox(.identityChanged(from: known, to: remote.identity))
    }
    mailbox.adoptListing(remote)
  }

  /// The dates of files whose messages a run fetched that was killed before it recorded them: they may be in another mailbox.
  private static func unrecorded(_ group: [OpenMailbox]) -> [Int64] {
    let sources = group.keyed(by: \.mailbox.id)
    return group.flatMap(\.additions).compactMap { name in
      guard let own = name.withUnsafeBytes({ OwnName($0) }),
        sources[own.key.mailbox]?.state.isUnseen(own.key) == true
      else { return nil }
      return own.date
    }
  }

  /// The days of old messages that are gone, one more on either side since the server's days are those of some zone, ascending.
  private static func spans(_ group: [OpenMailbox], before first: Int64) -> [Range<Int64>] {
    let gone = group.flatMap { $0.gone + $0.formerRecords }.compactMap(\.date)
    let dates = gone + unrecorded(group)
    let days = Set(dates.filter { $0 < first + 2 * day }.map { $0 - ($0 % day + day) % day })
    return days.sorted().reduce(into: []) { spans, start in
      let span = start - day..<start + 2 * day
      guard let last = spans.last, last.upperBound >= span.lowerBound else {
        return spans.append(span)
      }
      spans[spans.count - 1] = last.lowerBound..<span.upperBound
    }
  }
}
