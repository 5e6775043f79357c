internal import COpenSSL
internal import Octets

/// Certificates and keys in PEM (RFC 7468).
enum PEMReader {
  /// All certificates, which the caller frees.
  static func certificates(_ octets: [UInt8]) -> [OpaquePointer] {
    OpenSSLErrors.clear()
    defer { OpenSSLErrors.clear() }
    return withBIO(octets) { bio in
      var list: [OpaquePointer] = []
      while let next = PEM_read_bio_X509(bio, nil, nil, nil) { list.append(next) }
      return list
    } ?? []
  }

  /// The first key, which the caller frees.
  static func key(
    _ octets: [UInt8],
    _ passphrase: [UInt8]?
  ) throws(TLSIdentity.Problem) -> OpaquePointer {
    let isEncrypted = TLSIdentity.isEncrypted(octets)
    guard !isEncrypted || passphrase != nil else { throw .noPassphrase }
    OpenSSLErrors.clear()
    defer { OpenSSLErrors.clear() }
    // Without one OpenSSL would ask at the terminal.
    var words = (passphrase ?? []) + [0]
    let key = withBIO(octets) { bio in PEM_read_bio_PrivateKey(bio, nil, nil, &words) }
    if let key = key ?? nil { return key }
    guard octets.holds([UInt8](ascii: "PRIVATE KEY-----")) else { throw .noKey }
    let reason = OpenSSLErrors.reason()
    if isEncrypted, !reason.holds("unsupported") { throw .wrongPassphrase }
    throw .other(reason)
  }

  private static func withBIO<Value>(
    _ octets: [UInt8],
    _ body: (OpaquePointer) -> Value
  ) -> Value? {
    guard OpenSSL.isReady, !octets.isEmpty else { return nil }
    return octets.withUnsafeBytes { buffer in
      guard let bio = BIO_new_mem_buf(buffer.baseAddress, Int32(clamping: buffer.count)) else {
        return nil
      }
      defer { BIO_free(bio) }
      return body(bio)
    }
  }
}
