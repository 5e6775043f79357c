internal import MailModel
internal import MailStore
internal import Octets
internal import Platform
internal import RestorePlan
internal import Restoration
internal import SpoolPlan
internal import Terminal

/// What a restore comes to, as JSON: see restore.json.
enum RestorationLine {
  /// What happened; nil for what is no result.
  static func line(_ event: RestorationEvent, _ account: String, isDryRun: Bool) -> JSONLine? {
    var line = JSONLine()
    let begin = { (line: inout JSONLine, event: String, mailbox: String?) in
      line.add("version", 1)
      line.add("event", event)
      line.add("account", account)
      if let mailbox { line.add("mailbox", mailbox) }
    }
    switch event {
    case .skipped(let entry):
      begin(&line, "skipped", nil)
      line.add("path", octets: entry.path.octets)
      line.add("kind", kind(entry.reason))
      if case .unreadable(let error) = entry.reason { line.add("reason", error.description) }
    case .file(let mailbox, let path, let problem):
      begin(&line, "file", mailbox)
      line.add("path", octets: path.octets)
      line.add("kind", kind(problem))
      line.add("reason", ifPresent: reason(problem))
    case .made(let mailbox): begin(&line, "made", mailbox)
    case .planned(let mailbox, let path, let octets):
      begin(&line, "planned", mailbox)
      line.add("path", octets: path.octets)
      line.add("size", octets)
    case .elsewhere(let mailbox, let path, let there):
      begin(&line, "elsewhere", mailbox)
      line.add("path", octets: path.octets)
      line.add("there", there)
    case .unkept(let mailbox, let flags, let keywords):
      begin(&line, "unkept", mailbox)
      line.add("flags", flags.letters)
      line.add("keywords", octets: keywords)
    case .difference(let mailbox, let path, let uid, let difference, let isNew):
      begin(&line, "difference", mailbox)
      line.add("path", octets: path.octets)
      if let uid { line.add("uid", uid) }
      add(difference, to: &line)
      line.add("uploaded", isNew)
    case .finished(let mailbox, let counts):
      begin(&line, "mailbox", mailbox)
      line.add("dryRun", isDryRun)
      add(counts, to: &line)
    case .problem, .step, .uploaded: return nil
    }
    return line
  }

  private static func kind(_ reason: SkippedEntry.Reason) -> String {
    switch reason {
    case .link: "link"
    case .noFile: "no-file"
    case .noName: "no-name"
    case .hidden: "hidden"
    case .noMailbox: "no-mailbox"
    case .half: "half"
    case .state: "state"
    case .placeholder: "placeholder"
    case .notice: "notice"
    case .changed: "changed"
    case .unreadable: "unreadable"
    }
  }

  private static func kind(_ problem: FileProblem) -> String {
    switch problem {
    case .containsNUL: "nul"
    case .empty: "empty"
    case .unreadable, .unchangeable: "unreadable"
    case .tooBig: "too-big"
    case .refused, .heldOnce, .breaksConnection, .notKept: "refused"
    case .notAFile: "no-file"
    case .partial, .attachmentsLost: "partial"
    }
  }

  private static func reason(_ problem: FileProblem) -> String? {
    switch problem {
    case .refused(let reply): Printable.text(reply.text)
    case .unreadable(let error), .unchangeable(let error): error.description
    case .tooBig(let limit): "\(limit)"
    case .containsNUL, .empty, .partial, .attachmentsLost, .heldOnce, .notAFile, .breaksConnection,
      .notKept:
      nil
    }
  }

  private static func add(_ difference: RestoreDifference, to line: inout JSONLine) {
    switch difference {
    case .missing: line.add("kind", "missing")
    case .octets: line.add("kind", "octets")
    case .unread: line.add("kind", "unread")
    case .flags(let here, let there):
      line.add("kind", "flags")
      line.add("here", here.letters)
      line.add("server", there.letters)
    case .keywords(let here, let there):
      line.add("kind", "keywords")
      line.add("here", here.map { Printable.text($0) }.joined(separator: " "))
      line.add("server", there.map { Printable.text($0) }.joined(separator: " "))
    case .date(let here, let there):
      line.add("kind", "date")
      line.add("here", String(decoding: Timestamp.octets(here), as: UTF8.self))
      line.add("server", String(decoding: Timestamp.octets(there), as: UTF8.self))
    }
  }

  private static func add(_ counts: RestorationReport.Counts, to line: inout JSONLine) {
    line.add("messages", counts.messages)
    line.add("uploaded", counts.uploaded)
    line.add("present", counts.present)
    line.add("elsewhere", counts.elsewhere)
    line.add("equal", counts.proven)
    line.add("altered", counts.altered)
    line.add("remarked", counts.remarked)
    line.add("unequal", counts.unequal)
    line.add("refused", counts.refused)
    line.add("missing", counts.missing)
  }

  /// What it came to.
  static func line(_ report: RestorationReport, _ account: String, isDryRun: Bool) -> JSONLine {
    var line = JSONLine()
    line.add("version", 1)
    line.add("event", "restored")
    line.add("account", account)
    line.add("dryRun", isDryRun)
    line.add("complete", report.isComplete)
    add(report.counts, to: &line)
    line.add("mailboxes", report.mailboxes)
    line.add("made", report.made)
    line.add("failed", report.failed)
    line.add("skipped", report.skipped)
    return line
  }
}
