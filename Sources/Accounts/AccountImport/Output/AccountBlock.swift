internal import Octets

/// An account as the text that is appended to the configuration.
package struct AccountBlock: Hashable, Sendable {
  /// A password that goes to a file of its own.
  package struct PasswordFile: Hashable, Sendable {
    /// The name of the file, which lies beside the configuration.
    package let name: String
    package let octets: [UInt8]
  }

  package let account: ImportedAccount
  private let directory: String

  package init(_ account: ImportedAccount, directory: String) {
    self.account = account
    self.directory = directory
  }

  /// The passwords to be written before the block counts.
  package var passwords: [PasswordFile] {
    [(account.imap, ""), (account.smtp, "smtp-")].compactMap { access, prefix in
      guard case .literal(let octets) = access?.secret else { return nil }
      if !prefix.isEmpty, access?.secret == account.imap?.secret { return nil }
      return PasswordFile(name: fileName(prefix), octets: octets)
    }
  }

  /// The lines of the sections, with a line end behind the last.
  package var text: String {
    let head = "[account.\(TOMLText.key(account.name))]"
    var sections = [[origin, head] + keys]
    if let oauth = account.oauth { sections.append([section("oauth")] + Self.keys(of: oauth)) }
    let roles = account.roles.sorted { $0.key < $1.key }
    if !roles.isEmpty {
      sections.append([section("roles")] + roles.map { "\($0.key) = \(TOMLText.string($0.value))" })
    }
    if !syncKeys.isEmpty { sections.append([section("sync")] + syncKeys) }
    for mailbox in account.mailboxes {
      let head =
        "[account.\(TOMLText.key(account.name)).mailbox.\(TOMLText.string(mailbox.pattern))]"
      sections.append([head] + Self.keys(of: mailbox.rules))
    }
    return sections.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
  }

  private var origin: String {
    let files = account.origins.joined(separator: " and ")
    return files.isEmpty
      ? "# Added by magnum accounts add." : "# Imported from \(files) by magnum accounts import."
  }

  private func section(_ name: String) -> String {
    "[account.\(TOMLText.key(account.name)).\(name)]"
  }

  private func fileName(_ prefix: String) -> String {
    "\(account.name).\(prefix)password"
  }

  // MARK: - Keys

  private var keys: [String] {
    var keys: [String] = []
    Self.add("address", account.address, to: &keys)
    Self.add("name", account.fullName, to: &keys)
    if !account.addresses.isEmpty {
      keys.append("addresses = \(TOMLText.array(account.addresses))")
    }
    Self.add("maildir", account.maildir, to: &keys)
    if account.isMaildirPlusPlus { Self.add("layout", "maildir++", to: &keys) }
    if let imap = account.imap {
      Self.add("imap", imap.address, to: &keys)
      Self.add("imap-command", imap.command, to: &keys)
      if imap.user != account.address { Self.add("user", imap.user, to: &keys) }
      addSecret(imap.secret, "", to: &keys)
      Self.addTrust(imap, "", to: &keys)
    }
    if let smtp = account.smtp { addSending(smtp, to: &keys) }
    return keys
  }

  private func addSending(_ smtp: ImportedAccount.Access, to keys: inout [String]) {
    Self.add("smtp", smtp.address, to: &keys)
    let user = account.imap?.user ?? account.address
    let hasLogin = smtp.secret != .none
    if hasLogin, smtp.user != user { Self.add("smtp-user", smtp.user, to: &keys) }
    if !hasLogin {
      if let imap = account.imap, imap.secret != .none { Self.add("smtp-login", "none", to: &keys) }
    } else if smtp.secret != account.imap?.secret {
      addSecret(smtp.secret, "smtp-", to: &keys)
    }
    var trust = smtp
    // What is trusted for IMAP holds for sending too.
    if trust.trustFile == account.imap?.trustFile { trust.trustFile = nil }
    if trust.clientCertificate == account.imap?.clientCertificate {
      trust.clientCertificate = nil
    }
    Self.addTrust(trust, "smtp-", to: &keys)
  }

  private func addSecret(_ secret: ImportedSecret, _ prefix: String, to keys: inout [String]) {
    switch secret {
    case .none, .oauth: break
    case .command(let line): Self.add("\(prefix)password-command", line, to: &keys)
    case .tokenCommand(let line): Self.add("\(prefix)token-command", line, to: &keys)
    case .file(let path): Self.add("\(prefix)password-file", path, to: &keys)
    case .literal, .missing:
      Self.add("\(prefix)password-file", "\(directory)/\(fileName(prefix))", to: &keys)
    }
  }

  private static func addTrust(
    _ access: ImportedAccount.Access,
    _ prefix: String,
    to keys: inout [String]
  ) {
    // Only one of the two may be given, and the fingerprint is the stricter one.
    if let fingerprint = access.fingerprint {
      add("\(prefix)tls-fingerprint", fingerprint, to: &keys)
    } else {
      add("\(prefix)tls-ca-file", access.trustFile, to: &keys)
    }
    guard let certificate = access.clientCertificate else { return }
    add("\(prefix)tls-client-certificate", certificate, to: &keys)
    add("\(prefix)tls-client-key", access.clientKey, to: &keys)
  }

  private static func keys(of oauth: ImportedAccount.OAuth) -> [String] {
    var keys: [String] = []
    switch oauth.server {
    case .provider(let name): add("provider", name, to: &keys)
    case .issuer(let address): add("issuer", address, to: &keys)
    }
    add("client-id", oauth.clientID, to: &keys)
    add("client-secret-command", oauth.clientSecretCommand, to: &keys)
    return keys
  }

  private var syncKeys: [String] {
    let sync = account.sync
    var keys: [String] = []
    Self.add("namespace", sync.namespace, to: &keys)
    if !sync.folders.isEmpty { keys.append("folders = \(TOMLText.table(sync.folders))") }
    Self.add("direction", sync.rules.direction, to: &keys)
    if !sync.include.isEmpty { keys.append("include = \(TOMLText.array(sync.include))") }
    if !sync.exclude.isEmpty { keys.append("exclude = \(TOMLText.array(sync.exclude))") }
    Self.add("window", sync.window, to: &keys)
    if let connections = sync.connections { keys.append("connections = \(connections)") }
    if sync.allMail { keys.append("all-mail = true") }
    var rules = sync.rules
    rules.direction = nil
    return keys + Self.keys(of: rules)
  }

  private static func keys(of rules: ImportedAccount.Rules) -> [String] {
    var keys: [String] = []
    for key in rules.keys { add(key.name, key.value, to: &keys) }
    return keys
  }

  private static func add(_ key: String, _ value: String?, to keys: inout [String]) {
    if let value { keys.append("\(key) = \(TOMLText.string(value))") }
  }
}
