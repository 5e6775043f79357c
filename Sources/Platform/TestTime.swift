#if FAULT_POINTS
internal import Glibc
#endif

/// Time as a test may have it, so that it need not wait.
///
/// Only where the package is built with FAULT_POINTS (debug builds), as ``FaultPoint``:
/// - `MAGNUM_FINGERPRINT_AGE=n`: the fingerprints of a directory are trusted once n milliseconds have passed since its last change.
enum TestTime {
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
  private static let age = getenv("MAGNUM_FINGERPRINT_AGE").flatMap { Double(String(cString: $0)) }
    .map { Int64($0 * 1e6) }
  #endif
}
