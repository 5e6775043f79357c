/// Measures how fast messages come over a connection, to decide whether compressing it pays.
///
/// zlib gives some 30 MB a second, and less than half of what mail has goes over the wire: above 40 Mbit a second the server's
/// work costs more than it saves. Times are nanoseconds of a clock that never goes back.
struct FetchRate {
  /// Octets that come before the measure: a connection gets faster at first.
  private static let start: UInt64 = 256 << 10
  /// Octets that are measured.
  private static let measure: UInt64 = 512 << 10
  /// Octets in a second below which a connection is slow.
  private static let slow = 5e6

  private var came: UInt64 = 0
  private var begin: Int64?
  /// Whether the connection is slow; nil as long as too little came.
  private(set) var isSlow: Bool?

  /// Octets of messages came.
  mutating func recordOctets(_ count: Int, at now: Int64) {
    guard isSlow == nil else { return }
    came += UInt64(count)
    guard let begin else {
      if came >= Self.start { (came, self.begin) = (0, now) }
      return
    }
    guard came >= Self.measure else { return }
    isSlow = Double(came) < Self.slow * Double(now - begin) / 1e9
  }
}
