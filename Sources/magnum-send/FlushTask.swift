internal import CommandLine
internal import Configuration
internal import Octets
internal import Outgoing
internal import Platform
internal import Sendmail
internal import Spool
internal import SpoolPlan
internal import Submission
internal import Terminal

/// One pass over the queues of all accounts (`-q`).
struct FlushTask {
  private let request: SendmailRequest
  private let context: CommandContext

  private var console: Console { context.console }

  init(_ request: SendmailRequest, _ context: CommandContext) {
    self.request = request
    self.context = context
  }

  /// Works on the entries whose names contain the text, or on all.
  func run(matching text: [UInt8]?) throws(Explanation) {
    let configuration = try ConfigurationSource(request).load()
    let outbox = Outbox(root: SpoolPlace.root(), user: SendEnvironment.user)
    let selection = try QueueSelection(request, configuration, outbox)
    Interruption.shared.watchSignals()
    var options = AccountFlush.Options()
    // Who asks for the queue to be run wants it now.
    options.queue.isForced = true
    options.isTracing = request.isVerbose
    do throws(SpoolError) {
      if let text { options.queue.only = Set(try outbox.items(matching: text).map(\.id)) }
      let flush = AccountFlush(configuration, outbox, options: options)
      for spool in try outbox.spools() where selection.contains(spool.account) {
        try warn(spool.account, flush)
        guard AccountFlush.isPossible(spool.account, configuration) else { continue }
        let outcome = try flush.run(
          spool.account,
          interruption: .shared,
          report: QueueTeller(console, configuration.deliveryLog).tell
        )
        tell(spool.account, outcome)
        FailureNotices(configuration, outbox).deliver(of: spool.account)
      }
    } catch {
      throw SendExplanation.of(error)
    }
  }

  /// Mail of an account that cannot send, or that the configuration does not have, must not be forgotten.
  private func warn(_ account: String, _ flush: AccountFlush) throws(SpoolError) {
    let count = try flush.stranded(account)
    guard count > 0 else { return }
    say(account, "\(count) waiting, and the configuration has no such account that can send")
  }

  private func tell(_ account: String, _ outcome: AccountFlush.Outcome) {
    let report = outcome.queue
    if let block = report.block {
      say(account, Printable.text(block.words))
    } else if let failure = report.failure, failure != .interrupted {
      say(account, FailureText.text(failure))
    }
    if let words = outcome.delay?.text { say(account, words) }
    for id in report.failed { say(account, "failed: magnum queue show \(id)") }
  }

  private func say(_ account: String, _ what: String) {
    context.report(place: account, what)
  }
}
