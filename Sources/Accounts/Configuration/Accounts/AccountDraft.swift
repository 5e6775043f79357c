internal import MailModel
internal import Platform

/// An account while its keys are read: first the defaults, then its own above them.
struct AccountDraft {
  var address: String?
  var maildir: Path?
  var layout = FolderLayout.verbatim
  var server: Server?
  var user: String?
  var secret = SecretSource.none {
    // A key for passwords takes the place of a login of the defaults.
    didSet { oauth = nil }
  }
  /// The login at an authorization server, which takes the place of ``secret``; nil where there is none.
  var oauth: OAuthDraft?
  var environment: ConfigurationEnvironment?
  var trustFile: Path?
  var fingerprint: [UInt8]?
  var clientCertificate = ClientCertificateDraft()
  var proxy = ProxyDraft()
  var roles: [MailboxRole: [UInt8]] = [:]
  var sync = SyncSettings.standard
  var isIndexed = true
  var subjectThreading: SubjectThreading?
  var verdictServers: [[UInt8]] = []
  var verdictHops = 0
  /// nil where there is no setting.
  var logsInEarly: Bool?
  var compression = CompressionRule.ifSlow
  var sending = SenderDraft()
  /// `index-filter-unconfined`, which stands at the top of the file alone.
  var runsFiltersUnconfined = false
  /// The section `crypto`, which stands beside the accounts.
  var crypto = CryptoSettings()

  /// The directory of the section `calendar`, which stands beside the accounts; nil for none.
  var calendar: Path?
}

extension AccountDraft {
  /// The finished account.
  ///
  /// - Throws: when a key is missing that this kind of account must have.
  func account(
    named name: String,
    file: ConfigurationFile
  ) throws(IncompleteAccount) -> Account {
    guard let maildir else {
      throw missing("maildir", remedy: "maildir = \"~/Mail/\(name)\" keeps its mail there")
    }
    let user = user ?? address ?? ""
    let secret: SecretSource = server == nil ? .none : try secretSource(named: name)
    let certificate = server == nil ? nil : clientCertificate.finished("")
    try checkLogIn(as: user, secret, certificate)
    try checkSizeLimit()
    try checkLabels()
    try checkProxy()
    return Account(
      name: name,
      address: address,
      maildir: maildir,
      layout: layout,
      server: server,
      user: user,
      secret: secret,
      trustFile: trustFile,
      clientCertificate: certificate,
      proxy: proxy.settings(for: server?.host),
      webProxy: proxy.rule,
      certificateUser: certificate == nil ? [] : Array((self.user ?? "").utf8),
      earlyLogin: EarlyLoginRule(logsInEarly, for: server),
      compression: compression,
      fingerprint: fingerprint,
      roles: roles,
      sync: sync,
      isIndexed: isIndexed,
      subjectThreading: subjectThreading,
      verdictServers: TrustedServers(names: verdictServers, hops: verdictHops),
      digest: AccountDigest.digest(
        server: server,
        user: user,
        secret: secret,
        certificate: certificate,
        file: file
      )
    )
  }

  /// A server that is reached over the network wants a name and a secret, or a certificate.
  private func checkLogIn(
    as user: String,
    _ secret: SecretSource,
    _ certificate: ClientCertificate?
  ) throws(IncompleteAccount) {
    switch server {
    case nil, .command: return
    case .imaps, .startTLS, .plain: break
    }
    if certificate != nil, secret == .none { return }
    guard !user.isEmpty else {
      throw missing("user", remedy: "set user, or address if that is the name to log in with")
    }
    guard secret == .none else { return }
    throw missing(
      "password-command",
      remedy: "set one of password-command, token-command, password-file, password-credential, "
        + "password, or add a section [account.NAME.oauth]"
    )
  }

  /// What the server loses cannot be kept, and what is here not be pushed, where parts of it are on the server only.
  private func checkSizeLimit() throws(IncompleteAccount) {
    guard sync.sizeLimit != nil else { return }
    let other: String
    if sync.remoteDeletion == .keep
      || sync.mailboxes.contains(where: { $0.remoteDeletion == .keep })
    {
      other = "on-remote-delete = \"keep\""
    } else if sync.direction == .push || sync.mailboxes.contains(where: { $0.direction == .push }) {
      other = "direction = \"push\""
    } else {
      return
    }
    throw IncompleteAccount(
      keys: [KeySection.sync.rawValue, "size-limit"],
      mistake: Mistake(
        .exclusive(with: other),
        remedy: "attachments that stay on the server are not here; remove one of the two"
      )
    )
  }

  /// All mail is in one folder where labels are tags, and each message is there.
  private func checkLabels() throws(IncompleteAccount) {
    guard sync.labels == .tags, let other = sync.conflictWithTags else { return }
    throw IncompleteAccount(
      keys: ["labels"],
      mistake: Mistake(.exclusive(with: other), remedy: "remove one of the two")
    )
  }

