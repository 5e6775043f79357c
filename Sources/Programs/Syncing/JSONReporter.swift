internal import MailModel
internal import Configuration
internal import Folders
internal import MailStore
internal import Octets
internal import Outgoing
internal import SearchIndex
internal import SpoolPlan
internal import SyncEngine
internal import SyncPlan
internal import Terminal
internal import Triage

/// Shows a run to a program: one JSON object a line; see magnum-formats(5).
struct JSONReporter: Reporter {
  private let console: Console
  /// Whether plans are what the caller wants to see.
  private let isDryRun: Bool

  init(console: Console, isDryRun: Bool) {
    self.console = console
    self.isDryRun = isDryRun
  }

  func reportEvent(_ event: SyncEvent) {
    for line in lines(event) { console.print(octets: line.octets) }
    console.flush()
  }

  func indexing(_ account: String, _ done: Int, of total: Int) {}

  func indexed(_ account: String, _ outcome: Indexing.Outcome) {
    switch outcome {
    case .done(let report, _) where report.isQuiet: return
    case .done(let report, let revision):
      print(
        line("indexed", account) {
          $0.add("added", report.added)
          $0.add("renamed", report.renamed)
          $0.add("removed", report.removed)
          $0.add("keywords", report.marked)
          $0.add("failed", report.failed)
          if let revision {
            $0.add("uuid", revision.uuid)
            $0.add("lastmod", Int(clamping: revision.number))
          }
        }
      )
    case .failed(let error):
      print(
        line("problem", account) {
          $0.add("text", error.message)
          $0.add("hint", ifPresent: error.hint)
        }
      )
    }
  }

  func extracted(_ account: String, _ report: FilterReport) {
    for (_, problem) in report.problems(of: account) {
      print(
        line("problem", account) {
          $0.add("text", problem.what)
          $0.add("hint", ifPresent: problem.hint)
        }
      )
    }
    print(
      line("texts", account) {
        $0.add("texts", report.texts)
        $0.add("without-text", report.failed)
        $0.add("left", report.left)
      }
    )
  }

  func reportOutbox(_ outbox: OutboxReport) {
    guard !outbox.isQuiet else { return }
    print(
      line("outbox", outbox.account) {
        $0.add("sent", outbox.sent)
        $0.add("waiting", outbox.waiting)
        $0.add("failed", outbox.failed)
        if outbox.uncopied > 0 { $0.add("uncopied", outbox.uncopied) }
        $0.add("text", ifPresent: outbox.reason)
      }
    )
  }

  func returned(_ step: ReturnedStep) {
    print(
      line("returned", step.step.account) {
        $0.add("act", step.act.number)
        $0.add("command", octets: step.act.command)
        if !step.step.id.isEmpty { $0.add("id", octets: step.step.id) }
        $0.add("text", octets: step.words)
      }
    )
  }

  func sorted(_ account: String, _ outcome: RuleOutcome) {
    switch outcome {
    case .begun(let isDamaged):
      let words = isDamaged ? "rules begin anew: the list of new mail was damaged" : "rules begin"
      print(line("step", account) { $0.add("text", words) })
    case .sorted(let sorted):
      print(
        line("sorted", account) {
          $0.add("messages", sorted.count)
          $0.add("rules", sorted.rules)
        }
      )
    case .problem(_, let problem): reportProblem(problem, account)
    }
  }

  func reportLater(_ account: String, _ outcome: LaterOutcome) {
    switch outcome {
    case .woken(let count): print(line("woken", account) { $0.add("messages", count) })
    case .reminded(let count): print(line("reminder", account) { $0.add("messages", count) })
    case .problem(let problem): reportProblem(problem, account)
    }
  }

  func bounced(_ account: String, _ outcome: BounceOutcome) {
    switch outcome {
    case .bounced(let count): print(line("bounced", account) { $0.add("messages", count) })
    case .problem(let problem): reportProblem(problem, account)
    }
  }

  private func reportProblem(_ problem: Explanation, _ account: String) {
    print(
      line("problem", account) {
        $0.add("text", problem.what)
        $0.add("hint", ifPresent: problem.hint)
      }
    )
  }

  private func print(_ line: JSONLine) {
    console.print(octets: line.octets)
    console.flush()
  }

  private func lines(_ event: SyncEvent) -> [JSONLine] {
    let account = event.account
    switch event.kind {
    case .started: return [line("started", account) { $0.add("dry-run", isDryRun) }]
    case .state(let state): return [self.state(state.rawValue, account)]
    case .expected(let messages, let octets):
      return [
        line("expected", account) {
          $0.add("messages", messages); $0.add("octets", octets)
        }
      ]
    case .fetched(let mailbox, let messages, let new, let octets):
      return [
        line("fetched", account) {
          $0.add("mailbox", mailbox)
          $0.add("messages", messages)
          $0.add("new", new)
          $0.add("octets", octets)
        }
      ]
    case .folder(let mailbox, let change): return [folder(change, mailbox, account)]
    case .planned(let mailbox, let plan, let moves):
      return !isDryRun ? [] : steps(plan, PlanWords(moves: moves), mailbox, account)
    case .mailbox(let report): return report.isQuiet ? [] : [self.report(report, account)]
    case .problem(let mailbox, let failure): return [problem(failure, mailbox, account)]
    case .step(let words): return [line("step", account) { $0.add("text", words) }]
    case .completing(let mailbox, let messages, let octets):
      let words = "\(mailbox): \(ReportWords.completing(messages, octets))"
      return [line("step", account) { $0.add("text", words) }]
    case .trace(let words): return [line("trace", account) { $0.add("text", words) }]
    case .changed, .making, .mirrored, .refused: return []
    case .finished(let report): return finished(report)
    }
  }

