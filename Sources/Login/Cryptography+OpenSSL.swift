package import SASL
internal import Transport

extension Cryptography {
  /// The functions of OpenSSL, and a nonce for one exchange.
  package static let openSSL = Cryptography(
    sha256: { Hashes.sha256($0) },
    hmacSHA256: { Hashes.hmacSHA256(key: $0, message: $1) },
    pbkdf2SHA256: { Hashes.pbkdf2SHA256(password: $0, salt: $1, iterations: $2) }
  )
}
