#if FAULT_POINTS
internal import Glibc
#endif

/// Time as a test may have it, so that it need not wait.
///
/// Only where the package is built with FAULT_POINTS (debug builds), as ``FaultPoint``:
/// - `MAGNUM_PATIENCE=n`: no reply of a server is waited for longer than n milliseconds.
/// - `MAGNUM_FINGERPRINT_AGE=n`: the fingerprints of a directory are trusted once n milliseconds have passed since its last change.
package enum TestTime {
  /// The seconds to wait for a reply, where they are not fewer.
  @inline(__always)
  package static func patience(_ usual: Double) -> Double {
    #if FAULT_POINTS
    return patience.map { min($0, usual) } ?? usual
    #else
    return usual
    #endif
  }

  /// The nanoseconds after which fingerprints are trusted, where it is not the given number of them.
  @inline(__always)
  static func fingerprintAge(_ usual: Int64) -> Int64 {
    #if FAULT_POINTS
    return age ?? usual
    #else
    return usual
    #endif
  }

  #if FAULT_POINTS
  private static let patience = getenv("MAGNUM_PATIENCE").flatMap { Double(String(cString: $0)) }
    .map { $0 / 1000 }

  private static let age = getenv("MAGNUM_FINGERPRINT_AGE").flatMap { Double(String(cString: $0)) }
    .map { Int64($0 * 1e6) }
  #endif
}
