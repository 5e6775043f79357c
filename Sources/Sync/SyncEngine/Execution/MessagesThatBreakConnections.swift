internal import MailStore
internal import Mailboxes
internal import Platform
internal import SyncPlan

/// A message that is fetched, by its mailbox and UID.
struct FetchedMessage: Hashable {
  let mailbox: UInt64
  let uid: UInt32
}

/// Messages over which connections broke in this run: they come behind all others, each alone.
struct MessagesThatBreakConnections {
  /// Those that are to be tried once more.
  private(set) var open: [FetchedMessage] = []
  /// Those that are left to the next run.
  private(set) var givenUp: [FetchedMessage] = []

  /// Those of what is to be fetched in these mailboxes, `settled` left out.
  init(_ context: AccountContext, _ mailboxes: [OpenMailbox], but settled: [UInt64: Set<UInt32>]) {
    let attempts = context.fetches.withLock { $0 }
    guard attempts.hasSuspects else { return }
    for mailbox in mailboxes {
      let id = mailbox.mailbox.id
      for message in mailbox.remainingPlan.downloads.messages {
        let message = FetchedMessage(mailbox: id, uid: message.uid)
        guard attempts.isSuspect(message), settled[id]?.contains(message.uid) != true else {
          continue
        }
        if attempts.isGivenUp(message) { givenUp.append(message) } else { open.append(message) }
      }
    }
  }

  /// All of them.
  var all: [FetchedMessage] { open + givenUp }
}
