internal import MailModel
internal import Configuration
internal import MailStore
internal import Octets
internal import Outgoing
internal import Platform
internal import Spool
internal import SpoolPlan
internal import Submission
internal import Terminal

/// How sending went before an account was fetched.
package struct OutboxReport: Sendable {
  /// The account's name in the configuration.
  let account: String
  /// What it logs in with to send; nil where that is not known.
  private var secret: OfferedSecret?
  /// How many messages were sent.
  private(set) var sent = 0
  /// How many entries are left in the queue.
  private(set) var waiting = 0
  /// How many entries need a person, also those of before.
  private(set) var failed = 0
  /// How many messages were sent without a copy, which a person was not shown.
  private(set) var uncopied = 0
  /// Why something waits; nil where nothing is in the way.
  private(set) var reason: String?
  /// What the server or the system said; nil where nothing is in the way.
  private var obstacle: String?
  /// Whether that has been so for long.
  private var isLasting = false
  /// Whether time mends what is in the way, and has not had much of it yet.
  private var isPassing = false
  /// Why there are no lines about deliveries in their log; nil where that is not to be said now.
  private var unlogged: SystemError?
  /// Whether nothing works on what waits, until the configuration changes.
  private var isStranded = false
  /// What the exit status is to say.
  private(set) var status = ExitStatus.success

  /// A report on a queue; `outcome` is nil where nothing was in it.
  init(
    account: String,
    secret: OfferedSecret?,
    outcome: AccountFlush.Outcome?,
    failed: Int,
    uncopied: Int
  ) {
    self.account = account
    self.secret = secret
    self.failed = failed
    self.uncopied = uncopied
    unlogged = outcome?.unlogged
    guard let queue = outcome?.queue else { return }
    (sent, waiting) = (queue.sent, queue.waiting)
    // A server out of reach is no failure of a sync: what waits is kept, and the next run tries again.
    status =
      queue.block?.reason == .unreachable
      ? queue.failed.isEmpty ? .success : .partial : ExitStatus(queue)
    let words = queue.block.map { Printable.text($0.words) } ?? queue.failure.map(FailureText.text)
    obstacle = words
    isLasting = queue.block?.isLasting(at: Clock.now()) ?? false
    reason = words.map { "not sent: \($0)" } ?? outcome?.delay?.text
    isPassing =
      queue.block.map { $0.reason == .unreachable && !isLasting }
      ?? (words == nil && Self.isPassing(outcome?.delay?.failure))
  }

  /// Whether the fetch that follows says the same.
  private static func isPassing(_ failure: SyncFailure?) -> Bool {
    failure.map { ExitStatus($0) == .tryAgain } ?? false
  }

  /// A report on a spool that could not be worked on.
  init(account: String, error: SpoolError) {
    self.account = account
    let explanation = error.explanation
    reason = [explanation.place, explanation.what].compactMap { $0 }.joined(separator: ": ")
    status = explanation.status
  }

  /// A report on a queue of which nothing works on so many entries.
  init(account: String, stranded: Int) {
    (self.account, waiting, isStranded) = (account, stranded, true)
    reason = AccountFlush.strandedWords(stranded)
  }

  /// Whether there is anything to say.
  var isQuiet: Bool {
    sent == 0 && waiting == 0 && failed == 0 && uncopied == 0 && reason == nil && unlogged == nil
  }

  /// The lines about what needs attention, with the names of those problems that stay until they are dealt with.
  func problems(_ program: String) -> [(name: String?, diagnostic: Diagnostic)] {
    var lines: [(String?, Diagnostic)] = []
    // From cron a server that is away for a while is not worth a mail.
    if let reason, !isPassing { lines.append((standingName, line(program, reason, retryHint))) }
    if failed > 0 {
      let what =
        failed == 1 ? "1 message could not be sent" : "\(failed) messages could not be sent"
      lines.append(("not-sent", line(program, what, "magnum queue list says which and why")))
    }
    if uncopied > 0 {
      let what = UncopiedWords.count(uncopied)
      lines.append(("no-copy", line(program, what, "magnum queue list, then magnum queue show")))
    }
    if let unlogged {
      let words = Explanation(unlogged: unlogged)
      lines.append((nil, line(program, words.what, words.hint)))
    }
    return lines
  }

  /// The name of what is in the way, where it has been for long or a person has to mend it.
  private var standingName: String? {
    if isStranded { return "stranded" }
    return isLasting || status == .refused ? "sending-stopped" : nil
  }

  private var retryHint: String? {
    if isStranded { return "magnum queue list says which" }
    if isLasting { return "magnum accounts test \(account) says more" }
    let flush = "magnum queue flush \(account)"
    return switch status {
    case .success, .partial: nil
    case .refused: secret?.remedy(obstacle, then: flush)
    default: "when that is put right: \(flush)"
    }
  }

  private func line(_ program: String, _ what: String, _ hint: String?) -> Diagnostic {
    Diagnostic(program: program, place: account, what: what, hint: hint)
  }

  /// The line for a terminal; nil where nothing was sent and nothing waits.
  var text: String? {
    var parts: [String] = []
    if sent > 0 { parts.append("\(sent) sent") }
    if waiting > 0 { parts.append("\(waiting) waiting to be sent") }
    guard !parts.isEmpty else { return nil }
    let because = isPassing ? obstacle.map { ": \($0)" } ?? "" : ""
    return "\(account)  \(parts.joined(separator: "  "))\(because)"
  }
}
