internal import COpenSSL
internal import Glibc
internal import Platform

/// The rules of a TLS connection: versions, trusted certificates and the check of the server's.
final class TLSContext {
  /// How much is read from the socket at once: many records, so that few calls are needed.
  private static let readAhead = 128 * 1024

  let check: CertificateCheck
  private let policy: TLSPolicy
  private let context: OpaquePointer

  init(_ policy: TLSPolicy) throws(TransportError) {
    OpenSSLErrors.clear()
    guard OpenSSL.isReady, let context = SSL_CTX_new(TLS_client_method()) else {
      throw Self.failure()
    }
    self.policy = policy
    self.context = context
    check = CertificateCheck(policy)
    guard magnum_SSL_CTX_restrict(context) == 1 else { throw Self.failure() }
    magnum_SSL_CTX_set_partial_writes(context)
    magnum_SSL_CTX_set_read_ahead(context, Self.readAhead)
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
    check.install(in: context)
    if let identity = policy.identity, !identity.present(in: context) { throw Self.failure() }
    try trust()
  }

  deinit {
    SSL_CTX_free(context)
  }

  /// A connection over the socket, before its handshake; the caller frees it.
  func connection(over socket: Int32) throws(TransportError) -> OpaquePointer {
    OpenSSLErrors.clear()
    guard let ssl = SSL_new(context) else { throw Self.failure() }
    guard SSL_set_fd(ssl, socket) == 1, setHost(of: ssl) else {
      SSL_free(ssl)
      throw Self.failure()
    }
    SSL_set_connect_state(ssl)
    return ssl
  }

  /// The system's certificates and those of the policy's file.
  private func trust() throws(TransportError) {
    guard policy.fingerprint == nil else { return }
    SystemTrust.addDirectory(to: context)
    OpenSSLErrors.clear()
    // A certificate in the file is trusted by itself, whether or not it signs others.
    X509_VERIFY_PARAM_set_flags(SSL_CTX_get0_param(context), UInt(X509_V_FLAG_PARTIAL_CHAIN))
    guard let file = policy.trustFile else { return }
    // OpenSSL gives no reason that a reader understands for a file it cannot open.
    try checkReadable(file)
    let isLoaded = file.withCString { SSL_CTX_load_verify_file(context, $0) == 1 }
    guard isLoaded else {
      throw .tls(.trust(path: file, reason: OpenSSLErrors.reason()))
    }
  }

  private func checkReadable(_ file: Path) throws(TransportError) {
    do throws(SystemError) {
      let descriptor = try Descriptor.open(file, .read)
      var octet: UInt8 = 0
      try withUnsafeMutableBytes(of: &octet) { (buffer) throws(SystemError) in
        _ = try descriptor.read(into: buffer)
      }
    } catch {
      throw .tls(.trust(path: file, reason: error.reason))
    }
  }

  /// Sets the name to send and the name or address to check.
  private func setHost(of ssl: OpaquePointer) -> Bool {
    let parameters = SSL_get0_param(ssl)
    let host = policy.host
    let address = String(host.prefix { $0 != "%" })
    if X509_VERIFY_PARAM_set1_ip_asc(parameters, address) == 1 { return true }
    OpenSSLErrors.clear()
    let name = host.hasSuffix(".") ? String(host.dropLast()) : host
    guard !name.isEmpty, !name.utf8.contains(0) else { return false }
    // Names of hosts are in subjectAltName alone (RFC 9525 §2).
    let flags = X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS | X509_CHECK_FLAG_NEVER_CHECK_SUBJECT
    X509_VERIFY_PARAM_set_hostflags(parameters, UInt32(flags))
    return X509_VERIFY_PARAM_set1_host(parameters, name, name.utf8.count) == 1
      && magnum_SSL_set_server_name(ssl, name) == 1
  }

  private static func failure() -> TransportError {
    .tls(.handshake(OpenSSLErrors.reason()))
  }
}
