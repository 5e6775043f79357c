internal import Octets

/// How msmtp reaches a server, as Magnum writes it.
struct MsmtpServer {
  private(set) var access = ImportedAccount.Access()
  private(set) var remarks: [Remark] = []
  private let head: Directive

  /// Reads the directives of an account.
  ///
  /// - Throws: where there is no host, or the server is none that Magnum speaks to.
  init(_ account: MsmtpFile.Account, _ set: inout DirectiveSet) throws(ImportProblem) {
    head = account.head
    if let kind = set.takeLast("protocol"), kind.value.lowercased() != "smtp" {
      throw ImportProblem(Remark(kind, .notImported, "magnum-send speaks SMTP only"))
    }
    try takeAddress(&set)
    takeTrust(&set)
    takeSecret(&set)
  }

  // MARK: - Address

  private mutating func takeAddress(_ set: inout DirectiveSet) throws(ImportProblem) {
    let tls = set.takeLast("tls")
    let start = set.takeLast("tls_starttls")
    let port = set.takeLast("port")
    guard let host = set.takeLast("host") else {
      throw ImportProblem(Remark(head, .notImported, "no host"))
    }
    let isImplicit = start.map { !Self.isOn($0) } ?? false
    let security: ServerChoice.Security =
      !(tls.map(Self.isOn) ?? false) ? .none : isImplicit ? .implicit : .startTLS
    let choice = ServerChoice(
      .smtp,
      host: host.value,
      port: port?.value,
      otherPort: security == .implicit ? 465 : 25,
      security: security
    )
    guard let address = choice.address else {
      throw ImportProblem(Remark(port ?? host, .notImported, "not a host with a port"))
    }
    if choice.wasUnsafe { remarks.append(Remark(tls ?? host, .weakensTLS, Trust.noTLS)) }
    access.address = address
  }

  /// `on`, or nothing at all behind the word.
  static func isOn(_ directive: Directive) -> Bool {
    directive.arguments.isEmpty || directive.value.lowercased() == "on"
  }

  // MARK: - Certificates

  private mutating func takeTrust(_ set: inout DirectiveSet) {
    let isClear = access.address?.hasPrefix("smtp+plain") ?? false
    if let file = set.takeLast("tls_trust_file"), !file.value.isEmpty, !isClear,
      !Trust.isSystemBundle(file.value)
    {
      access.trustFile = file.value
      remarks.append(Remark(file, .approximated, "the system's certificates are trusted too"))
    }
    if let fingerprint = set.takeLast("tls_fingerprint"), !fingerprint.value.isEmpty, !isClear {
      access.fingerprint = Trust.fingerprint(fingerprint.value)
      if access.fingerprint == nil {
        remarks.append(Remark(fingerprint, .noEquivalent, Trust.otherDigest))
      }
    }
    if !isClear {
      remarks += access.takeClientCertificate(&set, "tls_cert_file", "tls_key_file")
    }
    if let check = set.takeLast("tls_certcheck"), !Self.isOn(check) {
      remarks.append(Remark(check, .weakensTLS, Trust.notVerified))
    }
    for check in set.takeAll(["tls_nocertcheck"]) {
      remarks.append(Remark(check, .weakensTLS, Trust.notVerified))
    }
  }

  // MARK: - The secret

  private static let passwords = [
    "on", "plain", "login", "cram-md5", "scram-sha-1", "scram-sha-256", "scram-sha-1-plus",
    "scram-sha-256-plus",
  ]

  private mutating func takeSecret(_ set: inout DirectiveSet) {
    let method = set.takeLast("auth")
    let user = set.takeLast("user")
    let command = set.takeLast("passwordeval")
    let password = set.takeLast("password")
    let word = method.map { $0.arguments.isEmpty ? "on" : $0.value.lowercased() } ?? "off"
    guard word != "off" else { return }
    guard let user else {
      if let method { remarks.append(Remark(method, .toDo, "no user to log in as: set smtp-user")) }
      access.secret = .missing
      return
    }
    access.user = user.value
    let isToken = ["xoauth2", "oauthbearer"].contains(word)
    if !isToken, !Self.passwords.contains(word), let method {
      let text = "there is log-in with a password or a token only"
      remarks.append(Remark(method, .noEquivalent, text))
    }
    // As msmtp has it: a command counts only where no password is written, also by an inherited one.
    if let password {
      access.secret = .literal(Array(password.value.utf8))
      remarks.append(Remark(password, .secret, "goes to a file of its own, mode 0600"))
      if let command { remarks.append(.unused(command, since: password)) }
    } else if let command {
      access.secret = isToken ? .tokenCommand(command.value) : .command(command.value)
    } else {
      access.secret = .missing
      let text =
        "msmtp asks for the password, or takes it from a keyring or ~/.netrc; write it to the account's smtp-password-file"
      remarks.append(Remark(head, .toDo, text))
    }
  }
}
