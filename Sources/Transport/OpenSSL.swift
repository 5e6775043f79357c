internal import COpenSSL

/// The library as a whole.
enum OpenSSL {
  /// Sets the library up so that the end of the process does not tear it down.
  ///
  /// By default OpenSSL frees its tables in exit(3), under the hands of threads that still use them.
  /// Everything that calls OpenSSL asks for this first; only the first time does something.
  static let isReady: Bool = OPENSSL_init_ssl(UInt64(OPENSSL_INIT_NO_ATEXIT), nil) == 1
}
