internal import CommandLine
internal import Configuration
internal import MailModel
internal import Octets
internal import Outgoing
internal import Platform
internal import SMTP
internal import Sendmail
internal import Spool
internal import SpoolPlan
internal import Submission
internal import Terminal

// The attempt to send, and what is said of it.
extension SendTask {
  /// Tries what is due; whatever goes wrong now, the message is in the queue.
  func attempt(
    _ entry: Entry,
    _ sender: Sender,
    _ configuration: Configuration,
    _ outbox: Outbox
  ) throws(Explanation) -> ExitStatus {
    do throws(SpoolError) {
      let outcome = try flush(entry, sender, configuration, outbox)
      let status = try tell(entry, sender, outcome, outbox)
      FailureNotices(configuration, outbox).deliver(outcome.queue.concluded, of: sender.name)
      return status
    } catch {
      context.report(
        place: sender.name,
        "queued, not sent: \(error.explanation.what)"
      )
      return .success
    }
  }

  private func flush(
    _ entry: Entry,
    _ sender: Sender,
    _ configuration: Configuration,
    _ outbox: Outbox
  ) throws(SpoolError) -> AccountFlush.Outcome {
    let spool = outbox.spool(of: sender.name)
    var options = AccountFlush.Options.brief
    options.connectLimit = Self.connectLimit
    options.isTracing = request.isVerbose
    options.queue.fresh = entry.id
    while true {
      let outcome = try AccountFlush(configuration, outbox, options: options).flushQueue(
        sender.name,
        interruption: .shared,
        report: QueueEventLogger(context, own: entry.id).log
      )
      if let error = outcome.unlogged { context.report(Explanation(unlogged: error)) }
      // The process that works on the queue does this entry too; only --wait waits for that.
      guard case .busy = outcome.queue.ending, request.delivery == .awaited,
        try spool.contains(entry.id, in: .queue),
        Interruption.shared.sleep(seconds: 0.1)
      else { return outcome }
    }
  }

  /// Reports what became of the message, in as few words as possible.
  private func tell(
    _ entry: Entry,
    _ sender: Sender,
    _ outcome: AccountFlush.Outcome,
    _ outbox: Outbox
  ) throws(SpoolError) -> ExitStatus {
    let items = try outbox.items(of: [sender.name], matching: entry.id.octets)
    if request.delivery == .awaited, items.contains(where: { $0.id == entry.id }),
      items.allSatisfy(\.isRefusedByAll)
    {
      return try withdraw(items, sender, outbox)
    }
    for item in items where item.state == .failed {
      if item.isSentWithoutCopy {
        say(
          sender,
          UncopiedWords.text(item.content?.progress.lastWords),
          hint: UncopiedWords.hint(item.id)
        )
        continue
      }
      say(sender, refusal(of: item), hint: "the message is kept: magnum queue show \(item.id)")
    }
    for item in items where item.state == .hold && item.id == entry.id {
      let words = item.content?.progress.lastWords.map { ": \(Printable.text($0))" } ?? ""
      say(sender, "held\(words)", hint: "magnum queue release \(item.id), or discard")
    }
    guard let item = items.first(where: { $0.state == .queue }) else {
      return end(entry, sender, outbox)
    }
    tellWaiting(item, sender, outcome, outbox)
    return .success
  }

  /// Takes a message and the parts of it out of the queue that the server has refused for all, while the caller waits.
  private func withdraw(
    _ items: [QueuedItem],
    _ sender: Sender,
    _ outbox: Outbox
  ) throws(SpoolError) -> ExitStatus {
    Interruption.shared.setEndStatus(ExitStatus.data.rawValue)
    for item in items {
      try outbox.withdraw(item)
      say(sender, refusal(of: item))
    }
    return .data
  }

  private func refusal(of item: QueuedItem) -> String {
    let words = item.content?.progress.lastWords.map { Printable.text($0) } ?? "damaged"
    let isOpen = item.content?.progress.mayHaveBeenTaken ?? false
    return "\(item.refusedNames)refused: \(words)"
      + (isOpen ? "; the server may have it from an earlier attempt" : "")
  }

