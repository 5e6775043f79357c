#if FAULT_POINTS
internal import Glibc
#endif

/// Time as a test may have it, so that it need not wait.
///
/// Only where the package is built with FAULT_POINTS (debug builds), as ``FaultPoint``. Two variables of the environment:
/// - `MAGNUM_STAMP_AGE=n`: the stamps of a directory are trusted once n milliseconds have passed since its last change.
/// - `MAGNUM_HASTE=n`: before something is tried or looked at again, only the n-th part of the time passes.
enum TestTime {
  /// The nanoseconds after which stamps are trusted, where it is not the given number of them.
  @inline(__always)
  static func stampAge(_ usual: Int64) -> Int64 {
    #if FAULT_POINTS
    return age ?? usual
    #else
    return usual
    #endif
  }

  /// How long a pause of so many seconds is.
  @inline(__always)
  static func pause(_ seconds: Double) -> Double {
    #if FAULT_POINTS
    return seconds / haste
    #else
    return seconds
    #endif
  }
}

#if FAULT_POINTS
extension TestTime {
  private static let age = number("MAGNUM_STAMP_AGE").map { Int64($0 * 1e6) }
  private static let haste = max(1, number("MAGNUM_HASTE") ?? 1)

  private static func number(_ name: String) -> Double? {
    getenv(name).flatMap { Double(String(cString: $0)) }
  }
}
#endif