  private func line(
    _ event: String,
    _ account: String,
    _ fill: (inout JSONLine) -> Void = { _ in }
  ) -> JSONLine {
    var line = JSONLine()
    line.add("version", ReportForm.version)
    line.add("event", event)
    line.add("account", account)
    fill(&line)
    return line
  }

  private func folder(_ change: FolderChange, _ mailbox: String, _ account: String) -> JSONLine {
    line("folder", account) {
      $0.add("mailbox", mailbox)
      switch change {
      case .made(let side): add("made", side, to: &$0)
      case .renamed(let side, let old):
        add("renamed", side, to: &$0)
        $0.add("from", old)
      case .removed(let side): add("removed", side, to: &$0)
      case .detached: add("detached", .local, to: &$0)
      }
    }
  }

  private func add(_ change: String, _ side: FolderChange.Side, to line: inout JSONLine) {
    line.add("change", change)
    line.add("side", side.rawValue)
  }

  private func state(_ state: String, _ account: String) -> JSONLine {
    line("state", account) { $0.add("state", state) }
  }

  private func steps(
    _ plan: MailboxPlan,
    _ words: PlanWords,
    _ mailbox: String,
    _ account: String
  ) -> [JSONLine] {
    let steps = plan.steps.map {
      (PlanCodes($0.step), reason: $0.reason.code, isBlocked: false, text: words.text($0))
    }
    let blocked = plan.blocked.map {
      (PlanCodes($0.difference), reason: $0.cause.code, isBlocked: true, text: words.text($0))
    }
    return (steps + blocked).map { codes, reason, isBlocked, text in
      line("planned", account) {
        $0.add("mailbox", mailbox)
        $0.add("action", codes.action)
        $0.add("blocked", isBlocked)
        if let uid = codes.uid { $0.add("uid", uid) }
        if let file = codes.file { $0.add("file", octets: file) }
        if let uid = codes.uid {
          $0.add("other-mailbox", ifPresent: words.moves[uid]?.mailbox)
          if let subject = words.subjectText(uid) { $0.add("subject", octets: subject) }
        }
        $0.add("reason", reason)
        $0.add("text", text)
      }
    }
  }

  private func report(_ report: MailboxReport, _ account: String) -> JSONLine {
    let isFlagsOnly = report.fetched == 0 && report.flags > 0 && !isDryRun
    return line(isFlagsOnly ? "flags-changed" : "mailbox", account) {
      $0.add("mailbox", report.mailbox)
      add(report, to: &$0)
    }
  }

  private func add(_ report: MailboxReport, to line: inout JSONLine) {
    line.add("new", report.new)
    line.add("fetched", report.fetched)
    line.add("octets", report.octets)
    line.add("partial", report.partial)
    line.add("madeWhole", report.completed)
    line.add("flagsHere", report.flags)
    line.add("removedHere", report.removed)
    line.add("movedHere", report.relocated)
    line.add("flagsPushed", report.stored)
    line.add("uploaded", report.uploaded)
    line.add("moved", report.moved)
    line.add("copied", report.copied)
    line.add("trashed", report.trashed)
    line.add("deleted", report.deleted)
    line.add("rematched", report.rematched)
    line.add("detached", report.detached)
    line.add("left", report.left.messages)
    line.add("failed", report.failed)
    line.add("blocked", report.blocked.values.reduce(0, +))
  }

  private func problem(_ failure: SyncFailure, _ mailbox: String?, _ account: String) -> JSONLine {
    let explanation = failure.explanation(account: account, mailbox: mailbox)
    return line("problem", account) {
      $0.add("mailbox", ifPresent: mailbox)
      $0.add("text", explanation.what)
      $0.add("hint", ifPresent: explanation.hint)
    }
  }

  private func finished(_ report: AccountReport) -> [JSONLine] {
    if case .failed(let failure) = report.outcome {
      let explanation = failure.explanation(account: report.account)
      return [
        state("error", report.account),
        line("failed", report.account) {
          $0.add("status", Int(explanation.status.rawValue))
          $0.add("text", explanation.what)
          $0.add("hint", ifPresent: explanation.hint)
          add(report.total, to: &$0)
        },
      ]
    }
    return [
      line("completed", report.account) {
        $0.add("status", Int(ExitStatus(report.outcome).rawValue))
        add(report.total, to: &$0)
        if let day = report.day {
          $0.add("left-octets", report.total.left.octets)
          $0.add("resumes", String(decoding: Timestamp.octets(day.end), as: UTF8.self))
        }
        if !report.leftOut.mailboxes.isEmpty {
          $0.add("left-out", report.leftOut.mailboxes)
          if let messages = report.leftOut.messages { $0.add("left-out-messages", messages) }
        }
        $0.add("seconds", report.seconds)
      },
      state("idle", report.account),
    ]
  }
}
