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

  package init(host: String, trustFile: Path? = nil, fingerprint: [UInt8]? = nil) {
    self.host = host
    self.trustFile = trustFile
    self.fingerprint = fingerprint
  }
}
