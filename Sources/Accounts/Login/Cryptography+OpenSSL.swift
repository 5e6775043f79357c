internal import Hashing
package import SASL
package import Transport

extension Cryptography {
  /// The functions of OpenSSL.
  package static let openSSL = Cryptography(
    sha1: HashFunctions(
      digest: { Hashes.sha1($0) },
      hmac: { Hashes.hmacSHA1(key: $0, message: $1) },
      pbkdf2: { Hashes.pbkdf2SHA1(password: $0, salt: $1, iterations: $2) }
    ),
    sha256: HashFunctions(
      digest: { Hashes.sha256($0) },
      hmac: { Hashes.hmacSHA256(key: $0, message: $1) },
      pbkdf2: { Hashes.pbkdf2SHA256(password: $0, salt: $1, iterations: $2) }
    )
  )
}

extension ChannelBinding {
  /// What TLS gives to bind to.
  package init(_ binding: TLSBinding) {
    self.init(type: Array(binding.type.utf8), data: binding.data)
  }
}
