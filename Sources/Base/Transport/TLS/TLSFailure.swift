package import Platform

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

  /// Anything else, in OpenSSL's words.
  case handshake(String)
}
