package import Platform

/// The certificate by which an account names itself to its servers: `tls-client-certificate` and the keys that belong to it.
package struct ClientCertificate: Hashable, Sendable {
  /// The certificate in PEM, with those that vouch for it behind it.
  package let certificate: Path
  /// The file of its key in PEM, which no other user may read; nil where that is in the file of the certificate.
  package let key: Path?
  /// What prints the passphrase of the key; nil where it has none.
  package let passphrase: ChildProcess.Command?
  /// What the names of its keys begin with: nothing, or `smtp-`.
  package let prefix: String

  /// The file that the key is in.
  package var keyFile: Path { key ?? certificate }

  /// The key of the configuration that names the file of the key.
  package var keyName: String {
    prefix + (key == nil ? "tls-client-certificate" : "tls-client-key")
  }
}

/// A client certificate while its keys are read.
struct ClientCertificateDraft {
  var certificate: Path?
  var key: Path?
  var passphrase: ChildProcess.Command?

  /// The certificate whose keys begin so; nil where there is none.
  func finished(_ prefix: String) -> ClientCertificate? {
    certificate.map {
      ClientCertificate(certificate: $0, key: key, passphrase: passphrase, prefix: prefix)
    }
  }
}

extension ConfigurationKey {
  /// What the names of these keys begin with, behind `smtp-` for sending.
  private static let certificateWord = "tls-client-"

  /// The keys of an account for a client certificate, whose names begin so; `draft` is where they go.
  static func clientCertificate(
    _ prefix: String,
    needsServer: Bool = false,
    _ draft: any WritableKeyPath<AccountDraft, ClientCertificateDraft> & Sendable
  ) -> [ConfigurationKey] {
    func key(
      _ name: String,
      _ kind: KeyKind,
      _ read: @escaping @Sendable (KeyValue, inout ClientCertificateDraft) throws(Mistake) -> Void
    ) -> ConfigurationKey {
      ConfigurationKey(
        prefix + certificateWord + name,
        in: .account,
        kind,
        needsServer: needsServer
      ) {
        value,
        account throws(Mistake) in
        try read(value, &account[keyPath: draft])
      }
    }
    return [
      key("certificate", .string) { value, draft throws(Mistake) in
        draft.certificate = try value.path()
      },
      key("key", .string) { value, draft throws(Mistake) in draft.key = try value.path() },
      key("passphrase-command", .command) { value, draft throws(Mistake) in
        draft.passphrase = try value.command()
      },
    ]
  }

  /// The name of the key of the certificate that this key belongs to; nil for any other key.
  var certificateKey: String? {
    for prefix in ["", "smtp-"] where name.hasPrefix(prefix + Self.certificateWord) {
      return prefix + Self.certificateWord + "certificate"
    }
    return nil
  }
}
