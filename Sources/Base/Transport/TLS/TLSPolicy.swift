package import Platform

/// What a server must show before we talk to it over TLS.
package struct TLSPolicy: Hashable, Sendable {
  /// The name or address literal that the certificate must be for; also the name sent (SNI).
  package let host: String

  /// A PEM file of certificates to trust besides the system's; `nil` for none.
  ///
  /// The server's own certificate may be among them; name and dates are checked all the same.
  package let trustFile: Path?

  /// The SHA-256 of the one certificate (DER) that is accepted, 32 octets.
  ///
  /// It replaces all other checks: issuer, name and dates. `nil` for no such pin.
  package let fingerprint: [UInt8]?

  /// What is shown to a server that asks who we are; `nil` for nothing.
  package let identity: TLSIdentity?

  package init(
    host: String,
    trustFile: Path? = nil,
    fingerprint: [UInt8]? = nil,
    identity: TLSIdentity? = nil
  ) {
    self.host = host
    self.trustFile = trustFile
    self.fingerprint = fingerprint
    self.identity = identity
  }
}

/// What a server has against our certificate, as its alert says (RFC 8446 §6.2).
///
/// With TLS 1.3 it comes when the handshake is over here.
package enum CertificateAlert: Hashable, Sendable {
  /// It wants one, and none was shown.
  case required
  case unknownIssuer
  case expired
  case revoked
  case accessDenied
  /// It does not say.
  case unspecified
}

/// Why TLS was not agreed on.
package enum TLSFailure: Hashable, Sendable {
  /// No authority that is trusted issued the certificate, or it is not valid now.
  ///
  /// `reason` is OpenSSL's: "self-signed certificate", "certificate has expired".
  case certificate(host: String, reason: String, presented: PeerCertificate)

  /// The certificate itself has expired.
  case expired(host: String, presented: PeerCertificate)

  /// The certificate is good, except for other names than the host's.
  case hostName(host: String, presented: PeerCertificate)

  /// The certificate is not the pinned one; `expected` is the SHA-256 of that.
  case fingerprint(host: String, expected: [UInt8], presented: PeerCertificate)

  /// The server speaks no version of TLS that we do (1.2 and later).
  case version

  /// The peer does not speak TLS at all: a port for plain text, or for STARTTLS.
  case notTLS

  /// The file with additional certificates cannot be used.
  case trust(path: Path, reason: String)

  /// The server does not take our certificate, or wants one.
  case clientCertificate(CertificateAlert)

  /// Anything else, in OpenSSL's words.
  case handshake(String)
}
