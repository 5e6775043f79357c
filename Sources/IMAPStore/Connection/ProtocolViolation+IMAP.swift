internal import IMAP
internal import MailStore

extension ProtocolViolation {
  /// What the session found wrong.
  init(_ error: ProtocolError) {
    self.init(
      rule: "\(error.problem)",
      isOtherProtocol: error.problem == .noGreeting,
      line: error.line
    )
  }

  /// What is wrong, where it is not the session that finds it.
  init(_ problem: Problem, line: some Collection<UInt8> = []) {
    self.init(ProtocolError(problem, line: line))
  }
}
