internal import COpenSSL

/// A SHA-256 that grows with the octets it is given (FIPS 180-4).
package struct SHA256: ~Copyable {
  /// The length of a SHA-256, in octets.
  package static let length = 32

  private let context: OpaquePointer

  /// The hash of no octets yet.
  package init() {
    guard OpenSSL.isReady, let context = EVP_MD_CTX_new(),
      EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1
    else {
      preconditionFailure("no memory for SHA-256")
    }
    self.context = context
  }

  deinit {
    EVP_MD_CTX_free(context)
  }

  /// Adds octets.
  package mutating func update(_ octets: UnsafeRawBufferPointer) {
    EVP_DigestUpdate(context, octets.baseAddress, octets.count)
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
    var length: UInt32 = 0
    EVP_DigestFinal_ex(context, &result, &length)
    return result
  }
}
