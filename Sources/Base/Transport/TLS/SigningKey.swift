internal import COpenSSL
internal import Octets

/// A private key that signs texts with SHA-256: RSA, or ECDSA on the curve P-256.
package final class SigningKey {
  /// How it signs.
  package enum Kind: Hashable, Sendable {
    /// RSASSA-PKCS1-v1_5 (RFC 8017 §8.2).
    case rsa
    /// ECDSA; the signature is r and s, 32 octets each (RFC 7518 §3.4).
    case p256
  }

  /// Why octets are none.
  package enum Problem: Error, Hashable, Sendable {
    /// They are no key in PEM without a passphrase.
    case unreadable(TLSIdentity.Problem)
    /// The key is neither RSA of 2048 bits or more nor on P-256.
    case otherKind
  }

  /// The digests of a certificate in its DER form.
  package struct Thumbprints: Hashable, Sendable {
    package let sha1: [UInt8]
    package let sha256: [UInt8]
  }

  package let kind: Kind
  /// An EVP_PKEY.
  private let key: OpaquePointer

  /// Reads a key in PEM.
  ///
  /// - Throws: why it cannot be used.
  package init(_ octets: [UInt8]) throws(Problem) {
    do throws(TLSIdentity.Problem) {
      key = try PEMReader.key(octets, nil)
    } catch {
      throw .unreadable(error)
    }
    guard let kind = Self.kind(of: key) else {
      EVP_PKEY_free(key)
      throw .otherKind
    }
    self.kind = kind
  }

  deinit { EVP_PKEY_free(key) }

  private static func kind(of key: OpaquePointer) -> Kind? {
    switch EVP_PKEY_get_base_id(key) {
    case NID_rsaEncryption: return EVP_PKEY_get_bits(key) >= 2048 ? .rsa : nil
    case NID_X9_62_id_ecPublicKey:
      var name = [CChar](repeating: 0, count: 80)
      var length = 0
      let isKnown = EVP_PKEY_get_group_name(key, &name, name.count, &length) == 1
      OpenSSLErrors.clear()
      let curve = name.prefix(length).map { UInt8(bitPattern: $0) }
      return isKnown && curve == [UInt8](ascii: "prime256v1") ? .p256 : nil
    default: return nil
    }
  }

  /// The digests of the first certificate in PEM.
  ///
  /// - Throws: where there is none, or it is not that of the key.
  package func thumbprints(
    ofCertificate octets: [UInt8]
  ) throws(TLSIdentity.Problem) -> Thumbprints {
    let list = PEMReader.certificates(octets)
    defer {
      for certificate in list { X509_free(certificate) }
      OpenSSLErrors.clear()
    }
    guard let own = list.first else { throw .noCertificate }
    guard X509_check_private_key(own, key) == 1 else { throw .otherKey }
    let reader = CertificateReader(certificate: own)
    return Thumbprints(sha1: reader.digest(EVP_sha1()), sha256: reader.digest(EVP_sha256()))
  }

  /// The signature of octets; nil where OpenSSL gives none.
  package func signature(of octets: [UInt8]) -> [UInt8]? {
    guard let context = EVP_MD_CTX_new() else { return nil }
    defer {
      EVP_MD_CTX_free(context)
      OpenSSLErrors.clear()
    }
    var count = 0
    guard EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key) == 1,
      EVP_DigestSign(context, nil, &count, octets, octets.count) == 1
    else { return nil }
    var signature = [UInt8](repeating: 0, count: count)
    guard EVP_DigestSign(context, &signature, &count, octets, octets.count) == 1 else { return nil }
    let whole = [UInt8](signature.prefix(count))
    switch kind {
    case .rsa: return whole
    case .p256: return Self.joined(whole)
    }
  }

  /// The two numbers of a signature in DER, at most 72 octets long, each as 32 octets.
  private static func joined(_ signature: [UInt8]) -> [UInt8]? {
    var rest = signature.dropFirst(2)
    var result: [UInt8] = []
    for _ in 0..<2 {
      guard rest.first == 2, let length = rest.dropFirst().first else { return nil }
      let number = rest.dropFirst(2).prefix(Int(length)).drop { $0 == 0 }
      guard number.count <= 32 else { return nil }
      result += [UInt8](repeating: 0, count: 32 - number.count) + number
      rest = rest.dropFirst(2 + Int(length))
    }
    return rest.isEmpty ? result : nil
  }
}
