internal import COpenSSL
internal import Octets
internal import Platform

/// The error queue that OpenSSL keeps for each thread.
enum OpenSSLErrors {
  /// Forgets errors of earlier calls, which `SSL_get_error` would take for new ones.
  static func clear() {
    ERR_clear_error()
  }

  /// What the oldest error in the queue means for a handshake; `nil` when the peer just went away.
  static func handshakeFailure() -> TLSFailure? {
    let code = ERR_peek_error()
    switch ERR_GET_REASON(code) {
    case SSL_R_UNEXPECTED_EOF_WHILE_READING:
      return nil
    case SSL_R_UNSUPPORTED_PROTOCOL, SSL_R_TLSV1_ALERT_PROTOCOL_VERSION, SSL_R_VERSION_TOO_LOW,
      SSL_R_WRONG_SSL_VERSION:
      return .version
    case SSL_R_WRONG_VERSION_NUMBER, SSL_R_HTTP_REQUEST, SSL_R_PACKET_LENGTH_TOO_LONG:
      return .notTLS
    default:
      return alert(code).map { .clientCertificate($0) } ?? .handshake(text(code))
    }
  }

  /// What the server says against the certificate of ours; nil for any other error.
  private static func alert(_ code: UInt) -> CertificateAlert? {
    switch ERR_GET_REASON(code) {
    case SSL_R_TLSV13_ALERT_CERTIFICATE_REQUIRED: .required
    case SSL_R_TLSV1_ALERT_UNKNOWN_CA: .unknownIssuer
    case SSL_R_SSLV3_ALERT_CERTIFICATE_EXPIRED: .expired
    case SSL_R_SSLV3_ALERT_CERTIFICATE_REVOKED: .revoked
    case SSL_R_TLSV1_ALERT_ACCESS_DENIED: .accessDenied
    case SSL_R_SSLV3_ALERT_BAD_CERTIFICATE, SSL_R_SSLV3_ALERT_UNSUPPORTED_CERTIFICATE,
      SSL_R_SSLV3_ALERT_CERTIFICATE_UNKNOWN:
      .unspecified
    default: nil
    }
  }

  /// The reason of the oldest error in the queue.
  static func reason() -> String {
    text(ERR_peek_error())
  }

  private static func text(_ code: UInt) -> String {
    if let reason = ERR_reason_error_string(code) { return String(cString: reason) }
    // Errors of the system come without a text of OpenSSL's (a file that is not there).
    var buffer = [CChar](repeating: 0, count: 256)
    ERR_error_string_n(code, &buffer, buffer.count)
    return Printable.text(buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) })
  }
}

/// The library as a whole.
///
/// By default OpenSSL frees its tables in exit(3), under the hands of threads that still use them. Everything that calls
/// OpenSSL asks for one of these first, so that it does not; only the first time does something.
enum OpenSSL {
  /// Sets up what encrypts connections.
  static let isReady: Bool = OPENSSL_init_ssl(UInt64(OPENSSL_INIT_NO_ATEXIT), nil) == 1

  /// Begins to set it up in a thread of its own, once: to load it takes some milliseconds.
  static func prepare() { _ = loading }

  private static let loading = try? Thread.spawn(name: "TLS") { _ = isReady }
}
