/// What a server's certificate says, for people who have to decide about it.
///
/// All texts are fit for a terminal.
package struct PeerCertificate: Hashable, Sendable {
  /// Whom it is for, such as `CN = mail.example.org`.
  package let subject: String

  /// Who vouches for it; the subject itself when it is self-signed.
  package let issuer: String

  /// The host names and addresses it is good for (subjectAltName); wildcards as they are written.
  package let names: [String]

  /// The common name of the subject, which names no host where the list of names is missing (RFC 9525 §2); nil without one.
  package let commonName: String?

  /// Up to when it is valid, in seconds since 1970; `nil` if that cannot be read.
  package let validUntil: Int64?

  /// The SHA-256 of its DER form, 32 octets.
  package let fingerprint: [UInt8]

  /// Whether its time is over.
  func isExpired(now: Int64) -> Bool { validUntil.map { $0 < now } ?? false }
}
