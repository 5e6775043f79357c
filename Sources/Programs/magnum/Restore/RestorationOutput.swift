internal import MailModel
internal import CommandLine
internal import MailStore
internal import Octets
internal import Outgoing
internal import Platform
internal import RestorePlan
internal import Restoration
internal import Terminal

/// Shows a restore: results on standard output, as text or JSON, and what is in the way on standard error.
struct RestorationOutput {
  private let context: CommandContext
  private let account: String
  private let isDryRun: Bool

  init(_ context: CommandContext, _ account: String, isDryRun: Bool) {
    self.context = context
    self.account = account
    self.isDryRun = isDryRun
  }

  /// Shows what happens.
  func event(_ event: RestorationEvent) {
    switch event {
    case .problem(let mailbox, let failure):
      context.report(failure.explanation(account: account, mailbox: mailbox))
    case .step(let text): writeNote(text)
    case .uploaded(let mailbox, let count, let all):
      writeNote("\(mailbox): \(count) of \(all) messages uploaded")
    case .skipped, .file, .made, .planned, .elsewhere, .unkept, .difference, .finished:
      if context.globals.json {
        guard let line = RestorationLine.line(event, account, isDryRun: isDryRun) else { return }
        context.console.print(octets: line.octets)
      } else {
        show(event)
      }
    }
  }

  /// Shows what it came to.
  func report(_ report: RestorationReport) {
    if context.globals.json {
      let line = RestorationLine.line(report, account, isDryRun: isDryRun)
      context.console.print(octets: line.octets)
    } else if report.failure == nil, !context.globals.quiet {
      context.console.print(RestorationWords.summary(report, account, isDryRun: isDryRun))
    }
  }

  private func writeNote(_ text: String) {
    guard context.globals.verbose else { return }
    context.console.writeNote("\(account)/\(text)")
  }

  private func show(_ event: RestorationEvent) {
    switch event {
    case .skipped(let entry):
      let (what, hint) = RestorationWords.text(entry.reason)
      context.report(place: entry.path.display, what, hint: hint)
    case .file(let mailbox, let path, let problem):
      var explanation = SyncFailure.file(path.lastComponent, problem)
        .explanation(account: account, mailbox: mailbox)
      explanation.place = path.display
      context.report(explanation)
    case .unkept(let mailbox, let flags, let keywords):
      print(mailbox, "does not keep \(RestorationWords.list(flags, keywords))")
    case .made(let mailbox): print(mailbox, isDryRun ? "would be made" : "made")
    case .planned(let mailbox, let path, let octets):
      guard context.globals.verbose else { return }
      print(mailbox, "\(path.display): \(octets) octets would be uploaded")
    case .elsewhere(let mailbox, let path, let there):
      guard context.globals.verbose else { return }
      print(mailbox, "\(path.display): the server has it in \(there)")
    case .difference(let mailbox, let path, let uid, let difference, let isNew):
      guard isNew || difference.isLoss || context.globals.verbose else { return }
      let message = uid.map { "UID \($0) " } ?? ""
      let text = "\(message)\(path.display): \(RestorationWords.text(difference))"
      context.console.print("\(Printable.text(account.utf8))/\(mailbox): \(text)")
    case .finished(let mailbox, let counts):
      print(mailbox, RestorationWords.text(counts, isDryRun: isDryRun))
    case .problem, .step, .uploaded: return
    }
  }

  private func print(_ mailbox: String, _ text: String) {
    guard !context.globals.quiet else { return }
    context.console.print("\(Printable.text(account.utf8))/\(mailbox): \(text)")
  }
}
