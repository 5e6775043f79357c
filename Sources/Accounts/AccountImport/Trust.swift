internal import Octets

/// What other programs' directives about certificates come to.
enum Trust {
  /// Whether a file holds the certificates that the system trusts anyway.
  static func isSystemBundle(_ path: String) -> Bool { bundles.contains(path) }

  private static let bundles = [
    "system", "os-default", "OS-DEFAULT",
    "/etc/ssl/certs/ca-certificates.crt", "/etc/ssl/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem", "/etc/ssl/certs", "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/pki/tls/cert.pem", "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
    "/etc/ca-certificates/extracted/tls-ca-bundle.pem", "/usr/local/etc/openssl/cert.pem",
    "/usr/local/etc/openssl@1.1/cert.pem", "/opt/homebrew/etc/openssl@3/cert.pem",
    "/opt/homebrew/etc/ca-certificates/cert.pem", "/usr/local/etc/ca-certificates/cert.pem",
    "/run/current-system/sw/etc/ssl/certs/ca-bundle.crt",
    "/usr/share/ssl/certs/ca-bundle.crt", "/usr/local/share/certs/ca-root-nss.crt",
  ]

  /// The 64 digits of a SHA-256 fingerprint; nil where the text is something else.
  static func fingerprint(_ text: String) -> String? {
    let digits = text.utf8.filter { $0 != ASCII.colon && $0 != ASCII.space }
    guard digits.count == 64, Hex.decode(digits) != nil else { return nil }
    return String(decoding: digits.map(ASCII.lowercased), as: UTF8.self)
  }

  static let otherDigest =
    "not a SHA-256 fingerprint: tls-fingerprint takes what "
    + "openssl x509 -noout -fingerprint -sha256 prints; until then the certificate is verified"
  static let notVerified = "certificates are always verified: the account is written without it"
  static let noTLS = "nothing is sent over the network without TLS: the account is written with TLS"
  static let besideTunnel = "says nothing beside a tunnel, which makes the connection"
  static let oldTLS = "TLS 1.2 is the oldest that is used"
}

extension ImportedAccount.Access {
  /// Takes the directives that name a client certificate and its key.
  ///
  /// - Returns: what is to be said of them.
  mutating func takeClientCertificate(
    _ set: inout DirectiveSet,
    _ certificate: String,
    _ key: String
  ) -> [Remark] {
    let (file, keyFile) = (set.takeLast(certificate), set.takeLast(key))
    if let file, !file.value.isEmpty {
      (clientCertificate, clientKey) = (file.value, keyFile?.value)
      return []
    }
    return keyFile.map { [Remark($0, .notNeeded, "there is no client certificate beside it")] }
      ?? []
  }
}