  /// Says why the message waits, where that is of use.
  private func tellWaiting(
    _ item: QueuedItem,
    _ sender: Sender,
    _ outcome: AccountFlush.Outcome,
    _ outbox: Outbox
  ) {
    let report = outcome.queue
    if case .busy = report.ending {
      // That process does it next, or says why not, unless it is stopped.
      guard item.content?.log.isEmpty == true, !request.isQuiet else { return }
      return say(sender, "queued: another process works on the queue")
    }
    // Nothing is left but the copy: a sync that is under way needs no message.
    if let progress = item.content?.progress, progress.open.isEmpty, progress.isAccepted {
      if let failure = outcome.delay?.text { say(sender, failure) }
      return
    }
    if isLeftToRoot(report.failure, outbox) {
      return say(sender, "queued; the system's timer sends it")
    }
    if request.isQuiet, !report.needsPerson { return }
    let reply = item.content?.progress.lastWords.map { Printable.text($0) }
    let words = report.block.map { Printable.text($0.words) }
    let because = (words ?? report.failure.map(FailureText.text) ?? reply).map { ": \($0)" } ?? ""
    say(sender, "queued\(because)", hint: remedy(report, sender))
  }

  /// Says so where a person took the message out of the queue meanwhile.
  func end(_ entry: Entry, _ sender: Sender, _ outbox: Outbox) -> ExitStatus {
    switch try? outbox.outcome(of: entry.id, in: sender.name) {
    case .cancelled: say(sender, "not sent: it was cancelled, and is a draft again")
    case .present(let item) where item.state == .discarded:
      say(sender, "not sent: it was discarded", hint: "magnum queue undiscard \(entry.id)")
    case .present, .done, nil: break
    }
    return .success
  }

  /// Whether this user may not read the password, and the message lies where root finds it: nothing is wrong then.
  private func isLeftToRoot(_ failure: SubmissionFailure?, _ outbox: Outbox) -> Bool {
    guard outbox.user != 0, outbox.root.parent == SpoolPlace.system,
      case .secret(let error)? = failure
    else { return false }
    return error.isOfPermissions
  }

  /// What to do about a message that waits.
  private func remedy(_ report: QueueReport, _ sender: Sender) -> String? {
    let flush = "magnum queue flush \(sender.name)"
    if let failure = report.failure, failure.isAboutTLS { return FailureText.words(failure).hint }
    return switch report.block?.reason {
    case .secret:
      OfferedSecret(sender).remedy(report.block.map { Printable.text($0.words) }, then: flush)
    case .unfit: "when that is put right: \(flush)"
    // Programs need no advice; a person at a terminal may.
    case .unreachable, nil:
      console.errorTraits.isTerminal ? "it is kept; magnum-sync sends it, or: \(flush)" : nil
    }
  }

  func say(_ sender: Sender, _ what: String, hint: String? = nil) {
    context.report(place: sender.name, what, hint: hint)
  }
}

extension QueueReport {
  /// Whether nothing is sent with the account until a person has done something.
  fileprivate var needsPerson: Bool {
    switch block?.reason {
    case .secret, .unfit: true
    case .unreachable, nil: failure?.isAboutTLS ?? false
    }
  }
}

extension QueuedItem {
  /// Whether it is sure that no recipient of it has the message or will get it; those with an entry of their own do not count.
  fileprivate var isRefusedByAll: Bool {
    guard state == .failed, let progress = content?.progress else { return false }
    return !progress.isAccepted && !progress.mayHaveBeenTaken && progress.open.isEmpty
      && !progress.refused.isEmpty
  }

  /// Who does not get the message, with a space behind it; empty where it is not about recipients.
  fileprivate var refusedNames: String {
    guard let content, case .send(let sending) = content.entry.action else { return "" }
    let names = content.progress.refused.map { sending.envelope.recipients[$0].address.octets }
    guard let first = names.first else { return "" }
    let others = names.count > 1 ? " and \(names.count - 1) more" : ""
    return "\(Printable.text(first))\(others) "
  }
}
