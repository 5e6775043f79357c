internal import Platform

/// Whether to log in before sending.
enum LoginRule: String, CaseIterable {
  /// With the secret there is, if there is one.
  case auto
  /// Never.
  case none
}

/// What the keys say about sending, while they are read.
struct SenderDraft {
  var defaultAccount: String?
  var log = DeliveryLog.syslog
  var sizeLimit = SizeLimit.standard
  var fullName: String?
  var addresses: [String] = []
  var server: SubmissionServer?
  /// `send-recipients`.
  var recipients = SendProgram.Recipients.arguments
  var user: String?
  var secret: SecretSource?
  var trustFile: Path?
  var fingerprint: [UInt8]?
  var clientCertificate = ClientCertificateDraft()
  var copy = SentCopyRule.auto
  var retry = RetryRules()
  var login = LoginRule.auto
  var shared = SharedAccountRules()
  var composing = ComposingSettings()
}

extension AccountDraft {
  /// The sender that the account is; `nil` without a server to send through.
  ///
  /// What is not said about sending itself is as for IMAP.
  /// - Throws: when there is a secret and no name to log in with; a key that cannot be of the method that signs.
  func sender(
    named name: String,
    file: ConfigurationFile
  ) throws(IncompleteAccount) -> Sender? {
    guard let server = sending.whole else { return nil }
    try sending.composing.protection.checkKey()
    try checkProxy()
    let secret = try submissionSecret(named: name)
    let user = sending.user ?? user ?? address ?? ""
    guard secret == .none || !user.isEmpty else {
      throw IncompleteAccount(
        keys: ["smtp-user"],
        mistake: Mistake(
          .missing,
          remedy: "set smtp-user, or address if that is the name to log in with"
        )
      )
    }
    let certificate = server.hasTLS ? submissionCertificate : nil
    let certificateUser =
      certificate == nil || sending.login == .none
      ? nil : Array((sending.user ?? self.user ?? "").utf8)
    let others = sending.addresses.filter { $0 != address }
    return Sender(
      name: name,
      addresses: (address.map { [$0] } ?? []) + others,
      fullName: sending.fullName,
      server: server,
      user: user,
      secret: secret,
      secretKey: secret.key.map { sending.secret == nil ? $0 : "smtp-" + $0 },
      trustFile: sending.fingerprint == nil ? sending.trustFile ?? trustFile : nil,
      fingerprint: sending.fingerprint,
      clientCertificate: certificate,
      proxy: proxy.settings(for: server.host),
      certificateUser: certificateUser,
      digest: AccountDigest.digest(
        place: server.description + (sending.recipients == .header ? " header" : ""),
        user: user,
        secret: secret,
        certificate: certificate,
        file: file
      ),
      copy: sending.copyRule,
      retry: sending.retry,
      shared: sending.shared,
      composing: sending.composing
    )
  }
}

extension SenderDraft {
  /// A program keeps no copy by itself.
  fileprivate var copyRule: SentCopyRule {
    if case .program = server, copy == .auto { .always } else { copy }
  }

  /// The way that messages go, with all that the keys say of it.
  fileprivate var whole: SubmissionServer? {
    guard case .program(var program) = server else { return server }
    program.recipients = recipients
    return .program(program)
  }
}

extension AccountDraft {
  /// What is not said of a certificate for sending is as for IMAP.
  private var submissionCertificate: ClientCertificate? {
    sending.clientCertificate.finished("smtp-") ?? clientCertificate.finished("")
  }

  private func submissionSecret(named name: String) throws(IncompleteAccount) -> SecretSource {
    if case .program = sending.server { return .none }
    if sending.login == .none { return .none }
    if let secret = sending.secret { return secret }
    // What the command reaches mostly trusts its machine: the secret of IMAP is not shown to it.
    if case .command = sending.server { return .none }
    return try secretSource(named: name)
  }
}

extension ConfigurationKey {
  /// Whether the key of an account holds for sending where nothing else is said for that.
  var isForSendingToo: Bool {
    name == "user" || name == "tls-ca-file" || group == .secret
      || certificateKey == "tls-client-certificate"
  }

  /// Whether the key means something only where mail is sent.
  var isForSendingOnly: Bool {
    if certificateKey == "smtp-tls-client-certificate" { return true }
    return switch group {
    case .submissionUser, .submissionSecret, .submissionTrust, .programRecipients: true
    case .failureReports, .proxy, .proxyUser, .proxyPassword, .server, .submissionServer,
      .submissionLogin, .secret,
      .trust, .greeting, .signature,
      .authorizationServer,
      nil:
      false
    }
  }
}
