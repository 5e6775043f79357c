internal import MailModel
internal import Octets

extension ConfigurationKey {
  /// Every key there is, in the order of the manual page.
  static let all =
    root + account + roles + sync + mailbox + oauth + crypto + calendar + accountCrypto

  private static let crypto: [ConfigurationKey] = [
    ConfigurationKey("verify", in: .crypto, .string) { value, draft throws(Mistake) in
      draft.crypto.verification = try value.choice(CryptoSettings.Verification.self)
    },
    ConfigurationKey("decrypt", in: .crypto, .string) { value, draft throws(Mistake) in
      draft.crypto.decryption = try value.choice(CryptoSettings.Decryption.self)
    },
  ]

  private static let calendar: [ConfigurationKey] = [
    ConfigurationKey("directory", in: .calendar, .string) { value, draft throws(Mistake) in
      draft.calendar = try value.path()
    }
  ]

  private static let root: [ConfigurationKey] = [
    ConfigurationKey("default-account", in: .root, .string) { value, draft throws(Mistake) in
      draft.sending.defaultAccount = try value.text()
    },
    ConfigurationKey("delivery-log", in: .root, .string) { value, draft throws(Mistake) in
      draft.sending.log = try value.deliveryLog()
    },
    ConfigurationKey("message-size-limit", in: .root, .string) { value, draft throws(Mistake) in
      draft.sending.sizeLimit = try value.sizeLimit()
    },
    ConfigurationKey("index-filter-unconfined", in: .root, .boolean) {
      value,
      draft throws(Mistake) in
      draft.runsFiltersUnconfined = try value.boolean()
    },
  ]

  private static let account: [ConfigurationKey] =
    identity + place + serverSecrets + trust + serverCertificate + proxy + verdicts + sending

  private static let identity: [ConfigurationKey] = [
    ConfigurationKey("address", in: .account, .string) { value, draft throws(Mistake) in
      draft.address = try value.address()
    },
    ConfigurationKey("maildir", in: .account, .string) { value, draft throws(Mistake) in
      draft.maildir = try value.path()
    },
    ConfigurationKey("layout", in: .account, .string) { value, draft throws(Mistake) in
      draft.layout = try value.choice(FolderLayout.self)
    },
    ConfigurationKey("index", in: .account, .boolean) { value, draft throws(Mistake) in
      draft.isIndexed = try value.boolean()
    },
    ConfigurationKey("subject-threading", in: .account, .string) { value, draft throws(Mistake) in
      draft.subjectThreading = try value.choice(SubjectThreading.self)
    },
  ]

  private static let place: [ConfigurationKey] = [
    ConfigurationKey("imap", in: .account, .string, group: .server) {
      value,
      draft throws(Mistake) in
      draft.server = try value.server()
    },
    ConfigurationKey("imap-command", in: .account, .command, group: .server) {
      value,
      draft throws(Mistake) in
      draft.server = .command(try value.tunnelWords())
    },
    ConfigurationKey("early-login", in: .account, .boolean, group: .greeting, needsServer: true) {
      value,
      draft throws(Mistake) in
      draft.logsInEarly = try value.boolean()
    },
    ConfigurationKey("compress", in: .account, .string, needsServer: true) {
      value,
      draft throws(Mistake) in
      draft.compression = try value.choice(CompressionRule.self)
    },
    ConfigurationKey("labels", in: .account, .string, needsServer: true) {
      value,
      draft throws(Mistake) in
      draft.sync.labels = try value.choice(LabelStyle.self)
    },
    ConfigurationKey("user", in: .account, .string, needsServer: true) {
      value,
      draft throws(Mistake) in
      draft.user = try value.user()
    },
  ]

  private static let serverSecrets = secrets("", .secret, needsServer: true) { $1.secret = $0 }

