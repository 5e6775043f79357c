internal import Platform
internal import Transport

extension SyncFailure {
  /// Whether the connection broke and a new one may do better.
  package var isLostConnection: Bool {
    switch self {
    case .transport(.closed), .transport(.closedInHandshake), .transport(.timedOut),
      .transport(.noAnswer), .transport(.system), .transport(.damagedCompression), .hungUp:
      true
    case .transport(.nameNotFound), .transport(.connect), .transport(.tls),
      .transport(.interrupted), .transport(.proxy), .transport(.proxyUnreachable),
      .transport(.tunnel), .protocolViolation, .greetingRefused,
      .startTLSUnavailable, .authenticationExchange, .secret, .secretRefused, .secretRefusedBefore,
      .notNow, .pausing, .loginsUsedUp, .identityWanted, .commandRefused, .system, .locked,
      .lockUnsupported, .rootMissing, .otherOrigin, .layoutChanged, .labels, .newerState, .message,
      .file,
      .mailbox, .nothingToMirror, .unknownName, .hook, .interrupted:
      false
    }
  }

  /// Whether a disk is full.
  package var isOutOfSpace: Bool {
    if case .system(let error) = self { error.isOutOfSpace } else { false }
  }

  /// Whether what was asked last may be why nothing more comes over the connection.
  package var isBreak: Bool { isLostConnection || isProtocolViolation }

  /// Whether the server named a limit.
  package var isLimit: Bool {
    if case .notNow = self { true } else { false }
  }

  /// Whether the server named a time for which it wants to be left alone.
  package var wantsPause: Bool {
    if case .notNow(_, .pause(seconds: .some), _) = self { true } else { false }
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
    return command.opensMailbox && reply.cause == .unavailable
  }

  /// Whether nothing more can be done over the connection.
  package var endsConnection: Bool {
    switch self {
    case .transport, .hungUp, .protocolViolation, .interrupted, .notNow, .loginsUsedUp,
      .identityWanted:
      true
    case .greetingRefused, .startTLSUnavailable, .authenticationExchange, .secret, .secretRefused,
      .secretRefusedBefore, .pausing, .commandRefused, .system, .locked, .lockUnsupported,
      .rootMissing, .otherOrigin, .layoutChanged, .labels, .newerState, .message, .file, .mailbox,
      .nothingToMirror, .unknownName, .hook:
      false
    }
  }
}
