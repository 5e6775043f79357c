internal import Platform
internal import Transport

extension SyncFailure {
  /// Whether the connection broke and a new one may do better.
  package var isLostConnection: Bool {
    switch self {
    case .transport(.closed), .transport(.closedInHandshake), .transport(.timedOut),
      .transport(.noAnswer), .transport(.system), .hungUp:
      true
    default: false
    }
  }

  /// Whether a disk is full.
  package var isOutOfSpace: Bool {
    switch self {
    case .system(let error): error.isOutOfSpace
    default: false
    }
  }

  /// Whether the server broke the protocol.
  package var isProtocolViolation: Bool {
    if case .protocolViolation = self { true } else { false }
  }

  /// Whether nothing more is to be done in the account.
  package var endsRun: Bool {
    if case .newerState = self { true } else { endsConnection }
  }

  /// Whether it is a mailbox that cannot be had for now.
  package var isPostponedMailbox: Bool {
    guard case .commandRefused(let command, let reply) = self else { return false }
    return (command == "SELECT" || command == "EXAMINE") && reply.cause == .unavailable
  }

  /// Whether nothing more can be done over the connection.
  package var endsConnection: Bool {
    switch self {
    case .transport, .hungUp, .protocolViolation, .interrupted, .notNow, .loginsUsedUp,
      .identityWanted:
      true
    default: false
    }
  }
}
