#if FAULT_POINTS
internal import Glibc
#endif

/// Time as a test may have it, so that it need not wait.
///
/// Only where the package is built with FAULT_POINTS (debug builds), as ``FaultPoint``:
/// - `MAGNUM_PATIENCE=n`: no reply of a server is waited for longer than n milliseconds, and the servers of an address are looked
///   for as long as that, be it more or less than usual.
/// - `MAGNUM_FINGERPRINT_AGE=n`: the fingerprints of a directory are trusted once n milliseconds have passed since its last change.
/// - `MAGNUM_DAYS_AHEAD=n`: what is counted by the day is counted n days ahead.
/// - `MAGNUM_COPY_WAIT=n`: a new file that is a copy of a message waits for n seconds, and not at all where n is below 0.
/// - `MAGNUM_FETCH_WATCH=n`: so many milliseconds of a fetch have to be seen before a further connection is asked to help.
/// - `MAGNUM_WATCH_PACE=n`: the clock by which `magnum watch` decides runs n times as fast. What servers and other programs are
///   given to answer stays as it is.
package enum TestTime {
  /// The seconds to wait for a reply, where they are not fewer.
  @inline(__always)
  package static func replyTime(_ usual: Double) -> Double {
    #if FAULT_POINTS
    return replyTime.map { min($0, usual) } ?? usual
    #else
    return usual
    #endif
  }

  /// The seconds in which the servers of an address are looked for, where it is not the given number of them.
  @inline(__always)
  package static func search(_ usual: Double) -> Double {
    #if FAULT_POINTS
    return replyTime ?? usual
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

  /// The nanoseconds of a fetch that have to be seen before a further connection is asked to help, where they are not fewer.
  @inline(__always)
  package static func fetchWatch(_ usual: Int64) -> Int64 {
    #if FAULT_POINTS
    return watch ?? usual
    #else
    return usual
    #endif
  }

  /// The seconds for which a new file that is a copy waits, where they are not that many; below 0 it does not wait.
  @inline(__always)
  package static func copyWait(_ usual: Int64) -> Int64 {
    #if FAULT_POINTS
    return wait ?? usual
    #else
    return usual
    #endif
  }

  /// How many times as fast the clock of a watch runs.
  @inline(__always)
  package static var watchPace: Int64 {
    #if FAULT_POINTS
    return pace ?? 1
    #else
    return 1
    #endif
  }

  /// The present time (seconds since 1970) by which is counted what is limited by the day.
  @inline(__always)
  package static func ofDays() -> Int64 {
    #if FAULT_POINTS
    return Clock.now() + 86_400 * ahead
    #else
    return Clock.now()
    #endif
  }

  #if FAULT_POINTS
  private static let ahead =
    getenv("MAGNUM_DAYS_AHEAD").flatMap { Int64(String(cString: $0)) } ?? 0
  private static let wait = getenv("MAGNUM_COPY_WAIT").flatMap { Int64(String(cString: $0)) }
  private static let pace = getenv("MAGNUM_WATCH_PACE").flatMap { Int64(String(cString: $0)) }
  private static let replyTime = milliseconds("MAGNUM_PATIENCE").map { $0 / 1000 }
  private static let age = milliseconds("MAGNUM_FINGERPRINT_AGE").map { Int64($0 * 1e6) }
  private static let watch = milliseconds("MAGNUM_FETCH_WATCH").map { Int64($0 * 1e6) }

  private static func milliseconds(_ name: String) -> Double? {
    getenv(name).flatMap { Double(String(cString: $0)) }
  }
  #endif
}