  func checkProxy() throws(IncompleteAccount) {
    if let (key, remedy) = proxy.missing { throw missing(key, remedy: remedy) }
  }

  private func missing(_ key: String, remedy: String) -> IncompleteAccount {
    IncompleteAccount(keys: [key], mistake: Mistake(.missing, remedy: remedy))
  }

  /// What speaks against a key or section that this account itself gives; `nil`: nothing.
  func objection(to name: String) -> Mistake? {
    let key = ConfigurationKey.named(name, in: .account)
    if let mistake = objectionToCertificate(key) ?? objectionToProxy(key) { return mistake }
    let isLogin = name == KeySection.oauth.rawValue
    let isSync = [KeySection.sync, .mailbox].contains { name == $0.rawValue }
    let needsServer = key?.needsServer ?? (isLogin || isSync)
    if key?.isForSendingToo ?? isLogin, sending.server?.hasLogin ?? false { return nil }
    if sending.server == nil, key?.isForSendingOnly ?? (name == KeySection.crypto.rawValue) {
      return Mistake(
        .noEffect(because: "without a server to send through"),
        remedy: "set smtp = \"submissions://HOST\", or remove this"
      )
    }
    if let other = sending.server?.objection(to: key?.group) {
      return Mistake(.noEffect(because: other), remedy: "remove it")
    }
    switch server {
    case nil where needsServer:
      return Mistake(
        .noEffect(because: "without a server"),
        remedy: "set imap = \"imaps://HOST\", or remove this"
      )
    case .plain where key?.group == .trust || key?.certificateKey == "tls-client-certificate":
      return Mistake(.noEffect(because: "on a connection without TLS"), remedy: "remove it")
    case .command
    where key?.group == .trust || key?.group == .greeting
      || key?.certificateKey == "tls-client-certificate":
      return Mistake(.noEffect(because: "with imap-command"), remedy: "remove it")
    case .startTLS where key?.group == .greeting:
      return Mistake(
        .noEffect(because: "with STARTTLS"),
        remedy: "set imap = \"imaps://HOST\", or remove this"
      )
    default:
      return nil
    }
  }
}

extension AccountDraft {
  /// What speaks against a key that belongs to a client certificate.
  private func objectionToCertificate(_ key: ConfigurationKey?) -> Mistake? {
    guard let key, let owner = key.certificateKey else { return nil }
    let isOfSending = owner.hasPrefix("smtp-")
    let draft = isOfSending ? sending.clientCertificate : clientCertificate
    guard draft.certificate != nil else {
      return Mistake(.noEffect(because: "without \(owner)"), remedy: "set \(owner), or remove this")
    }
    guard isOfSending else { return nil }
    switch sending.server {
    case .command: return Mistake(.noEffect(because: "with smtp-command"), remedy: "remove it")
    case .program: return Mistake(.noEffect(because: "with send-command"), remedy: "remove it")
    case .plain:
      return Mistake(.noEffect(because: "on a connection without TLS"), remedy: "remove it")
    case .implicitTLS, .startTLS, nil: return nil
    }
  }
}

extension AccountDraft {
  /// What speaks against a key about a proxy.
  private func objectionToProxy(_ key: ConfigurationKey?) -> Mistake? {
    switch key?.group {
    case .proxy:
      if case .none = proxy.choice { return nil }
      guard server?.host == nil, sending.server?.host == nil else { return nil }
      let reason =
        switch (server, sending.server) {
        case (.command, _): "with imap-command"
        case (_, .command): "with smtp-command"
        case (_, .program): "with send-command"
        default: "without a server"
        }
      return Mistake(.noEffect(because: reason), remedy: "remove it")
    case .proxyUser, .proxyPassword:
      guard case .through = proxy.choice else {
        return Mistake(.noEffect(because: "without proxy"), remedy: "set proxy, or remove this")
      }
      guard proxy.user != nil else {
        return Mistake(.noEffect(because: "without proxy-user"), remedy: "set proxy-user")
      }
      return nil
    default: return nil
    }
  }
}

extension SubmissionServer {
  /// Whether there may be a log-in.
  fileprivate var hasLogin: Bool {
    if case .program = self { false } else { true }
  }

  /// Where keys of the group mean nothing with it, why; nil where they mean something.
  fileprivate func objection(to group: KeyGroup?) -> String? {
    switch (self, group) {
    case (.command, .submissionTrust): "with smtp-command"
    case (.program, .submissionTrust), (.program, .submissionUser), (.program, .submissionSecret),
      (.program, .submissionLogin), (.program, .failureReports):
      "with send-command"
    case (.implicitTLS, .programRecipients), (.startTLS, .programRecipients),
      (.plain, .programRecipients), (.command, .programRecipients):
      "without send-command"
    default: nil
    }
  }
}

/// An account that lacks something, found when all its keys were read.
struct IncompleteAccount: Error {
  /// The key that is not there, or that means nothing, below the account.
  let keys: [String]
  let mistake: Mistake
}
