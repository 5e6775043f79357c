package import Configuration
internal import MailboxActions
internal import MailStore
internal import Octets
internal import Platform
internal import Spool
package import SpoolPlan
package import Submission

/// Reports to the user, by messages in the inbox, what could not be sent.
///
/// Each failed entry is reported once; the entry's log says so after the message is there, and its name keeps a repeat
/// from making a second one.
package struct FailureNotices: Sendable {
  private let configuration: Configuration
  private let outbox: Outbox

  package init(_ configuration: Configuration, _ outbox: Outbox) {
    self.configuration = configuration
    self.outbox = outbox
  }

  /// Reports all failed entries of an account that were not reported; what cannot be reported now is left for later.
  package func deliver(of account: String) {
    let items = (try? outbox.items(of: [account], in: [.failed])) ?? []
    deliver(items, of: account)
  }

  /// Reports those of these entries that failed and were not reported.
  ///
  /// What lies among the failed ones for long is not read for each message that is sent.
  package func deliver(_ ids: [EntryID], of account: String) {
    let items = ids.compactMap { try? outbox.item($0, of: [account]) }
    deliver(items.filter { $0.state == .failed }, of: account)
  }

  private func deliver(_ items: [QueuedItem], of account: String) {
    guard let account = configuration.account(named: account) else { return }
    for item in items where item.content?.progress.isReported == false {
      guard deliver(item, account) else { return }
    }
  }

  /// Whether the next one can be reported as well.
  private func deliver(_ item: QueuedItem, _ account: Account) -> Bool {
    guard let content = item.content, let stored = try? item.spool.load(item.id, in: .failed)
    else { return true }
    let sender = configuration.sender(named: account.name)
    let report = FailureReport(stored, content.progress, to: sender?.address ?? account.address)
    let name = "\(item.id).\(content.progress.retries)"
    let notice = InboxNotice(report.message(now: Clock.now()), name: Array(name.utf8))
    do throws(SyncFailure) {
      guard try notice.deliver(to: account) else { return false }
    } catch {
      return false
    }
    try? outbox.noteReported(item)
    return true
  }
}

/// What is said of a message that is sent, and of which the server keeps no copy.
package enum UncopiedWords {
  /// That it is sent, and why there is no copy.
  package static func text(_ words: [UInt8]?) -> String {
    "sent; no copy kept" + (words.map { ": \(Printable.text($0))" } ?? "")
  }

  /// What can be done about the copy.
  package static func hint(_ id: EntryID) -> String {
    "the message is kept: magnum queue retry \(id), or discard"
  }

  /// How many there are.
  package static func count(_ count: Int) -> String {
    "\(count) sent; no cop\(count == 1 ? "y" : "ies") kept"
  }
}

extension QueuedItem {
  /// Whether its message is sent, and only the copy of it was refused.
  package var isSentWithoutCopy: Bool {
    state == .failed && content?.progress.isSentWithoutCopy == true
  }

  /// The same, and no person was shown that.
  package var isUnseenWithoutCopy: Bool {
    isSentWithoutCopy && content?.progress.isSeen == false
  }
}
