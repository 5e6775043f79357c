internal import Octets

/// How offlineimap reaches a server, as Magnum writes it.
struct OfflineIMAPServer {
  private(set) var access = ImportedAccount.Access()
  private(set) var remarks: [Remark] = []
  private(set) var isGmail = false
  private let head: Directive

  /// Takes what a repository says.
  ///
  /// - Throws: where there is no host and no tunnel, or no name to log in with.
  init(_ head: Directive, _ set: inout DirectiveSet) throws(ImportProblem) {
    self.head = head
    isGmail = set.takeLast("type")?.value.lowercased() == "gmail"
    let tunnel = set.takeLast("preauthtunnel", "transporttunnel")
    let user = set.takeLast("remoteuser")
    access.user = user?.value
    if let tunnel {
      access.command = tunnel.value
      remarks += set.takeAll(Self.tlsWords).map { Remark($0, .notNeeded, Trust.besideTunnel) }
    } else {
      try takeAddress(&set)
      takeTrust(&set)
    }
    takeSecret(&set)
    if tunnel == nil, user == nil {
      let text = "no remoteuser: a name to log in with is needed"
      throw ImportProblem(Remark(head, .notImported, text))
    }
  }

  private static let tlsWords = [
    "remotehost", "remoteport", "ssl", "starttls", "ssl_version", "tls_level", "sslcacertfile",
    "cert_fingerprint", "sslclientcert", "sslclientkey",
  ]

  static func isYes(_ directive: Directive?, otherwise: Bool) -> Bool {
    guard let directive else { return otherwise }
    return ["yes", "true", "on", "1"].contains(directive.value.lowercased())
  }

  // MARK: - Address

  private mutating func takeAddress(_ set: inout DirectiveSet) throws(ImportProblem) {
    let ssl = set.takeLast("ssl")
    let start = set.takeLast("starttls")
    let port = set.takeLast("remoteport")
    let host = set.takeLast("remotehost")
    guard let name = host?.value ?? (isGmail ? "imap.gmail.com" : nil) else {
      throw ImportProblem(Remark(head, .notImported, "no remotehost"))
    }
    let security: ServerChoice.Security =
      Self.isYes(ssl, otherwise: true)
      ? .implicit : Self.isYes(start, otherwise: true) ? .startTLS : .none
    let choice = ServerChoice(.imap, host: name, port: port?.value, security: security)
    guard let address = choice.address else {
      throw ImportProblem(Remark(port ?? host ?? head, .notImported, "not a host with a port"))
    }
    if choice.wasUnsafe { remarks.append(Remark(start ?? ssl ?? head, .weakensTLS, Trust.noTLS)) }
    access.address = address
  }

  // MARK: - Certificates

  private mutating func takeTrust(_ set: inout DirectiveSet) {
    let isClear = access.address?.hasPrefix("imap+plain") ?? false
    if let file = set.takeLast("sslcacertfile"), !isClear, !Trust.isSystemBundle(file.value) {
      access.trustFile = file.value
      remarks.append(Remark(file, .approximated, "the system's certificates are trusted too"))
    }
    if let fingerprint = set.takeLast("cert_fingerprint"), !isClear {
      access.fingerprint = Trust.fingerprint(fingerprint.value)
      if access.fingerprint == nil {
        remarks.append(Remark(fingerprint, .noEquivalent, Trust.otherDigest))
      }
    }
    if !isClear {
      remarks += access.takeClientCertificate(&set, "sslclientcert", "sslclientkey")
    }
    for version in set.takeAll(["ssl_version", "tls_level"]) {
      let isSafe = Self.safeVersions.contains(version.value)
      remarks.append(Remark(version, isSafe ? .notNeeded : .weakensTLS, Trust.oldTLS))
    }
  }

  private static let safeVersions = [
    "tls1_2", "tls1_3", "tls_secure", "tls_compat", "tls_no_ssl",
  ]

  // MARK: - The secret

  private mutating func takeSecret(_ set: inout DirectiveSet) {
    let mechanisms = set.takeLast("auth_mechanisms")
    let password = set.takeLast("remotepass")
    let file = set.takeLast("remotepassfile")
    // In the order that offlineimap has.
    if let password {
      access.secret = .literal(Array(password.value.utf8))
      remarks.append(Remark(password, .secret, "goes to a file of its own, mode 0600"))
      if let file { remarks.append(.unused(file, since: password)) }
    } else if let file {
      access.secret = .file(file.value)
    } else if access.command == nil {
      access.secret = .missing
      let text = "no password that could be taken over; write it to the account's password-file"
      remarks.append(Remark(head, .toDo, text))
    }
    guard let mechanisms else { return }
    let words = mechanisms.value.lowercased().split(separator: ",").map {
      $0.filter { $0 != " " }
    }
    let known = ["plain", "login", "cram-md5"]
    if !words.contains(where: { known.contains($0) }) {
      let text = "there is log-in with a password, or with a token from token-command"
      remarks.append(Remark(mechanisms, .noEquivalent, text))
    }
  }
}
