package import Configuration
internal import Platform
internal import SMTP
package import Spool
internal import SpoolPlan
package import Submission

/// Tells whoever looks after a machine, by mail, what could not be sent with an account that its users share.
package struct FailureMail: Sendable {
  /// A report, and the entry that it is about.
  package struct Report: Sendable {
    /// The entry, in whosever queue it is.
    package let item: QueuedItem
    /// The message, with LF line ends.
    fileprivate let message: [UInt8]
  }

  private let sender: Sender
  private let recipient: Address

  /// The mail about failures of an account; nil where nobody wants it.
  package init?(_ sender: Sender) {
    guard let address = sender.shared.reportsTo,
      let recipient = try? Address(Array(address.utf8))
    else { return nil }
    self.sender = sender
    self.recipient = recipient
  }

  /// Reports on the failed entries of a queue that nobody was told of.
  ///
  /// There is none on mail from nobody, as reports themselves are: nobody wants to hear of that.
  package func reports(of outbox: Outbox) throws(SpoolError) -> [Report] {
    var reports: [Report] = []
    for item in try outbox.items(of: [sender.name], in: [.failed]) {
      guard let content = item.content, !content.progress.isReported,
        case .send(let sending) = content.entry.action, sending.envelope.reversePath != nil,
        let stored = try? item.spool.load(item.id, in: .failed)
      else { continue }
      let report = FailureReport(
        stored,
        content.progress,
        to: sender.shared.reportsTo,
        from: sender.address
      )
      reports.append(Report(item: item, message: report.message(now: Clock.now())))
    }
    return reports
  }

  /// Puts a report into a queue; durable on return.
  package func enqueue(_ report: Report, in outbox: Outbox) throws(SpoolError) {
    let spool = outbox.spool(of: sender.name)
    try spool.prepare(user: outbox.user)
    let envelope = Envelope(from: nil, to: [Recipient(recipient)])
    try spool.enqueue(.send(Sending(envelope, messageID: nil)), message: report.message)
  }
}
