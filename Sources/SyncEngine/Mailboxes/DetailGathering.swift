internal import IMAP
internal import Octets
internal import Platform
internal import SyncPlan

/// Looks closer at files and messages where the planner could take one for another: before it is planned,
/// and only where there is a choice.
struct DetailGathering {
  /// Headers of messages whose size differs more than this from all new files are not fetched.
  private static let headerAllowance: UInt64 = 32 << 10

  private let context: AccountContext
  private let session: MailboxSession

  private let group: [OpenMailbox]
  private let departed: Set<Mark>

  init(_ context: AccountContext, _ session: MailboxSession, _ group: [OpenMailbox]) {
    self.context = context
    self.session = session
    self.group = group
    departed = Self.departed(group)
  }

  /// Reads what is needed of one mailbox of the group.
  func gather(_ mailbox: OpenMailbox) throws(SyncFailure) {
    if context.policy.pushes { try readAdditions(mailbox) }
    try readHeaders(mailbox)
  }

  /// The content of new files, where messages are without a file or the server has new ones.
  private func readAdditions(_ mailbox: OpenMailbox) throws(SyncFailure) {
    let additions = mailbox.additions
    guard !additions.isEmpty else { return }
    // In Sent a client may have left a copy of what is there already.
    let isChoice =
      group.contains { !$0.fileless.isEmpty } || !mailbox.unknown.isEmpty
      || mailbox.mailbox.role == .sent
    guard isChoice else { return }
    for name in additions { _ = try mailbox.content(of: name) }
  }

  private func readHeaders(_ mailbox: OpenMailbox) throws(SyncFailure) {
    let unknown = mailbox.unknown
    guard !unknown.isEmpty else { return }
    let sizes = mailbox.contents.values.map(\.wireSize)
    let wanted = unknown.filter { message in
      guard let size = message.size else { return false }
      if mayHaveMoved(message) { return true }
      return sizes.contains { $0.distance(to: size).magnitude <= Self.headerAllowance }
    }
    guard !wanted.isEmpty else { return }
    try session.open(mailbox)
    let facts = try ContentQueries(session.connection).headers(wanted.map(\.uid))
    for message in wanted {
      guard let header = facts[message.uid], let size = message.size else { continue }
      let bodySize = size - min(size, header.size)
      mailbox.keys[message.uid] = ContentKey(messageID: header.messageID, bodySize: bodySize)
    }
    try readNameless(wanted, mailbox)
  }

  /// What has no Message-ID is known by its content alone.
  private func readNameless(
    _ messages: [RemoteMessage],
    _ mailbox: OpenMailbox
  ) throws(SyncFailure) {
    let nameless = messages.filter { mailbox.keys[$0.uid]?.messageID == 0 && mayHaveMoved($0) }
    guard !nameless.isEmpty else { return }
    mailbox.identities = try ContentQueries(session.connection).contents(nameless.map(\.uid))
  }

  /// Whether a message of that size and date is gone from some mailbox.
  private func mayHaveMoved(_ message: RemoteMessage) -> Bool {
    guard let size = message.size, let date = message.date else { return false }
    return departed.contains(Mark(size: size, date: date))
  }

  private struct Mark: Hashable {
    let size: UInt64
    let date: Int64
  }

  /// Size and date of the messages that are gone from some mailbox of the group.
  private static func departed(_ group: [OpenMailbox]) -> Set<Mark> {
    var marks: Set<Mark> = []
    for mailbox in group {
      let remote = RemoteIndex(mailbox.remote.view)
      for record in mailbox.state.messages.values where remote.isGone(record.uid) {
        marks.insert(Mark(size: record.size, date: record.date))
      }
    }
    return marks
  }
}
