internal import Octets

/// Finds the key of the configuration that was probably meant.
enum KeySuggestion {
  /// What to say about a name that is no key of its section; nil where nothing comes near it.
  static func remedy(
    for name: String,
    in section: KeySection,
    below parents: [String]
  ) -> String? {
    let keys = ConfigurationKey.all
    let own = keys.filter { $0.section == section }.map(\.name) + section.sections
    if let key = keys.first(where: { $0.name == name }) {
      if key.section == .root { return "it belongs at the top, before the first section" }
      if let place = place(of: key, from: parents) { return "it belongs in [\(place)]" }
    }
    let words = name.lowercased()
    if let ours = otherNames[words] {
      if own.contains(ours) { return "\"\(ours)\" is its name here" }
      if let key = keys.first(where: { $0.name == ours }), let place = place(of: key, from: parents)
      {
        return "\"\(ours)\" in [\(place)] is its name here"
      }
    }
    if let advice = advice.first(where: { $0.names.contains(words) }) { return advice.text }
    if let near = Suggestion.nearest(to: name, among: own) { return "did you mean \"\(near)\"?" }
    guard let near = Suggestion.nearest(to: name, among: keys.map(\.name)),
      let key = keys.first(where: { $0.name == near }), let place = place(of: key, from: parents)
    else { return nil }
    return "did you mean \"\(near)\" in [\(place)]?"
  }

  /// The section that a key belongs to, named as seen from the section it was found in.
  private static func place(of key: ConfigurationKey, from parents: [String]) -> String? {
    let beside = [KeySection.crypto, .calendar].map(\.rawValue)
    let isOutside = parents.first.map { beside.contains($0) } ?? true
    let account = parents.first == "defaults" ? ["defaults"] : Array(parents.prefix(2))
    switch key.section {
    case .root: return nil
    case .crypto, .calendar: return key.section.rawValue
    case .account: return isOutside ? "account.NAME" : KeyName.text(account)
    case .roles, .sync, .mailbox, .oauth, .store, .accountCrypto:
      let base = isOutside ? "account.NAME" : KeyName.text(account)
      if key.section == .mailbox { return base + ".mailbox.\"PATTERN\"" }
      if key.section == .accountCrypto { return base + "." + KeySection.crypto.rawValue }
      let section = key.section == .store ? "oauth.store" : key.section.rawValue
      return base + "." + section
    }
  }

  /// What other programs call the same thing.
  static let otherNames: [String: String] = [
    "channel": "account",
    "email": "address",
    "from": "address",
    "host": "imap",
    "server": "imap",
    "tunnel": "imap-command",
    "path": "maildir",
    "inbox": "maildir",
    "username": "user",
    "login": "user",
    "pass": "password",
    "passcmd": "password-command",
    "passwordeval": "password-command",
    "remotepasseval": "password-command",
    "certificatefile": "tls-ca-file",
    "tls_trust_file": "tls-ca-file",
    "clientcertificate": "tls-client-certificate",
    "sslclientcert": "tls-client-certificate",
    "tls_cert_file": "tls-client-certificate",
    "clientkey": "tls-client-key",
    "sslclientkey": "tls-client-key",
    "tls_key_file": "tls-client-key",
    "tls_fingerprint": "tls-fingerprint",
    "cert_fingerprint": "tls-fingerprint",
    "patterns": "include",
    "pattern": "include",
    "folderincludes": "include",
    "usenamespace": "namespace",
    "nametrans": "folders",
    "mailboxes": "mailbox",
    "folder": "mailbox",
    "maxconnections": "connections",
    "maxage": "window",
    "expire": "window",
    "mode": "direction",
    "read-only": "direction",
    "readonly": "direction",
    "source": "imap",
    "outgoing": "smtp",
    "imap-host": "imap",
    "imap-server": "imap",
    "smtp-host": "smtp",
    "smtp-server": "smtp",
    "remotehost": "imap",
    "remoteuser": "user",
    "remotepass": "password",
    "localfolders": "maildir",
    "folderfilter": "include",
    "realname": "name",
    "full-name": "name",
    "aliases": "addresses",
    "alternates": "addresses",
    "signature": "signature-file",
    "copy-to": "sent-copy",
    "oauth2": "oauth",
  ]

  /// What has no key of its own, and where it is said.
  private static let advice: [(names: Set<String>, text: String)] = [
    (["port", "imap-port"], "write it behind the host: imap = \"imaps://HOST:PORT\""),
    (["smtp-port"], "write it behind the host: smtp = \"smtps://HOST:PORT\""),
    (
      [
        "tls", "ssl", "starttls", "use-tls", "usestarttls", "ssltype", "tlstype", "tls_starttls",
        "encryption", "security",
      ],
      "the address says it: imaps:// and smtps:// begin with TLS, imap:// and smtp:// with STARTTLS"
    ),
  ]
}
