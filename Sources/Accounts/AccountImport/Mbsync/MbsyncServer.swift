internal import Octets

/// How mbsync reaches a server, as Magnum writes it.
struct MbsyncServer {
  private(set) var access = ImportedAccount.Access()
  private(set) var remarks: [Remark] = []
  /// Whether the server is Gmail's, whose mailboxes are labels.
  private(set) var isGmail = false
  private let head: Directive

  /// Reads an account, or a store without one.
  ///
  /// - Throws: where there is no host and no tunnel, or no name to log in with.
  init(_ section: MbsyncFile.Section, _ set: inout DirectiveSet) throws(ImportProblem) {
    head = section.head
    let tunnel = set.takeLast("Tunnel")
    let host = set.takeLast("Host")
    let user = set.takeLast("User")
    let mechanisms = set.takeLast("AuthMechs", "AuthMech")
    access.user = user?.value
    if let tunnel {
      access.command = tunnel.value
      remarks += set.takeAll(Self.tlsWords + ["Port"]).map {
        Remark($0, .notNeeded, Trust.besideTunnel)
      }
      if let host { remarks.append(Remark(host, .notNeeded, Trust.besideTunnel)) }
    } else {
      try takeAddress(host, &set)
      takeTrust(&set)
    }
    takeSecret(mechanisms, &set)
    if tunnel == nil, user == nil {
      guard let command = set.takeLast("UserCmd") else {
        throw ImportProblem(Remark(head, .notImported, "no User: a name to log in with is needed"))
      }
      let text =
        "user takes a name, not a command: write User with what it prints, and import again"
      throw ImportProblem(Remark(command, .notImported, text))
    }
  }

  private static let tlsWords = [
    "SSLType", "TLSType", "UseIMAPS", "RequireSSL", "SSLVersion", "SSLVersions", "TLSVersions",
    "CertificateFile", "SystemCertificates", "ClientCertificate", "ClientKey",
  ]

  // MARK: - Address

  private mutating func takeAddress(
    _ host: Directive?,
    _ set: inout DirectiveSet
  ) throws(ImportProblem) {
    let type = set.takeLast("SSLType", "TLSType")
    let old = [set.takeLast("UseIMAPS"), set.takeLast("RequireSSL")]
    guard let host else {
      throw ImportProblem(Remark(head, .notImported, "no Host and no Tunnel"))
    }
    let port = set.takeLast("Port")
    var name = host.value
    var security = Self.security(type, old)
    if name.hasPrefix("imaps:") { (name, security) = (String(name.dropFirst(6)), .implicit) }
    if name.hasPrefix("imap:") { name = String(name.dropFirst(5)) }
    let choice = ServerChoice(.imap, host: name, port: port?.value, security: security)
    guard let address = choice.address else {
      throw ImportProblem(Remark(port ?? host, .notImported, "not a host with a port"))
    }
    if choice.wasUnsafe { remarks.append(Remark(type ?? host, .weakensTLS, Trust.noTLS)) }
    access.address = address
    isGmail = ["imap.gmail.com", "imap.googlemail.com"].contains(name.lowercased())
  }

  private static func security(_ type: Directive?, _ old: [Directive?]) -> ServerChoice.Security {
    switch type?.value.lowercased() {
    case "imaps": .implicit
    case "none": .none
    case nil where old[0].map { isYes($0.value) } ?? false: .implicit
    default: .startTLS
    }
  }

  static func isYes(_ value: String) -> Bool {
    ["yes", "true", "on", "1"].contains(value.lowercased())
  }

  // MARK: - Certificates

  private mutating func takeTrust(_ set: inout DirectiveSet) {
    if let file = set.takeLast("CertificateFile"), !Trust.isSystemBundle(file.value) {
      access.trustFile = file.value
      remarks.append(
        Remark(
          file,
          .approximated,
          "a server's own certificate in it has to be valid too, with the host's name; "
            + "tls-fingerprint accepts any"
        )
      )
    }
    remarks += access.takeClientCertificate(&set, "ClientCertificate", "ClientKey")
    if let system = set.takeLast("SystemCertificates"), !Self.isYes(system.value) {
      remarks.append(Remark(system, .approximated, "the system's certificates are trusted too"))
    }
    for versions in set.takeAll(["SSLVersion", "SSLVersions", "TLSVersions"]) {
      let isOld = versions.arguments.contains(where: Self.isOld)
      remarks.append(Remark(versions, isOld ? .weakensTLS : .notNeeded, Trust.oldTLS))
    }
  }

  private static func isOld(_ version: String) -> Bool {
    ["sslv2", "sslv3", "tlsv1", "tlsv1.0", "tlsv1.1", "+1.0", "+1.1", "1.0", "1.1"]
      .contains(version.lowercased())
  }

  // MARK: - The secret

  private mutating func takeSecret(_ mechanisms: Directive?, _ set: inout DirectiveSet) {
    let command = set.takeLast("PassCmd")
    let password = set.takeLast("Pass")
    let words = mechanisms?.arguments.map { $0.lowercased() } ?? []
    let isToken = words.contains { ["xoauth2", "oauthbearer"].contains($0) }
    if let mechanisms, !isToken { remark(on: mechanisms, words) }
    if let command {
      let line = command.value.hasPrefix("+") ? String(command.value.dropFirst()) : command.value
      access.secret = isToken ? .tokenCommand(line) : .command(line)
      if command.value.hasPrefix("+") {
        let text = "the command cannot ask at a terminal: its standard input is empty"
        remarks.append(Remark(command, .approximated, text))
      }
      if let password { remarks.append(.unused(password, since: command)) }
    } else if let password {
      access.secret = .literal(Array(password.value.utf8))
      remarks.append(Remark(password, .secret, "goes to a file of its own, mode 0600"))
    } else if access.command == nil {
      access.secret = .missing
      remarks.append(
        Remark(head, .toDo, "mbsync asks for the password; write it to the account's password-file")
      )
    }
  }

  private mutating func remark(on mechanisms: Directive, _ words: [String]) {
    let known = ["*", "plain", "login", "cram-md5", "scram-sha-1", "scram-sha-256", "digest-md5"]
    guard !words.contains(where: { known.contains($0) }) else { return }
    remarks.append(
      Remark(mechanisms, .noEquivalent, "there is log-in with a password or a token only")
    )
  }
}
