internal import Octets

extension ConfigurationKey {
  /// The keys of an account that are about sending mail.
  static let sending: [ConfigurationKey] = whoSends + whereTo + submissionSecrets + submissionTrust

  private static let whoSends: [ConfigurationKey] = [
    ConfigurationKey("name", in: .account, .string) { value, draft throws(Mistake) in
      draft.sending.fullName = try value.text()
    },
    ConfigurationKey("addresses", in: .account, .strings) { value, draft throws(Mistake) in
      draft.sending.addresses = try value.addresses()
    },
  ]

  private static let whereTo: [ConfigurationKey] = [
    ConfigurationKey("smtp", in: .account, .string) { value, draft throws(Mistake) in
      draft.sending.server = try value.submissionServer()
    },
    ConfigurationKey("smtp-user", in: .account, .string, group: .submissionUser) {
      value,
      draft throws(Mistake) in
      draft.sending.user = try value.user()
    },
    ConfigurationKey(later: "sent-copy", in: .account, .string),
  ]

  private static let submissionSecrets: [ConfigurationKey] = [
    secret("smtp-password-command", .command) { value throws(Mistake) in
      .passwordCommand(try value.command())
    },
    secret("smtp-token-command", .command) { value throws(Mistake) in
      .tokenCommand(try value.command())
    },
    secret("smtp-password-file", .string) { value throws(Mistake) in
      .passwordFile(try value.path())
    },
    secret("smtp-password-credential", .string) { value throws(Mistake) in
      .credential(try value.credential())
    },
    secret("smtp-password", .string) { value throws(Mistake) in
      .inline(try value.inlineSecret())
    },
  ]

  private static func secret(
    _ name: String,
    _ kind: KeyKind,
    source: @escaping @Sendable (KeyValue) throws(Mistake) -> SecretSource
  ) -> ConfigurationKey {
    ConfigurationKey(name, in: .account, kind, group: .submissionSecret) {
      value,
      draft throws(Mistake) in
      draft.sending.secret = try source(value)
    }
  }

  private static let submissionTrust: [ConfigurationKey] = [
    ConfigurationKey("smtp-tls-ca-file", in: .account, .string, group: .submissionTrust) {
      value,
      draft throws(Mistake) in
      draft.sending.trustFile = try value.path()
      draft.sending.fingerprint = nil
    },
    ConfigurationKey("smtp-tls-fingerprint", in: .account, .string, group: .submissionTrust) {
      value,
      draft throws(Mistake) in
      draft.sending.fingerprint = try value.fingerprint()
      draft.sending.trustFile = nil
    },
  ]
}

extension KeyValue {
  /// The value of `addresses`: mail addresses, at least one.
  func addresses() throws(Mistake) -> [String] {
    let texts = try strings()
    guard !texts.isEmpty else { throw .badValue("must not be empty") }
    for text in texts where !Self.isAddress(text) {
      throw .badValue("\"\(Printable.text(text.utf8, limit: 100))\" is not a mail address")
    }
    return texts
  }

  /// The value of `delivery-log`.
  func deliveryLog() throws(Mistake) -> DeliveryLog {
    switch try text() {
    case "syslog": .syslog
    case "none": .none
    default: .file(try path())
    }
  }

  /// The value of `smtp`.
  func submissionServer() throws(Mistake) -> SubmissionServer {
    try SubmissionAddress.parse(try text())
  }
}
