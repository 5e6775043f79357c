internal import Agents
internal import CommandLine
internal import Configuration
internal import Glibc
internal import MailModel
internal import Octets
internal import Terminal

/// Asks a person at a terminal whether a message that an agent wrote is sent: nothing else has it sent.
struct AgentApproval {
  private let agent: [UInt8]
  private let context: CommandContext

  init(of agent: [UInt8], _ context: CommandContext) {
    (self.agent, self.context) = (agent, context)
  }

  /// Whether a person is there who sees all that is shown: standard input, output and errors are a terminal.
  var isPossible: Bool { context.console.canAsk }

  /// Shows the message, and asks.
  ///
  /// - Parameters:
  ///   - question: what is asked.
  ///   - message: the message as it is sent, in clear text.
  ///   - addresses: to whom it goes.
  ///   - configuration: where the addresses are looked for; nil where there is none.
  /// - Returns: whether the person said yes.
  /// - Throws: that the message cannot be read.
  func ask(
    _ question: String,
    about message: any OctetSource,
    to addresses: [[UInt8]],
    _ configuration: Configuration?
  ) throws(Explanation) -> Bool {
    let review = try MessageReview(agent: agent, message, to: addresses, configuration)
    let width = TerminalTraits.of(descriptor: 1).width
    for row in review.rows(width: width) { context.console.print(row) }
    // What was typed before it was shown is no answer.
    tcflush(0, TCIFLUSH)
    return context.console.confirm(question)
  }
}
