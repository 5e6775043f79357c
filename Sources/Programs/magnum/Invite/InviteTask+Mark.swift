internal import CommandLine
internal import Configuration
internal import Correspondence
internal import Invitations
internal import MailModel
internal import MIME
internal import Octets
internal import Platform
internal import Protection
internal import Terminal
internal import Triage

// The message that is answered.
extension InviteTask {
  /// Tags the message with the answer, in the place of an earlier one, and flags it as answered, by an act.
  ///
  /// - Returns: the status to exit with; what goes wrong is reported, since the answer is in the queue.
  func mark(_ answer: InvitationAnswer) -> ExitStatus {
    guard let file = message.found.file, message.found.account != nil else { return .success }
    do throws(Explanation) {
      let others = InvitationAnswer.allCases.filter { $0 != answer }.map { "-\($0.rawValue)" }
      let verb = TriageVerb.tag(try TagEdit(others + ["+\(answer.rawValue)", "+replied"]))
      var rules = TargetRules()
      rules.allCopies = true
      let finder = try TargetFinder(configuration, rules, now: Clock.now())
      let triage = Triage(configuration, stateHome: Environment.stateHome)
      // Before it is looked for what is to be done: a command that was cut short may have begun it.
      try triage.finish()
      let targets = try finder.targets(lines: [file.path.octets], for: verb)
      let plan = try triage.plan(verb, targets, finder)
      let id = message.reading.message.header.messageID?.octets ?? []
      let command = Array("invite \(answer.rawValue) id:".utf8) + id
      let result = try triage.carryOut(plan, command: command)
      return result.failed.isEmpty && result.left.isEmpty ? .success : .partial
    } catch {
      var problem = error
      problem.what = "queued, but the message could not be tagged: \(error.what)"
      return context.report(problem)
    }
  }
}
