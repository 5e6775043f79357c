internal import OAuth
internal import Octets
internal import Platform

/// Condenses what a log-in consists of, so that a change of it can be noticed.
enum AccountDigest {
  /// 16 octets, hexadecimal digits, for these facts (64-bit FNV-1a; no protection against forgery).
  ///
  /// A password in the file goes in by the fingerprint of the file, so that the digest, which is kept on
  /// disk, cannot be used to try out passwords.
  static func digest(
    server: Server?,
    user: String,
    secret: SecretSource,
    certificate: ClientCertificate?,
    file: ConfigurationFile
  ) -> [UInt8] {
    digest(
      place: describe(server),
      user: user,
      secret: secret,
      certificate: certificate,
      file: file
    )
  }

  /// The same for a user of a server, whatever the secret.
  static func digest(server: Server?, user: String) -> [UInt8] {
    Hex.digits(hash([describe(server), user]))
  }

  /// The same for any kind of server, described so that different ones differ.
  static func digest(
    place: String,
    user: String,
    secret: SecretSource,
    certificate: ClientCertificate?,
    file: ConfigurationFile
  ) -> [UInt8] {
    var facts = [place, user, secret.key ?? ""]
    switch secret {
    case .passwordCommand(let command), .tokenCommand(let command): facts += describe(command)
    case .passwordFile(let path, _): facts += [path.display, fingerprint(of: path)]
    case .oauth(let settings): facts += describe(settings)
    case .inline, .withheld: facts.append(file.status.map { describe($0.fingerprint) } ?? "")
    case .credential(let name): facts.append(name)
    case .accessToken, .none: break
    }
    if let certificate { facts += describe(certificate) }
    return Hex.digits(hash(facts))
  }

  private static func describe(_ server: Server?) -> String {
    switch server {
    case nil: ""
    case .imaps(let host, let port): "imaps \(host) \(port)"
    case .startTLS(let host, let port): "imap \(host) \(port)"
    case .plain(let host, let port): "imap+plain \(host) \(port)"
    case .command(let words): "command " + words.joined(separator: "\0")
    }
  }

  private static func describe(_ certificate: ClientCertificate) -> [String] {
    let files = [certificate.certificate, certificate.keyFile]
    return files.flatMap { [$0.display, fingerprint(of: $0)] }
      + (certificate.passphrase.map(describe) ?? [])
  }

  private static func describe(_ command: ChildProcess.Command) -> [String] {
    switch command {
    case .arguments(let words): words
    case .shell(let line): ["/bin/sh", "-c", line]
    }
  }

  /// The server, the client, and the last login: what a mail server refused before that may be right after it.
  private static func describe(_ settings: OAuthSettings) -> [String] {
    let octets = try? FileSystem.readFile(settings.grantFile, limit: GrantFile.lengthLimit)
    let loggedIn = octets.flatMap { $0 }.flatMap { try? GrantFile.content($0) }?.loggedIn
    let texts = [settings.binding.server, settings.clientID ?? []].map {
      String(decoding: $0, as: UTF8.self)
    }
    return texts + [loggedIn.map { "\($0)" } ?? ""]
  }

  private static func fingerprint(of path: Path) -> String {
    guard let status = try? FileSystem.status(path) else { return "missing" }
    return describe(status.fingerprint)
  }

  private static func describe(_ fingerprint: FileFingerprint) -> String {
    "\(fingerprint.device) \(fingerprint.inode) \(fingerprint.modified) \(fingerprint.changed)"
  }

  private static func hash(_ facts: [String]) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for fact in facts {
      for octet in Array(fact.utf8) + [0] {
        hash = (hash ^ UInt64(octet)) &* 0x100_0000_01b3
      }
    }
    return hash
  }
}
