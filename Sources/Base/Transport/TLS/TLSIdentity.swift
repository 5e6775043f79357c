internal import COpenSSL
internal import Octets

/// A certificate and its key, by which this end of a connection names itself.
///
/// `@unchecked`: nothing of it changes once it is made, and OpenSSL counts who uses it under locks of its own.
package final class TLSIdentity: @unchecked Sendable {
  /// Why octets are none.
  package enum Problem: Error, Hashable, Sendable {
    /// There is no certificate in PEM.
    case noCertificate
    /// There is no key in PEM.
    case noKey
    /// The key has a passphrase, and none is given.
    case noPassphrase
    /// The key has another passphrase.
    case wrongPassphrase
    /// The key is not that of the certificate.
    case otherKey
    /// Anything else, in OpenSSL's words.
    case other(String)
  }

  /// What the certificate says.
  package let facts: PeerCertificate

  /// An X509, and those that vouch for it.
  private let certificates: [OpaquePointer]
  /// An EVP_PKEY.
  private let key: OpaquePointer

  /// Reads them.
  ///
  /// - Parameters:
  ///   - certificates: in PEM; the first is the own one, those behind it vouch for it.
  ///   - key: in PEM; may be the same octets.
  ///   - passphrase: that of the key, without NUL; nil where it has none.
  /// - Throws: why they cannot be used.
  package init(
    certificates: [UInt8],
    key: [UInt8],
    passphrase: [UInt8]?
  ) throws(Problem) {
    let list = PEMReader.certificates(certificates)
    guard let own = list.first else { throw .noCertificate }
    self.certificates = list
    do throws(Problem) {
      self.key = try PEMReader.key(key, passphrase)
    } catch {
      for certificate in list { X509_free(certificate) }
      throw error
    }
    facts = CertificateReader(certificate: own).read()
    guard X509_check_private_key(own, self.key) == 1 else {
      OpenSSLErrors.clear()
      throw .otherKey
    }
  }

  deinit {
    for certificate in certificates { X509_free(certificate) }
    EVP_PKEY_free(key)
  }

  /// Whether a key in PEM has a passphrase (RFC 7468 §11, RFC 1421).
  package static func isEncrypted(_ key: [UInt8]) -> Bool {
    [
      [UInt8](ascii: "-----BEGIN ENCRYPTED PRIVATE KEY"),
      [UInt8](ascii: "\nProc-Type: 4,ENCRYPTED"),
    ]
    .contains { key.holds($0) }
  }

  /// What the first certificate in PEM says; nil where there is none.
  package static func facts(of certificates: [UInt8]) -> PeerCertificate? {
    let list = PEMReader.certificates(certificates)
    defer { for certificate in list { X509_free(certificate) } }
    return list.first.map { CertificateReader(certificate: $0).read() }
  }

  /// Has connections of a context show it to servers that ask.
  ///
  /// - Returns: whether OpenSSL takes it.
  func present(in context: OpaquePointer) -> Bool {
    guard let own = certificates.first, SSL_CTX_use_certificate(context, own) == 1,
      SSL_CTX_use_PrivateKey(context, key) == 1
    else { return false }
    return certificates.dropFirst().allSatisfy { magnum_SSL_CTX_add_chain(context, $0) == 1 }
  }
}

extension TLSIdentity: Hashable {
  package static func == (left: TLSIdentity, right: TLSIdentity) -> Bool { left === right }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
