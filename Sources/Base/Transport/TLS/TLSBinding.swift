internal import COpenSSL

/// What both ends of a TLS connection know of it, and no other connection has (RFC 5056).
package struct TLSBinding: Hashable, Sendable {
  /// The registered name.
  package let type: String
  /// What both ends know.
  package let data: [UInt8]

  /// Those of a connection, best first.
  ///
  /// - Parameter connection: an `SSL` past its handshake.
  /// - Returns: none where there are none.
  static func all(of connection: OpaquePointer) -> [TLSBinding] {
    [exporter(connection), endPoint(connection)].compactMap { $0 }
  }

  /// A secret of this one connection (RFC 9266); only of TLS 1.3, since older versions need an extension for it to be unique.
  private static func exporter(_ connection: OpaquePointer) -> TLSBinding? {
    guard SSL_version(connection) >= TLS1_3_VERSION else { return nil }
    let label = "EXPORTER-Channel-Binding"
    var data = [UInt8](repeating: 0, count: 32)
    let code = SSL_export_keying_material(
      connection,
      &data,
      data.count,
      label,
      label.utf8.count,
      nil,
      0,
      1
    )
    return code == 1 ? TLSBinding(type: "tls-exporter", data: data) : nil
  }

  /// The digest of the server's certificate by the hash function of its signature (RFC 5929 §4.1).
  ///
  /// SHA-256 takes the place of MD5 and SHA-1. Nil where the signature has no such function.
  private static func endPoint(_ connection: OpaquePointer) -> TLSBinding? {
    guard let certificate = SSL_get0_peer_certificate(connection) else { return nil }
    var number: Int32 = 0
    guard X509_get_signature_info(certificate, &number, nil, nil, nil) == 1 else { return nil }
    let hash = number == NID_md5 || number == NID_sha1 ? EVP_sha256() : digest(number)
    var data = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    var length: UInt32 = 0
    guard let hash, X509_digest(certificate, hash, &data, &length) == 1 else { return nil }
    return TLSBinding(type: "tls-server-end-point", data: Array(data.prefix(Int(length))))
  }

  private static func digest(_ number: Int32) -> OpaquePointer? {
    OBJ_nid2sn(number).flatMap { EVP_get_digestbyname($0) }
  }
}
