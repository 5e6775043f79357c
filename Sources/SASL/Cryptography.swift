/// The functions a mechanism needs from a cryptographic library, which this room has no door to.
package struct Cryptography: Sendable {
  /// SHA-256 of a message (FIPS 180-4): 32 octets.
  package let sha256: @Sendable (_ message: [UInt8]) -> [UInt8]

  /// HMAC-SHA-256 (RFC 2104): 32 octets.
  package let hmacSHA256: @Sendable (_ key: [UInt8], _ message: [UInt8]) -> [UInt8]

  /// PBKDF2 with HMAC-SHA-256 (RFC 8018 §5.2), one block: 32 octets.
  package let pbkdf2SHA256:
    @Sendable (_ password: [UInt8], _ salt: [UInt8], _ iterations: Int) -> [UInt8]

  /// Puts the functions of a library together.
  package init(
    sha256: @escaping @Sendable (_ message: [UInt8]) -> [UInt8],
    hmacSHA256: @escaping @Sendable (_ key: [UInt8], _ message: [UInt8]) -> [UInt8],
    pbkdf2SHA256:
      @escaping @Sendable (_ password: [UInt8], _ salt: [UInt8], _ iterations: Int) -> [UInt8]
  ) {
    self.sha256 = sha256
    self.hmacSHA256 = hmacSHA256
    self.pbkdf2SHA256 = pbkdf2SHA256
  }
}
