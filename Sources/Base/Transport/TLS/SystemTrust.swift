internal import COpenSSL

/// The certificates that the system trusts, from its directory and from its file.
///
/// The directory is looked into by the hash of the issuer that is wanted, which costs nothing. The
/// file holds all of them; to read it takes 50 ms, more than all the rest of a connection. So it is
/// read only where the directory was of no help, and only once. `SSL_CERT_DIR` and `SSL_CERT_FILE`
/// count as everywhere with OpenSSL.
enum SystemTrust {
  /// The errors that more certificates may cure.
  private static let curable: Set<Int32> = [
    X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
    X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE, X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT,
    X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN,
  ]

  /// Everything; `nil` if it cannot be had.
  ///
  /// `nonisolated(unsafe)`: an `X509_STORE` that no longer changes may be used by many threads,
  /// what it caches it guards by a lock of its own.
  nonisolated(unsafe) private static let everything: OpaquePointer? = {
    guard let store = X509_STORE_new() else { return nil }
    X509_STORE_set_default_paths(store)
    return store
  }()

  /// Makes a context trust what the directory holds.
  static func addDirectory(to context: OpaquePointer) {
    SSL_CTX_set_default_verify_dir(context)
  }

  /// Verifies the certificate of a handshake.
  ///
  /// - Returns: `X509_V_OK`, or the error of OpenSSL; the verification knows it too.
  static func verify(_ verification: OpaquePointer) -> Int32 {
    if X509_verify_cert(verification) == 1 { return X509_V_OK }
    let code = X509_STORE_CTX_get_error(verification)
    guard curable.contains(code), let store = everything else { return code }
    let outcome = verify(verification, with: store) ?? code
    X509_STORE_CTX_set_error(verification, outcome)
    return outcome
  }

  /// The same with other certificates to trust; `nil` if there is no memory for it.
  private static func verify(_ verification: OpaquePointer, with store: OpaquePointer) -> Int32? {
    guard let second = X509_STORE_CTX_new() else { return nil }
    defer { X509_STORE_CTX_free(second) }
    let certificate = X509_STORE_CTX_get0_cert(verification)
    let untrusted = X509_STORE_CTX_get0_untrusted(verification)
    let parameters = X509_STORE_CTX_get0_param(verification)
    guard X509_STORE_CTX_init(second, store, certificate, untrusted) == 1,
      X509_VERIFY_PARAM_set1(X509_STORE_CTX_get0_param(second), parameters) == 1
    else { return nil }
    return X509_verify_cert(second) == 1 ? X509_V_OK : X509_STORE_CTX_get_error(second)
  }
}
