internal import Octets
internal import Platform

/// When each standing problem of an account was last reported, as the last run off a terminal left it.
///
/// A standing problem is there in every run until it is dealt with. Off a terminal it is reported once,
/// then once a day: cron sends mail about each report, and where mail cannot be sent that is one failure more.
struct ReportedProblems: Equatable {
  /// Seconds after which a problem is reported again; an hour less than a day, for what runs once a day.
  static let interval: Int64 = 23 * 3600

  private var reported: [String: Int64] = [:]
  private var seen: Set<String> = []

  /// Nothing was reported yet.
  init() {}

  /// The content of the file: a line each, the seconds since 1970, a space, the name of the problem.
  init(_ octets: [UInt8]) {
    for line in octets.split(separator: ASCII.lineFeed) {
      var cursor = Cursor(line)
      guard let time = cursor.decimal(), let time = Int64(exactly: time), cursor.skip(ASCII.space)
      else { continue }
      reported[String(decoding: cursor.takeAll(), as: UTF8.self)] = time
    }
  }

  var octets: [UInt8] {
    Array(reported.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)\n" }.joined().utf8)
  }

  /// Whether the problem is to be reported now; it counts as reported then.
  mutating func isDue(_ name: String, now: Int64) -> Bool {
    seen.insert(name)
    // What is older is due, as if it had never been reported.
    reported = reported.filter { $0.value <= now && now - $0.value < Self.interval }
    if reported[name] != nil { return false }
    reported[name] = now
    return true
  }

  /// Forgets the problems that a whole run no longer found, so that they are reported at once when they come back.
  mutating func forgetSolved() {
    reported = reported.filter { seen.contains($0.key) }
  }
}
