/// What keeps an account from sending anything at all.
package enum AccountProblem: Hashable, Sendable {
  /// The server cannot now: 421 anywhere, 4yz before a transaction (454 to AUTH too).
  case temporary

  /// User name, password or token is wrong: 535 to AUTH, or any 5yz with status 5.7.8.
  case credentials

  /// The mechanism is not good enough for this user: 534 to AUTH; often "application password required".
  case mechanism

  /// The server wants AUTH first, or STARTTLS: 530 to AUTH; where there was no AUTH also 530 or 535 to MAIL, and 530 to RCPT.
  case authenticationRequired

  /// The mechanism needs an encrypted connection: 538 to AUTH.
  case encryptionRequired

  /// The server refuses for good for another reason.
  case permanent

  /// Whether another secret, user or mechanism would help.
  package var isAuthentication: Bool {
    switch self {
    case .credentials, .mechanism, .authenticationRequired: true
    case .temporary, .encryptionRequired, .permanent: false
    }
  }
}
