internal import MailModel

/// What is to be done with an entry of the queue now.
package enum NextStep: Hashable, Sendable {
  /// The message goes to these recipients.
  case send([Int])

  /// These steps are taken on the IMAP server: the copy is made, messages are changed.
  case perform([Int])

  /// These refused recipients get an entry of their own among the failed ones, since others are
  /// still to be served.
  case split([Int])

  /// These recipients will not get the message, and why: that is recorded.
  case giveUp([Int], [UInt8])

  /// The entry as a whole goes to the failed ones.
  case fail

  /// The entry waits for a person, and why.
  case hold([UInt8])

  /// Nothing before a moment, in seconds since 1970.
  case wait(until: Int64)

  /// Nothing is left to be done: the entry goes.
  case finish
}

extension Progress {
  /// What is to be done at that time, in seconds since 1970.
  package func next(now: Int64, _ schedule: RetrySchedule) -> NextStep {
    if isCancelled { return .finish }
    if failure != nil || isHalfCancelled { return .fail }
    if awaitsApproval { return .hold(Self.unapproved) }
    if !refused.isEmpty {
      // While anything is left for others, the refused ones are reported at once. Where only a copy was refused besides,
      // theirs is another outcome.
      let isAlone = open.isEmpty && openSteps.isEmpty && !(isAccepted && !rejectedSteps.isEmpty)
      return isAlone ? .fail : .split(refused)
    }
    if !rejectedSteps.isEmpty, open.isEmpty, openSteps.isEmpty { return .fail }
    if !open.isEmpty, attempts > 0, reachable >= schedule.lifetime {
      return .giveUp(open, [UInt8]("send timeout".utf8) + reason)
    }
    if !uncertain.isEmpty, schedule.uncertain == .hold {
      return .hold([UInt8]("the server may have it: it did not answer the end of the message".utf8))
    }
    if !open.isEmpty, let scheduled, now < scheduled { return .wait(until: scheduled) }
    let due = open.filter { schedule.isDue(notBefore(of: $0), now: now) }
    if !due.isEmpty { return .send(due) }
    let dueSteps = readySteps.filter { schedule.isDue(steps[$0].notBefore, now: now) }
    if !dueSteps.isEmpty { return .perform(dueSteps) }
    return wait
  }

  /// Why what an agent wrote waits.
  private static let unapproved = [UInt8](
    "an agent wrote it: magnum queue release shows it, and asks at a terminal".utf8
  )

  private var reason: [UInt8] {
    lastWords.map { [UInt8](": ".utf8) + $0 } ?? []
  }

  private var wait: NextStep {
    let moments = open.map(notBefore) + readySteps.map { steps[$0].notBefore }
    return moments.compactMap(\.self).min().map { .wait(until: $0) } ?? .finish
  }
}
