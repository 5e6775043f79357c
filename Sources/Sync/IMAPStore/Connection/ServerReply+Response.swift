internal import IMAP
internal import MailStore

extension ServerReply {
  /// What an IMAP server answered (RFC 9051 §7.1, RFC 5530 §3).
  init(_ response: StatusResponse) {
    self.init(Self.cause(response), text: response.text)
  }

  private static func cause(_ response: StatusResponse) -> Cause {
    guard response.kind != .bad else { return .notUnderstood }
    switch response.code {
    case .noPermission: return .forbidden
    case .unavailable, .inUse: return .unavailable
    case .limit, .overQuota, .serverBug, .tryCreate: return .passing
    case .alert, .capability, .uidValidity, .uidNext, .highestModSequence, .noModSequence,
      .permanentFlags, .readOnly, .readWrite, .unseen, .closed, .authenticationFailed,
      .authorizationFailed, .expired, .privacyRequired, .contactAdministrator, .clientBug, .cannot,
      .alreadyExists, .nonexistent, .tooBig, .useAttribute, .hasChildren, .expungeIssued, .parse,
      .badCharset, .uidNotSticky, .mailboxID, .modified, .appendUID, .copyUID, .other, nil:
      return .unspecified
    }
  }
}

extension ProtocolViolation {
  /// What the session found wrong.
  init(_ error: ProtocolError) {
    self.init(
      rule: error.problem.words,
      isOtherProtocol: error.problem == .noGreeting,
      line: error.line
    )
  }

  /// What is wrong, where it is not the session that finds it.
  init(_ problem: Problem, line: some Collection<UInt8> = []) {
    self.init(ProtocolError(problem, line: line))
  }
}

extension Problem {
  /// Which rule is broken, for people.
  fileprivate var words: String {
    switch self {
    case .noGreeting: "this is not an IMAP server"
    case .malformed: "a response that cannot be understood"
    case .unknownTag: "a reply to a command that was not sent"
    case .missingReply: "a command got no reply"
    case .loginDisturbed: "the login was refused because of what was sent behind it"
    case .prematureReply: "a command was answered before it was wholly sent"
    case .malformedChallenge: "its challenge for the login is not base64"
    case .lineTooLong(let limit): "a response of more than \(limit) octets"
    case .literalTooLarge(let size, let limit):
      "a literal of \(size) octets where \(limit) are the limit"
    case .listTooLong(let limit): "a list of more than \(limit) elements"
    case .nestedTooDeeply(let limit): "parentheses nested more than \(limit) deep"
    case .secondBody: "two bodies in one FETCH response"
    case .dataBeforeTLS: "it sent more before TLS had begun, as in an attack"
    }
  }
}
