package import Configuration
package import Platform
package import Transport

/// Gives every connection of an account its client certificate, read once and again when its files change.
package final class IdentityKeeper: Sendable {
  /// The most octets that a certificate, and a key, may have.
  private static let lengthLimit = 1 << 20

  private struct Loaded: Sendable {
    let identity: TLSIdentity
    let files: [FileFingerprint?]
  }

  private let files: ClientCertificate?
  private let interruption: Interruption
  private let state = Monitor<Loaded?>(nil)

  /// What was read before, or why not, by who may read the files: in whose name the program works later may not.
  private static let prepared = Monitor<[ClientCertificate: Result<TLSIdentity, SecretError>]>([:])

  /// A keeper for the certificate that the configuration names; nil for none.
  package init(_ files: ClientCertificate?, interruption: Interruption) {
    self.files = files
    self.interruption = interruption
  }

  /// Reads the files for all that this process does later, in whatever name.
  ///
  /// - Throws: why they cannot be used; that is thrown later too.
  package func prepare() throws(SecretError) {
    guard let files else { return }
    let result = Result { () throws(SecretError) in try load(files) }
    Self.prepared.update { $0[files] = result }
    _ = try result.get()
  }

  /// The certificate with its key; nil where the configuration names none.
  ///
  /// Blocks while a command gives the passphrase of the key.
  ///
  /// - Throws: why it cannot be used.
  package func identity() throws(SecretError) -> TLSIdentity? {
    guard let files else { return nil }
    if let known = Self.prepared.withLock({ $0[files] }) { return try known.get() }
    let now = [files.certificate, files.keyFile].map { Self.fingerprint(of: $0) }
    return try state.withLock { (loaded) throws(SecretError) in
      if let loaded, loaded.files == now { return loaded.identity }
      let identity = try load(files)
      loaded = Loaded(identity: identity, files: now)
      return identity
    }
  }

  private static func fingerprint(of path: Path) -> FileFingerprint? {
    ((try? FileSystem.status(path)) ?? nil)?.fingerprint
  }

  private func load(_ files: ClientCertificate) throws(SecretError) -> TLSIdentity {
    let key = try readKey(files)
    let certificates = try Self.readCertificates(files)
    let passphrase = TLSIdentity.isEncrypted(key) ? try passphrase(files) : nil
    do throws(TLSIdentity.Problem) {
      return try TLSIdentity(certificates: certificates, key: key, passphrase: passphrase)
    } catch {
      throw Self.error(error, files)
    }
  }

  private func readKey(_ files: ClientCertificate) throws(SecretError) -> [UInt8] {
    var rules = TrustedFile.Rules(limit: Self.lengthLimit)
    rules.isSecret = true
    do throws(TrustedFile.Failure) {
      return try TrustedFile.read(files.keyFile, rules).octets
    } catch {
      let problem = SecretError.Problem(error, of: files.keyFile)
      throw SecretError(key: files.keyName, problem: problem)
    }
  }

  private static func readCertificates(_ files: ClientCertificate) throws(SecretError) -> [UInt8] {
    do throws(SystemError) {
      return try FileSystem.readExistingFile(files.certificate, limit: lengthLimit)
    } catch {
      let problem: SecretError.Problem =
        error.isTooLarge
        ? .outputTooLong(limit: lengthLimit) : .unreadable(files.certificate, error)
      throw SecretError(key: files.prefix + "tls-client-certificate", problem: problem)
    }
  }

  private func passphrase(_ files: ClientCertificate) throws(SecretError) -> [UInt8] {
    guard let command = files.passphrase else { throw Self.error(.noPassphrase, files) }
    do throws(SecretError) {
      return try SecretSource.passwordCommand(command).fetch(interruption: interruption)
    } catch {
      throw SecretError(key: Self.passphraseKey(files), problem: error.problem)
    }
  }

  private static func passphraseKey(_ files: ClientCertificate) -> String {
    files.prefix + "tls-client-passphrase-command"
  }

  /// What is wrong with the files, and which key of the configuration it is about.
  private static func error(
    _ problem: TLSIdentity.Problem,
    _ files: ClientCertificate
  ) -> SecretError {
    let (key, path, reason) =
      switch problem {
      case .noCertificate:
        (files.prefix + "tls-client-certificate", files.certificate, "holds no certificate in PEM")
      case .noKey: (files.keyName, files.keyFile, "holds no key in PEM")
      case .noPassphrase:
        (
          files.keyName, files.keyFile,
          "the key has a passphrase; \(passphraseKey(files)) can give it"
        )
      case .wrongPassphrase: (passphraseKey(files), files.keyFile, "wrong passphrase")
      case .otherKey:
        (files.keyName, files.keyFile, "is not the key of \(files.certificate.display)")
      case .other(let words): (files.keyName, files.keyFile, words)
      }
    return SecretError(key: key, problem: .unfit(path, reason: reason))
  }
}

/// Certificates in files, in PEM.
package enum CertificateFile {
  /// Up to when the first one is valid, in seconds since 1970; nil where it cannot be read.
  package static func validUntil(_ file: Path) -> Int64? {
    let octets = try? FileSystem.readExistingFile(file, limit: 1 << 20)
    return octets.flatMap { TLSIdentity.facts(of: $0) }?.validUntil
  }
}
