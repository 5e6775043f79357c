internal import Configuration
internal import Login
internal import Octets
internal import Platform
internal import SMTP
internal import Spool
internal import SpoolPlan

// Messages that a program takes over (`send-command`), each whole and for all its recipients.
extension QueueRun {
  /// Seconds for which a program may work on a message: as long as a server may for the end of one.
  private static let programLimit = 600.0

  /// Gives a message to the program; gives what `send` gives.
  func handOver(
    _ ready: ReadyMessage,
    to program: SendProgram,
    of submitter: Submitter,
    _ log: EntryLog,
    _ lock: EntryLock
  ) throws(SpoolError) -> Bool {
    guard !isStopped else { return false }
    guard !submitter.isRootsOwn else { return try stop(.program(.isRoots)) }
    let message: ProgramMessage
    do throws(ProgramMessage.Refusal) {
      message = try ProgramMessage(ready.sending, ready.message, for: program)
    } catch {
      try log.append(.refused(ready.numbers, [UInt8](error.words.utf8)), now: Clock.now())
      return true
    }
    offered[lock.id, default: []].formUnion(ready.numbers)
    do throws(SpoolError) {
      try noteSending(ready.numbers, log, lock)
    } catch {
      // It is another program's business now.
      throw error.isOfAnotherProgram ? .noEntry(lock.id) : error
    }
    let end = runProgram(on: message, of: submitter, lock.id)
    return try finish(end, ready, message, log)
  }

  /// A message whose turn it is, and the recipients that it goes to.
  struct ReadyMessage {
    let entry: Entry
    /// From whom and to whom, these recipients alone.
    let sending: Sending
    let message: any OctetSource
    /// The numbers of the recipients, and how often they were deferred.
    let numbers: [Int]
    let attempts: Int
  }

  /// How a program ended, and what it said.
  private struct ProgramEnd {
    let verdict: ProgramVerdict
    let words: String
  }

  private func runProgram(
    on message: ProgramMessage,
    of submitter: Submitter,
    _ id: EntryID
  ) -> ProgramEnd {
    let start = Clock.monotonicNanoseconds()
    defer {
      let seconds = Double(Clock.monotonicNanoseconds() - start) / 1e9
      submitter.dialer.budget?.spend(seconds, on: .endOfData)
    }
    let command = ChildProcess.ReceivingCommand(
      message.arguments,
      input: message.octets,
      variables: ["MAGNUM_ACCOUNT=\(spool.account)", "MAGNUM_ENTRY=\(id)"],
      user: submitter.user,
      timeout: TestTime.replyTime(Self.programLimit)
    )
    FaultPoint.pass("send-command before")
    defer { FaultPoint.pass("send-command after") }
    do throws(SystemError) {
      let (status, line) = try ChildProcess.deliver(command)
      let said = line.map { ": " + Printable.text($0) } ?? ""
      return ProgramEnd(
        verdict: ProgramVerdict(status),
        words: "send-command \(status?.words ?? "ended in an unknown way")\(said)"
      )
    } catch {
      return ProgramEnd(
        verdict: .deferred,
        words: "send-command cannot be started: \(error.reason)"
      )
    }
  }

  /// Notes what came of it.
  private func finish(
    _ end: ProgramEnd,
    _ ready: ReadyMessage,
    _ message: ProgramMessage,
    _ log: EntryLog
  ) throws(SpoolError) -> Bool {
    let now = Clock.now()
    let until = now + options.schedule.delay(after: ready.attempts + 1)
    let words = [UInt8](end.words.utf8)
    let fact: LogFact =
      switch end.verdict {
      case .accepted: .accepted(ready.numbers, words)
      case .refused: .refused(ready.numbers, words)
      case .deferred: .deferred(ready.numbers, until: until, words)
      case .stopped: .unsent(ready.numbers, words)
      case .unknown: .unanswered(ready.numbers, until: until, words)
      }
    try log.append(answers: [fact], now: now)
    tell(end, ready, message)
    if case .stopped(let reason) = end.verdict {
      return try stop(.program(.stopped(reason, end.words)))
    }
    if end.verdict == .accepted { try unblock() }
    return true
  }

  private func tell(_ end: ProgramEnd, _ ready: ReadyMessage, _ message: ProgramMessage) {
    let outcome: AttemptReport.Outcome =
      switch end.verdict {
      case .accepted: .sent(end.words)
      case .refused: .refused(end.words)
      case .deferred: .deferred(end.words)
      case .stopped: .notSent
      case .unknown: .unknown(end.words)
      }
    if outcome.isAccepted { result.sent += 1 }
    report(
      .attempted(
        AttemptReport(
          entry: ready.entry,
          server: submitter?.server ?? "",
          envelope: message.envelope,
          size: ready.message.count,
          outcomes: message.envelope.recipients.map { _ in outcome },
          lacking: message.lacking
        )
      )
    )
  }
}
