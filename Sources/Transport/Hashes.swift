internal import COpenSSL

/// The hash functions and random numbers that the other rooms need.
package enum Hashes {
  /// SHA-256 of the octets (FIPS 180-4): 32 octets.
  package static func sha256(_ octets: [UInt8]) -> [UInt8] {
    var hash = SHA256()
    hash.update(octets)
    return hash.finish()
  }

  /// HMAC-SHA-256 of a message under a key (RFC 2104): 32 octets.
  package static func hmacSHA256(key: [UInt8], message: [UInt8]) -> [UInt8] {
    precondition(OpenSSL.isReady, "OpenSSL could not be set up")
    var result = [UInt8](repeating: 0, count: SHA256.length)
    var length: UInt32 = 0
    let code = HMAC(
      EVP_sha256(),
      key,
      Int32(key.count),
      message,
      message.count,
      &result,
      &length
    )
    precondition(code != nil && length == SHA256.length, "HMAC-SHA-256 failed")
    return result
  }

  /// PBKDF2 with HMAC-SHA-256 (RFC 8018 §5.2), one block: 32 octets.
  package static func pbkdf2SHA256(
    password: [UInt8],
    salt: [UInt8],
    iterations: Int
  ) -> [UInt8] {
    precondition(OpenSSL.isReady, "OpenSSL could not be set up")
    var result = [UInt8](repeating: 0, count: SHA256.length)
    let code = password.withUnsafeBytes { password in
      PKCS5_PBKDF2_HMAC(
        password.baseAddress?.assumingMemoryBound(to: CChar.self),
        Int32(password.count),
        salt,
        Int32(salt.count),
        Int32(iterations),
        EVP_sha256(),
        Int32(result.count),
        &result
      )
    }
    precondition(code == 1, "PBKDF2 failed")
    return result
  }

  /// So many octets that nobody can guess.
  package static func random(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }
}