  private static let trust: [ConfigurationKey] = [
    ConfigurationKey("tls-ca-file", in: .account, .string, group: .trust, needsServer: true) {
      value,
      draft throws(Mistake) in
      draft.trustFile = try value.path()
      draft.fingerprint = nil
    },
    ConfigurationKey("tls-fingerprint", in: .account, .string, group: .trust, needsServer: true) {
      value,
      draft throws(Mistake) in
      draft.fingerprint = try value.fingerprint()
      draft.trustFile = nil
    },
  ]

  private static let serverCertificate = clientCertificate(
    "",
    needsServer: true,
    \.clientCertificate
  )

  private static let verdicts: [ConfigurationKey] = [
    ConfigurationKey("authserv-id", in: .account, .strings) { value, draft throws(Mistake) in
      draft.verdictServers = try value.serverNames()
    },
    ConfigurationKey("authserv-hops", in: .account, .integer) { value, draft throws(Mistake) in
      draft.verdictHops = try value.integer(in: 0...TrustedServers.mostHops)
    },
  ]

  private static let roles: [ConfigurationKey] = MailboxRole.configurable.map { role in
    ConfigurationKey(role.rawValue, in: .roles, .string) { value, draft throws(Mistake) in
      draft.roles[role] = try value.mailbox()
    }
  }

  private static let sync: [ConfigurationKey] = [
    setting("namespace", .string) { value, sync throws(Mistake) in
      sync.namespace = try value.choice(NamespaceStyle.self)
    },
    setting("folders", .table) { value, sync throws(Mistake) in
      sync.folders = try value.folders()
    },
    setting("direction", .string) { value, sync throws(Mistake) in
      sync.direction = try value.choice(SyncDirection.self)
    },
    setting("include", .strings) { value, sync throws(Mistake) in
      sync.include = try value.orderedPatterns()
    },
    setting("exclude", .strings) { value, sync throws(Mistake) in
      sync.exclude = try value.patterns()
    },
    setting("window", .string) { value, sync throws(Mistake) in
      sync.window = try value.window()
    },
    setting("connections", .integer) { value, sync throws(Mistake) in
      sync.connections = try value.integer(in: 1...5)
    },
    setting("daily-limit", .string) { value, sync throws(Mistake) in
      sync.dailyLimit = try value.dailyLimit()
    },
    setting("size-limit", .string) { value, sync throws(Mistake) in
      sync.sizeLimit = try value.sizeLimit()
    },
    setting("cache-limit", .size) { value, sync throws(Mistake) in
      sync.cacheLimit = try value.cacheLimit()
    },
    setting("all-mail", .boolean) { value, sync throws(Mistake) in
      sync.allMail = try value.boolean()
    },
    setting("on-local-delete", .string) { value, sync throws(Mistake) in
      sync.localDeletion = try value.choice(LocalDeletion.self)
    },
    setting("on-remote-delete", .string) { value, sync throws(Mistake) in
      sync.remoteDeletion = try value.choice(RemoteDeletion.self)
    },
    setting("create", .string) { value, sync throws(Mistake) in
      sync.create = try value.choice(FolderSide.self)
    },
    setting("remove", .string) { value, sync throws(Mistake) in
      sync.remove = try value.choice(FolderSide.self)
    },
    setting("expunge", .string) { value, sync throws(Mistake) in
      sync.expunge = try value.choice(ExpungePolicy.self)
    },
    setting("post-sync", .command) { value, sync throws(Mistake) in
      sync.postSync = try value.command()
    },
    setting("idle-mailboxes", .strings) { value, sync throws(Mistake) in
      sync.idleMailboxes = try value.patterns()
    },
  ]

  private static func setting(
    _ name: String,
    _ kind: KeyKind,
    read: @escaping @Sendable (KeyValue, inout SyncSettings) throws(Mistake) -> Void
  ) -> ConfigurationKey {
    ConfigurationKey(name, in: .sync, kind, needsServer: true) { value, draft throws(Mistake) in
      try read(value, &draft.sync)
    }
  }
}
