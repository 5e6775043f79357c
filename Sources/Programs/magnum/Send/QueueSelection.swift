internal import MailModel
internal import Configuration
internal import Outgoing
internal import Sendmail
internal import Spool
internal import Submission

/// The accounts whose queues a request is about: the one of `--account`, else all.
struct QueueSelection {
  /// The one account; nil for all.
  private let account: String?

  /// - Throws: an account that is not configured and has no queue either.
  init(
    _ request: SendmailRequest,
    _ configuration: Configuration,
    _ outboxes: [Outbox]
  ) throws(Explanation) {
    account = request.account.map { String(decoding: $0, as: UTF8.self) }
    guard let account, !AccountFlush.isPossible(account, configuration) else { return }
    if outboxes.contains(where: { (try? $0.spool(of: account).exists()) ?? false }) { return }
    throw Explanation(unknownAccount: account, known: configuration.senders.map(\.name))
  }

  /// The names of the accounts; nil for all.
  var names: [String]? { account.map { [$0] } }

  func contains(_ name: String) -> Bool { account.map { $0.utf8.elementsEqual(name.utf8) } ?? true }
}
