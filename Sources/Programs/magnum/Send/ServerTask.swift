internal import MailModel
internal import CommandLine
internal import Configuration
internal import Octets
internal import Outgoing
internal import Platform
internal import SMTP
internal import Sendmail
internal import Submission
internal import Terminal

/// What the server of an account offers (`--serverinfo`); nothing is sent.
struct ServerTask {
  private let request: SendmailRequest
  private let context: CommandContext

  init(_ request: SendmailRequest, _ context: CommandContext) {
    self.request = request
    self.context = context
  }

  func run() throws(Explanation) -> ExitStatus {
    let configuration = try ConfigurationSource(request).load()
    let choice = AccountChoice(configuration, user: SendEnvironment.user)
    let named = try choice.sender(namedBy: request)
    let sender = if let named { named } else { try choice.sender(for: []) }
    if case .program = sender.server {
      throw Explanation(
        .unavailable,
        place: sender.name,
        "send-command has no server that could be asked",
        hint: "magnum accounts test \(sender.name) looks whether the program is there"
      )
    }
    Interruption.shared.watchSignals()
    let console = context.console
    let note: @Sendable (String) -> Void = { console.writeNote($0) }
    do throws(SubmissionFailure) {
      let probe = try SubmissionProbe(
        sender,
        interruption: .shared,
        trace: request.isVerbose ? note : nil
      )
      let way = probe.isEncrypted ? "TLS" : "not encrypted"
      console.print(
        "account \(Printable.text(sender.name.utf8)) through \(sender.server): \(way)"
      )
      for line in probe.extensions.lines { console.print("    \(Printable.text(line))") }
      return .success
    } catch {
      throw error.explanation
    }
  }
}
