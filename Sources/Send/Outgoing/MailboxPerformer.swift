internal import Configuration
internal import MailModel
internal import MailStore
internal import Octets
internal import Platform
package import Spool
internal import SpoolPlan
package import Submission
package import MailboxActions

/// Carries out what entries of the spool request in mailboxes of the account.
///
/// These are copies of sent messages, messages to append, and changes of messages.
package final class MailboxPerformer: StepPerformer {
  /// How often a server may refuse to take a message, and to change one.
  private static let (appendLimit, changeLimit) = (2, 3)

  /// How often a copy waits for a server that the account does not have, for more than an hour, before a person is needed:
  /// the configuration may be under work.
  private static let absenceLimit = 10

  /// How often the server may break off in one run before it counts as out of reach.
  private static let breakLimit = 3
  /// Seconds in which the program that made an entry has changed the file as it says.
  private static let settlingSeconds: Int64 = 60

  private let writer: MailboxWriter?
  private let changer: RequestPerformer?
  private var breaks = 0

  /// What kept the last of them from being done; nil when nothing did.
  package private(set) var delay: MailboxDelay?

  /// A performer over a connection; without one, for an account without an IMAP server, nothing can be done in mailboxes.
  ///
  /// `keepsOwnCopy` says whether what was sent is copied even where the server does that by itself.
  package init(_ connection: AccountConnection?, keepsOwnCopy: Bool) {
    writer = connection.map { MailboxWriter($0, keepsOwnCopy: keepsOwnCopy) }
    changer = connection.map { RequestPerformer($0) }
  }

  /// Does what the entry asks for; see `StepPerformer`.
  package func perform(
    _ steps: [DueStep],
    of stored: StoredEntry,
    _ stepState: StepState
  ) throws(SpoolError) {
    switch stored.entry.action {
    case .send(let sending):
      for step in steps { try copy(sending, stored, step, stepState) }
    case .append(let appending):
      let message = try Self.message(appending, stored)
      for step in steps { try put(message, step, isCopy: false, stepState) }
    case .change(let requests):
      guard let changer else {
        return try stepState.recordResults(steps.map { ($0, .rejected(Self.noServer)) })
      }
      try changer.together { () throws(SpoolError) in
        try change(requests, steps, Self.isYoung(stored.entry), changer, stepState)
      }
    }
  }

  private func copy(
    _ sending: Sending,
    _ stored: StoredEntry,
    _ step: DueStep,
    _ stepState: StepState
  ) throws(SpoolError) {
    guard writer != nil else {
      let isLast = step.attempts + 1 >= Self.absenceLimit
      return try stepState.recordResult(
        step,
        isLast ? .rejected(Self.noServer) : .postponed(Self.noServer)
      )
    }
    guard let message = try Self.message(sending, stored) else {
      return try stepState.recordResult(step, .done([]))
    }
    try put(message, step, isCopy: true, stepState)
  }

  private func put(
    _ message: MailboxAddition,
    _ step: DueStep,
    isCopy: Bool,
    _ stepState: StepState
  ) throws(SpoolError) {
    guard let writer else { return try stepState.recordResult(step, .rejected(Self.noServer)) }
    let outcome = try writer.put(message, begun: step.begun) { (note) throws(SpoolError) in
      try stepState.begin(step, note)
    }
    try stepState.recordResult(step, result(outcome, step.attempts, isCopy: isCopy))
  }

  /// Changes messages one after the other; what the server has done for one is durable before the next one is begun.
  private func change(
    _ requests: [MessageRequest],
    _ steps: [DueStep],
    _ isYoung: Bool,
    _ changer: RequestPerformer,
    _ stepState: StepState
  ) throws(SpoolError) {
    // What the server was not told of can be found out again: it is noted by one write.
    var found: [(step: DueStep, result: StepResult)] = []
    for step in steps {
      let outcome = try changer.perform(requests[step.number], begun: step.begun) {
        (note) throws(SpoolError) in
        try stepState.begin(step, note)
      }
      // An entry is made before its file is changed.
      let isEarly = if case .superseded = outcome { isYoung } else { false }
      let result = isEarly ? .left : result(outcome, step.attempts)
      found.append((step, result))
      if outcome.isAnswered {
        try stepState.recordResults(found)
        found = []
      }
      if result == .unreachable { break }
    }
    try stepState.recordResults(found)
  }

  private static let noServer = words("the account has no IMAP server")

  private static func message(
    _ appending: Appending,
    _ stored: StoredEntry
  ) throws(SpoolError) -> MailboxAddition {
    try addition(
      stored.message ?? [],
      to: .mailbox(appending.mailbox),
      flags: appending.flags,
      date: appending.date,
      isUnique: false
    )
  }

  /// The copy of what is sent, with the recipients that are hidden from the others.
  private static func message(
    _ sending: Sending,
    _ stored: StoredEntry
  ) throws(SpoolError) -> MailboxAddition? {
    guard let copy = sending.copy, let message = stored.message else { return nil }
    let hidden = sending.blindCopies.map {
      Array("Bcc: ".utf8) + $0 + [ASCII.lineFeed]
    }
    return try addition(
      JoinedOctets([hidden ?? [], message]),
      to: copy.mailbox.map { .mailbox($0) } ?? .sent,
      flags: copy.flags,
      date: stored.entry.queued,
      isUnique: true
    )
  }

  private static func addition(
    _ octets: any OctetSource,
    to target: MailboxAddition.Target,
    flags: [[UInt8]],
    date: Int64?,
    isUnique: Bool
  ) throws(SpoolError) -> MailboxAddition {
    do throws(SourceError) {
      return try MailboxAddition(
        octets,
        to: target,
        flags: flags,
        date: date,
        isUnique: isUnique
      )
    } catch {
      throw .message(error)
    }
  }

  private func result(
    _ outcome: AppendOutcome,
    _ attempts: Int,
    isCopy: Bool
  ) -> StepResult {
    switch outcome {
    case .appended(let mailbox): return .done(mailbox)
    case .present(let mailbox): return .done(mailbox + Self.words(" has it already"))
    case .leftToSync: return .done(Self.words("a file in the folder is uploaded by the sync"))
    case .keptByServer: return .done(Self.words("the server keeps it by itself"))
    case .noMailbox: return .rejected(Self.words("the server has no such mailbox"))
    case .unfit(let problem):
      return .rejected(Self.words(SyncFailureWords(.file([], problem), account: "").what))
    case .refused(let response): return refusal(.append, response, attempts, Self.appendLimit)
    case .failed(let failure): return result(failure, isCopy: isCopy)
    case .broken(let failure): return result(failure, isCopy: isCopy, isBroken: true)
    }
  }

  private func result(_ outcome: RequestResult, _ attempts: Int) -> StepResult {
    switch outcome {
    case .done, .present, .leftToSync, .superseded: return .done(RequestWords.text(outcome))
    case .impossible: return .rejected(RequestWords.text(outcome))
    case .marked, .unnamed, .ignored: return .postponed(RequestWords.text(outcome))
    case .unsettled: return .left
    case .refused(let command, let response):
      return refusal(command, response, attempts, Self.changeLimit)
    case .failed(let failure): return result(failure, isCopy: false)
    case .broken(let failure): return result(failure, isCopy: false, isBroken: true)
    }
  }

  private func refusal(
    _ command: MailboxCommand,
    _ response: ServerReply,
    _ attempts: Int,
    _ limit: Int
  ) -> StepResult {
    let words = Self.words(CommandRefusal.text(command, response))
    return CommandRefusal.isFinal(response, attempts: attempts, limit: limit)
      ? .rejected(words) : .postponed(words)
  }

  /// What breaks off at one entry must not keep the others from being done.
  private func result(
    _ failure: SyncFailure,
    isCopy: Bool,
    isBroken: Bool = false
  ) -> StepResult {
    if case .commandRefused = failure {
      return .postponed(Self.words(SyncFailureWords(failure, account: "").what))
    }
    delay = MailboxDelay(failure: failure, isCopy: isCopy)
    if case .interrupted = failure { return .unreachable }
    guard isBroken else { return .unreachable }
    breaks += 1
    return breaks < Self.breakLimit ? .left : .unreachable
  }

  private static func isYoung(_ entry: Entry) -> Bool {
    abs(Clock.now() - entry.queued) < settlingSeconds
  }

  private static func words(_ text: String) -> [UInt8] { Array(text.utf8) }
}

extension RequestResult {
  /// Whether the server was told of the change, and has answered.
  fileprivate var isAnswered: Bool {
    switch self {
    case .done, .unnamed, .marked, .ignored, .refused: true
    case .present, .leftToSync, .superseded, .unsettled, .impossible, .failed, .broken: false
    }
  }
}
