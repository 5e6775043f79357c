internal import COpenSSL
internal import Platform

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
