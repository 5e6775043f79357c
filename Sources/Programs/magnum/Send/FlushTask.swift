internal import MailModel
internal import CommandLine
internal import Configuration
internal import Octets
internal import Outgoing
internal import Platform
internal import Sendmail
internal import Spool
internal import SpoolPlan
internal import Submission

/// One skip the queues of all accounts (`-q`).
struct FlushTask {
  private let request: SendmailRequest
  private let context: CommandContext

  init(_ request: SendmailRequest, _ context: CommandContext) {
    self.request = request
    self.context = context
  }

  /// Works on the entries whose names contain the text, or on all; a queue that cannot be worked on leaves the others
  /// alone.
  func run(matching text: [UInt8]?) throws(Explanation) -> ExitStatus {
    let configuration = try ConfigurationSource(request).load()
    let outboxes = SendEnvironment.outboxes
    let selection = try QueueSelection(request, configuration, outboxes)
    Interruption.shared.watchSignals()
    var statuses: [ExitStatus] = []
    for outbox in outboxes {
      do throws(SpoolError) {
        for spool in try outbox.spools() where selection.contains(spool.account) {
          statuses.append(flushQueue(spool, outbox, configuration, text))
        }
      } catch {
        statuses.append(context.report(SendExplanation.of(error)))
      }
    }
    return statuses.first { $0 != .success } ?? .success
  }

  private func flushQueue(
    _ spool: Spool,
    _ outbox: Outbox,
    _ configuration: Configuration,
    _ text: [UInt8]?
  ) -> ExitStatus {
    do throws(SpoolError) {
      let flush = AccountFlush(configuration, outbox, options: try options(spool, text))
      try warn(spool.account, flush)
      guard AccountFlush.isPossible(spool.account, configuration) else { return .success }
      let outcome = try flush.flushQueue(
        spool.account,
        interruption: .shared,
        report: QueueEventLogger(context).log
      )
      tell(spool.account, outcome)
      FailureNotices(configuration, outbox).deliver(of: spool.account)
      return .success
    } catch {
      return context.report(SendExplanation.of(error))
    }
  }

  private func options(
    _ spool: Spool,
    _ text: [UInt8]?
  ) throws(SpoolError) -> AccountFlush.Options {
    var options = AccountFlush.Options()
    // With -q the queue is to be run now.
    options.queue.isForced = true
    options.isTracing = request.isVerbose
    if let text { options.queue.only = Set(try spool.entries(.queue).filter { $0.contains(text) }) }
    return options
  }

  /// Mail of an account that cannot send, or that the configuration does not have, must not be forgotten.
  private func warn(_ account: String, _ flush: AccountFlush) throws(SpoolError) {
    let count = try flush.stranded(account)
    guard count > 0 else { return }
    say(account, AccountFlush.strandedWords(count))
  }

  private func tell(_ account: String, _ outcome: AccountFlush.Outcome) {
    let report = outcome.queue
    if let block = report.block {
      say(account, Printable.text(block.words))
    } else if let failure = report.failure, failure != .interrupted {
      say(account, FailureText.text(failure))
    }
    if let words = outcome.delay?.text { say(account, words) }
    if let error = outcome.unlogged { context.report(Explanation(unlogged: error)) }
    for entry in report.unreadable { context.report(entry.problem.explanation) }
    for id in report.uncopied {
      say(account, "\(UncopiedWords.text(nil)): magnum queue show \(id)")
    }
    for id in report.failed { say(account, "failed: magnum queue show \(id)") }
  }

  private func say(_ account: String, _ what: String) {
    context.report(place: account, what)
  }
}
