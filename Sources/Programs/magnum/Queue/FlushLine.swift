internal import Octets
internal import Outgoing
internal import SpoolPlan
internal import Submission
internal import Terminal

/// What a flush of an account's queue has done, for a program.
struct FlushLine {
  private let outcome: AccountFlush.Outcome
  private let account: String
  /// Whose queue it is, where those of several users are worked on; else nil.
  private let user: UInt32?

  init(_ outcome: AccountFlush.Outcome, _ account: String, user: UInt32?) {
    self.outcome = outcome
    self.account = account
    self.user = user
  }

  var json: JSONLine {
    var line = JSONLine()
    line.add("version", 1)
    line.add("account", account)
    if let user { line.add("user", user) }
    line.add("sent", outcome.queue.sent)
    line.add("waiting", outcome.queue.waiting)
    line.add("failed", outcome.queue.failed.map(\.description))
    line.add("uncopied", outcome.queue.uncopied.map(\.description))
    line.add("text", ifPresent: reason)
    return line
  }

  /// Why something waits; nil where nothing is in the way.
  private var reason: String? {
    if case .busy = outcome.queue.ending { return "another process works on the queue" }
    return outcome.queue.block.map { Printable.text($0.words) }
      ?? outcome.queue.failure.map(FailureText.text) ?? outcome.delay?.text
  }
}
