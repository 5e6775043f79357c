internal import COpenSSL

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
