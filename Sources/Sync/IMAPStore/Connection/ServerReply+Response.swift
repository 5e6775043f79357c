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
