package import Configuration
internal import Octets
internal import Platform
internal import SMTP
package import Spool
internal import SpoolPlan
package import Submission

/// Mail to the administrator of a machine about what could not be sent with an account that its users share.
package struct FailureMail: Sendable {
  /// A report, and the entries that it is about.
  package struct Report: Sendable {
    /// The entries.
    package let items: [QueuedItem]
    /// The message, with LF line ends.
    fileprivate let message: [UInt8]
  }

  /// How many failures get a report each, and how many are in a list: a user can make any number of them.
  private static let (limit, listLimit) = (3, 50)

  /// The longest report, in octets, that holds the header of the message and each of its recipients.
  private static let sizeLimit = 1 << 20

  private let sender: Sender
  private let recipient: EnvelopeAddress

  /// The mail about failures of an account; nil where the configuration asks for none.
  package init?(_ sender: Sender) {
    // They are root's own mail, which no program is given.
    if case .program = sender.server { return nil }
    guard let address = sender.shared.reportsTo,
      let recipient = try? EnvelopeAddress(Array(address.utf8))
    else { return nil }
    self.sender = sender
    self.recipient = recipient
  }

  /// Reports on the failed entries of a queue that were not reported yet.
  ///
  /// There is none on mail with an empty sender, such as reports themselves, nor on mail that is sent without a copy of it.
  package func reports(of outbox: Outbox) throws(SpoolError) -> [Report] {
    let items = try outbox.items(of: [sender.name], in: [.failed]).filter { item in
      guard let content = item.content, case .send(let sending) = content.entry.action else {
        return false
      }
      return !content.progress.isReported && !item.isSentWithoutCopy
        && sending.envelope.reversePath != nil
    }
    guard items.count <= Self.limit else {
      return [Report(items: items, message: list(items, outbox.user))]
    }
    return items.compactMap { item in
      guard let content = item.content, let stored = try? item.spool.load(item.id, in: .failed)
      else { return nil }
      let report = FailureReport(
        stored,
        content.progress,
        to: sender.shared.reportsTo,
        from: sender.address
      )
      let message = report.message(now: Clock.now())
      return Report(
        items: [item],
        message: message.count <= Self.sizeLimit ? message : list([item], outbox.user)
      )
    }
  }

  /// One message about many failures.
  private func list(_ items: [QueuedItem], _ user: UInt32) -> [UInt8] {
    let header = ReportHeader(
      from: sender.address,
      to: sender.shared.reportsTo,
      subject: Array("\(items.count) message\(items.count == 1 ? "" : "s") not sent".utf8),
      name: "\(items[0].id).\(items.count)",
      contentType: "text/plain; charset=utf-8"
    )
    let head =
      "\nMessages of user \(user) that could not be sent, and are not tried again by themselves: "
      + "\(items.count)\n\n"
    let lines = items.prefix(Self.listLimit).map { item in
      "\(item.id)  \(Printable.text(item.content?.progress.lastWords ?? [], limit: 200))\n"
    }
    let tail = "\nAll of them, as root: magnum queue list --system\n"
    return header.octets(now: Clock.now()) + Array((head + lines.joined() + tail).utf8)
  }

  /// Puts a report into a queue; durable on return.
  package func enqueue(_ report: Report, in outbox: Outbox) throws(SpoolError) {
    let spool = outbox.spool(of: sender.name)
    try spool.prepare(user: outbox.user)
    let envelope = Envelope(from: nil, to: [Recipient(recipient)])
    try spool.enqueue(.send(Sending(envelope, messageID: nil)), message: report.message)
  }
}
