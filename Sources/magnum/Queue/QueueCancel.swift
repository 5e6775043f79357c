internal import CommandLine
internal import Configuration
internal import Correspondence
internal import Octets
internal import Platform
internal import Spool
internal import SpoolPlan
internal import Submission
internal import Terminal

/// `magnum queue cancel`: a message that is not sent yet becomes a draft again.
struct QueueCancel {
  private let queue: QueueContext

  static var command: CommandDefinition {
    CommandDefinition(
      "cancel",
      abstract: "Take messages that are not sent yet out of the queue, back to the drafts.",
      initial: NoOptions(),
      globals: [.config, .account, .json, .quiet],
      options: [],
      operands: .many("entry", minimum: 1, completion: .names(.entries)),
      run: { _, command in
        QueueContext.run(command) { (queue) throws(SpoolError) in
          try QueueCancel(queue: queue).run()
        }
      }
    )
  }

  private func run() throws(SpoolError) -> ExitStatus {
    guard let configuration = queue.configuration() else { return .configuration }
    var statuses: [ExitStatus] = []
    for name in queue.command.operands {
      statuses.append(
        try queue.with(name) { (outbox, item) throws(SpoolError) in
          try cancel(item, outbox, configuration)
        }
      )
    }
    return ExitStatus.gravest(of: statuses)
  }

  private func cancel(
    _ item: QueuedItem,
    _ outbox: Outbox,
    _ configuration: Configuration
  ) throws(SpoolError) -> ExitStatus {
    let place = "\(item.id)"
    guard let account = configuration.account(named: item.spool.account) else {
      queue.command.report(
        place: place,
        "the account has no maildir for drafts",
        hint: "magnum queue discard takes it out of the queue"
      )
      return .partial
    }
    var path: Path?
    var problem: Explanation?
    do throws(SpoolError) {
      try outbox.cancel(item) { message in
        do throws(Explanation) {
          let folder = try DraftsFolder(of: account)
          path = try folder.put(message)
          return true
        } catch {
          problem = error
          return false
        }
      }
    } catch {
      guard case .noEntry = error else { throw error }
    }
    if let problem { return queue.command.report(problem) }
    guard let path else {
      queue.command.report(
        place: place,
        "too late: it is being sent, or other recipients have it",
        hint: "magnum queue discard gives it up; magnum queue edit sends it to others"
      )
      return .partial
    }
    say(item, path)
    return .success
  }

  private func say(_ item: QueuedItem, _ path: Path) {
    if queue.command.globals.json {
      queue.console.print(octets: ChangeLine(item, "cancel").json.octets)
    } else if !queue.command.globals.quiet {
      queue.console.print("cancelled \(item.id)  \(path.display)")
    }
  }
}
