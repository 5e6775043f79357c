internal import Configuration
internal import OAuth
internal import Platform
internal import Transport

/// The key of a client without a person, read from its files, and what the authorization server is told of it.
struct ClientSigner {
  /// The most octets that each file may have.
  private static let lengthLimit = 1 << 20

  let facts: ClientAssertion.Signer
  private let key: SigningKey
  private let file: Path

  /// Reads the files.
  ///
  /// - Throws: why they cannot be used.
  init(_ files: ClientKey) throws(SecretError) {
    file = files.file
    key = try Self.readKey(files.file)
    let prints = try Self.thumbprints(files, key)
    facts = ClientAssertion.Signer(
      algorithm: key.kind == .rsa ? .rs256 : .es256,
      keyID: files.identifier,
      sha1: prints?.sha1,
      sha256: prints?.sha256
    )
  }

  /// A statement with its signature.
  ///
  /// - Throws: where the key signs nothing.
  func sign(_ assertion: ClientAssertion) throws(SecretError) -> [UInt8] {
    guard let signature = key.signature(of: assertion.content) else {
      throw Self.unfit("client-key-file", file, "cannot sign")
    }
    return assertion.signed(with: signature)
  }

  private static func readKey(_ file: Path) throws(SecretError) -> SigningKey {
    var rules = TrustedFile.Rules(limit: lengthLimit)
    rules.isSecret = true
    let octets: [UInt8]
    do throws(TrustedFile.Failure) {
      octets = try TrustedFile.read(file, rules).octets
    } catch {
      throw SecretError(key: "client-key-file", problem: SecretError.Problem(error, of: file))
    }
    do throws(SigningKey.Problem) {
      return try SigningKey(octets)
    } catch {
      throw unfit("client-key-file", file, words(error))
    }
  }

  private static func words(_ problem: SigningKey.Problem) -> String {
    switch problem {
    case .otherKind: "is neither an RSA key of 2048 bits or more nor one on the curve P-256"
    case .unreadable(.noPassphrase), .unreadable(.wrongPassphrase):
      "the key has a passphrase; store it without one"
    case .unreadable(.other(let words)): words
    case .unreadable(.noKey), .unreadable(.noCertificate), .unreadable(.otherKey):
      "holds no key in PEM"
    }
  }

  private static func thumbprints(
    _ files: ClientKey,
    _ key: SigningKey
  ) throws(SecretError) -> SigningKey.Thumbprints? {
    guard let file = files.certificate else { return nil }
    let name = "client-certificate-file"
    let octets: [UInt8]
    do throws(SystemError) {
      octets = try FileSystem.readExistingFile(file, limit: lengthLimit)
    } catch {
      throw SecretError(
        key: name,
        problem: error.isTooLarge ? .outputTooLong(limit: lengthLimit) : .unreadable(file, error)
      )
    }
    do throws(TLSIdentity.Problem) {
      return try key.thumbprints(ofCertificate: octets)
    } catch {
      let isOther = error == .otherKey
      throw unfit(
        name,
        file,
        isOther ? "is not that of \(files.file.display)" : "holds no certificate in PEM"
      )
    }
  }

  private static func unfit(_ key: String, _ file: Path, _ reason: String) -> SecretError {
    SecretError(key: key, problem: .unfit(file, reason: reason))
  }
}
