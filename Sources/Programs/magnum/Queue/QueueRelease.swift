internal import Agents
internal import CommandLine
internal import Configuration
internal import Correspondence
internal import MailModel
internal import Octets
internal import Platform
internal import SMTP
internal import Spool
internal import SpoolPlan
internal import Submission

/// The release of what an agent wrote: a person at a terminal is shown it, and asked about each entry.
struct QueueRelease {
  private let queue: QueueContext
  private let outbox: Outbox

  init(_ queue: QueueContext, _ outbox: Outbox) {
    (self.queue, self.outbox) = (queue, outbox)
  }

  /// Why an entry is not released, as the status that says so; nil for those of people, and where the person said yes.
  func refusal(_ item: QueuedItem) throws(SpoolError) -> ExitStatus? {
    // What it says counts, whatever its log is like.
    guard item.state == .hold,
      let agent = try Self.agent(of: item)
    else { return nil }
    let approval = AgentApproval(of: agent, queue.command)
    guard approval.isPossible else {
      return report(
        item,
        .usage,
        "an agent wrote it: it is released from a terminal only",
        hint: "magnum queue show \(item.id) shows it"
      )
    }
    guard let stored = try item.spool.load(item.id, in: item.state), let message = stored.message,
      case .send(let sending) = stored.entry.action
    else { throw .noEntry(item.id) }
    let addresses = sending.envelope.recipients.map(\.address.octets)
    do throws(Explanation) {
      let isApproved = try approval.ask(
        "release \(item.id)?",
        about: message,
        to: addresses,
        try? queue.command.configuration()
      )
      return isApproved ? nil : report(item, .partial, "not released: it stays held")
    } catch {
      return queue.command.report(error)
    }
  }

  /// Releases an entry that nothing speaks against.
  func release(_ item: QueuedItem) throws(SpoolError) {
    guard let agent = try Self.agent(of: item) else { return try outbox.release(item) }
    try outbox.release(item, isApproved: true)
    // The agent is told what became of it; a record that cannot be written keeps no message from being sent.
    let name = String(decoding: agent, as: UTF8.self)
    guard outbox.user == UserIdentity.effective, PlainName.objection(to: name) == nil else {
      return
    }
    let record = AgentRecord(of: name)
    try? record.addRelease(of: item.id)
    guard let origin = record.origin(of: item.id),
      let configuration = try? queue.command.configuration()
    else { return }
    OriginalMark(configuration, report: { [command = queue.command] in command.report($0) })
      .set(origin)
  }

  private static func agent(of item: QueuedItem) throws(SpoolError) -> [UInt8]? {
    if let content = item.content { return content.entry.action.agent }
    return (try? item.spool.header(of: item.id, in: item.state))?.action.agent
  }

  private func report(
    _ item: QueuedItem,
    _ status: ExitStatus,
    _ words: String,
    hint: String? = nil
  ) -> ExitStatus {
    queue.command.report(place: "\(item.id)", words, hint: hint)
    return status
  }
}
