internal import COpenSSL
internal import Octets
internal import Platform

/// Judges the server's certificate during the handshake, and keeps the facts of the judgement.
///
/// OpenSSL holds an unretained pointer to it: it must outlive the `SSL_CTX`.
final class CertificateCheck {
  private let policy: TLSPolicy

  /// Why the certificate was turned down; `nil` when it was accepted or has not come yet.
  private(set) var failure: TLSFailure?

  /// What the server showed; `nil` before that.
  private(set) var presented: PeerCertificate?

  init(_ policy: TLSPolicy) {
    self.policy = policy
  }

  /// Makes every handshake of the context ask this check.
  func install(in context: OpaquePointer) {
    let pointer = Unmanaged.passUnretained(self).toOpaque()
    SSL_CTX_set_cert_verify_callback(
      context,
      { store, pointer in
        guard let store, let pointer else { return 0 }
        let check = Unmanaged<CertificateCheck>.fromOpaque(pointer).takeUnretainedValue()
        return check.accepts(store) ? 1 : 0
      },
      pointer
    )
  }

  private func accepts(_ store: OpaquePointer) -> Bool {
    guard let certificate = X509_STORE_CTX_get0_cert(store) else { return false }
    let presented = CertificateReader(certificate: certificate).read()
    self.presented = presented
    if let expected = policy.fingerprint {
      return matches(expected, presented, store)
    }
    let code = SystemTrust.verify(store)
    guard code != X509_V_OK else { return true }
    failure = reason(code, presented)
    return false
  }

  private func matches(
    _ expected: [UInt8],
    _ presented: PeerCertificate,
    _ store: OpaquePointer
  ) -> Bool {
    guard presented.fingerprint == expected else {
      failure = .fingerprint(host: policy.host, expected: expected, presented: presented)
      X509_STORE_CTX_set_error(store, X509_V_ERR_APPLICATION_VERIFICATION)
      return false
    }
    X509_STORE_CTX_set_error(store, X509_V_OK)
    return true
  }

  private func reason(_ code: Int32, _ presented: PeerCertificate) -> TLSFailure {
    switch code {
    case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH:
      return .hostName(host: policy.host, presented: presented)
    // One of those that vouch for it may have expired instead.
    case X509_V_ERR_CERT_HAS_EXPIRED where presented.isExpired(now: Clock.now()):
      return .expired(host: policy.host, presented: presented)
    default:
      let text = X509_verify_cert_error_string(Int(code)).map { String(cString: $0) }
      return .certificate(
        host: policy.host,
        reason: text ?? "error \(code)",
        presented: presented
      )
    }
  }
}
