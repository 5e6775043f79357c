internal import COpenSSL

/// The hash functions and random numbers that other modules need.
package enum Hashes {
  /// Sets up what hashes, without the rest of OpenSSL, and so that exit(3) does not free its tables under other threads.
  private static let isReady: Bool = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil) == 1

  /// SHA-256 of the octets (FIPS 180-4): 32 octets.
  package static func sha256(_ octets: [UInt8]) -> [UInt8] {
    var hash = SHA256()
    hash.update(octets)
    return hash.finish()
  }

  /// MD5 of the octets (RFC 1321): 16 octets; for names that another program makes, never for secrets.
  package static func md5(_ octets: [UInt8]) -> [UInt8] { digest(octets, EVP_md5(), 16) }

  /// SHA-1 of the octets (FIPS 180-4): 20 octets.
  package static func sha1(_ octets: [UInt8]) -> [UInt8] { digest(octets, EVP_sha1(), 20) }

  private static func digest(
    _ octets: [UInt8],
    _ hash: OpaquePointer?,
    _ count: Int
  ) -> [UInt8] {
    precondition(isReady, "OpenSSL could not be set up")
    var result = [UInt8](repeating: 0, count: count)
    precondition(EVP_Digest(octets, octets.count, &result, nil, hash, nil) == 1, "digest failed")
    return result
  }

  /// HMAC-SHA-256 of a message under a key (RFC 2104): 32 octets.
  package static func hmacSHA256(key: [UInt8], message: [UInt8]) -> [UInt8] {
    hmac(EVP_sha256(), SHA256.length, key, message)
  }

  /// HMAC-SHA-1 of a message under a key (RFC 2104): 20 octets.
  package static func hmacSHA1(key: [UInt8], message: [UInt8]) -> [UInt8] {
    hmac(EVP_sha1(), 20, key, message)
  }

  private static func hmac(
    _ hash: OpaquePointer?,
    _ count: Int,
    _ key: [UInt8],
    _ message: [UInt8]
  ) -> [UInt8] {
    precondition(isReady, "OpenSSL could not be set up")
    var result = [UInt8](repeating: 0, count: count)
    var length: UInt32 = 0
    let code = HMAC(hash, key, Int32(key.count), message, message.count, &result, &length)
    precondition(code != nil && length == count, "HMAC failed")
    return result
  }

  /// PBKDF2 with HMAC-SHA-256 (RFC 8018 §5.2), one block: 32 octets.
  package static func pbkdf2SHA256(
    password: [UInt8],
    salt: [UInt8],
    iterations: Int
  ) -> [UInt8] {
    pbkdf2(EVP_sha256(), SHA256.length, password, salt, iterations)
  }

  /// PBKDF2 with HMAC-SHA-1 (RFC 8018 §5.2), one block: 20 octets.
  package static func pbkdf2SHA1(
    password: [UInt8],
    salt: [UInt8],
    iterations: Int
  ) -> [UInt8] {
    pbkdf2(EVP_sha1(), 20, password, salt, iterations)
  }

  private static func pbkdf2(
    _ hash: OpaquePointer?,
    _ count: Int,
    _ password: [UInt8],
    _ salt: [UInt8],
    _ iterations: Int
  ) -> [UInt8] {
    precondition(isReady, "OpenSSL could not be set up")
    var result = [UInt8](repeating: 0, count: count)
    let code = password.withUnsafeBytes { password in
      PKCS5_PBKDF2_HMAC(
        password.baseAddress?.assumingMemoryBound(to: CChar.self),
        Int32(password.count),
        salt,
        Int32(salt.count),
        Int32(iterations),
        hash,
        Int32(result.count),
        &result
      )
    }
    precondition(code == 1, "PBKDF2 failed")
    return result
  }

  /// So many octets that cannot be guessed.
  package static func random(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }
}

/// A SHA-256 that grows with the octets it is given (FIPS 180-4); of OpenSSL nothing has to be set up for it.
package struct SHA256: ~Copyable {
  /// The length of a SHA-256, in octets.
  package static let length = 32

  private var context = SHA256_CTX()

  /// The hash of no octets yet.
  package init() {
    precondition(magnum_SHA256_begin(&context) == 1, "SHA-256 failed")
  }

  private init(_ context: SHA256_CTX) { self.context = context }

  /// A hash of the same octets, which grows by itself.
  package func copy() -> SHA256 { SHA256(context) }

  /// Adds octets.
  package mutating func update(_ octets: UnsafeRawBufferPointer) {
    precondition(
      magnum_SHA256_add(&context, octets.baseAddress, octets.count) == 1,
      "SHA-256 failed"
    )
  }

  /// Adds octets.
  package mutating func update(_ octets: [UInt8]) {
    octets.withUnsafeBytes { update($0) }
  }

  /// Adds octets.
  package mutating func update(_ octets: ArraySlice<UInt8>) {
    octets.withUnsafeBytes { update($0) }
  }

  /// The hash of everything that was added: 32 octets.
  package consuming func finish() -> [UInt8] {
    var result = [UInt8](repeating: 0, count: Self.length)
    precondition(magnum_SHA256_end(&context, &result) == 1, "SHA-256 failed")
    return result
  }
}
