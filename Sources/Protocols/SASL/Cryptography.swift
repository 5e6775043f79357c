/// What mechanisms need of a cryptographic library, which this module does not import.
package struct Cryptography: Sendable {
  /// Those with SHA-1 (FIPS 180-4): 20 octets each.
  package let sha1: HashFunctions
  /// Those with SHA-256 (FIPS 180-4): 32 octets each.
  package let sha256: HashFunctions

  package init(sha1: HashFunctions, sha256: HashFunctions) {
    self.sha1 = sha1
    self.sha256 = sha256
  }
}

/// A hash function and what is made with it.
package struct HashFunctions: Sendable {
  package let digest: @Sendable (_ message: [UInt8]) -> [UInt8]

  /// HMAC (RFC 2104).
  package let hmac: @Sendable (_ key: [UInt8], _ message: [UInt8]) -> [UInt8]

  /// PBKDF2 with HMAC (RFC 8018 §5.2), one block.
  package let pbkdf2: @Sendable (_ password: [UInt8], _ salt: [UInt8], _ iterations: Int) -> [UInt8]

  package init(
    digest: @escaping @Sendable (_ message: [UInt8]) -> [UInt8],
    hmac: @escaping @Sendable (_ key: [UInt8], _ message: [UInt8]) -> [UInt8],
    pbkdf2:
      @escaping @Sendable (_ password: [UInt8], _ salt: [UInt8], _ iterations: Int) -> [UInt8]
  ) {
    self.digest = digest
    self.hmac = hmac
    self.pbkdf2 = pbkdf2
  }
}
