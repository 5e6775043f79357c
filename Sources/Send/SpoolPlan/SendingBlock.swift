internal import Octets

/// Why nothing is sent with an account for a while; its file in the spool says so.
///
///     Magnum-Block: 1
///     Reason: unreachable
///     Since: 2026-11-21T02:31:25Z
///     Until: 2026-11-21T02:31:55Z
///     Failures: 1
///     Account-Digest: 0123456789abcdef
///     Words: connection refused
package struct SendingBlock: Hashable, Sendable {
  /// What is in the way.
  package enum Reason: String, Hashable, Sendable {
    /// The server cannot be reached, or serves no client now.
    case unreachable
    /// The server refused user, password or token: a person is needed.
    case secret
    /// The server, or what the configuration says about it, is not fit for sending: a person is needed.
    case unfit
  }

  /// What is in the way.
  package let reason: Reason

  /// Since when, in seconds since 1970.
  package let since: Int64

  /// Until when no attempt is made without a command, in seconds since 1970.
  package let until: Int64

  /// How often it was tried in vain, one after the other.
  package let failures: Int

  /// What the account looked like: the block is void once that changes.
  package let digest: [UInt8]

  /// What the server or the system said.
  package let words: [UInt8]

  /// Seconds after which a secret that was refused is offered again all the same.
  package static let lifetime: Int64 = 6 * 3600

  /// Whether a server was out of reach so long that it may not be for the network's sake, except for a wrong name or port.
  package func isLasting(at now: Int64) -> Bool {
    reason == .unreachable && now - since >= 24 * 3600
  }

  /// The block that follows from a failure, and from the block that was there before.
  ///
  /// `lifetime` is the number of seconds for which it holds where a person is needed.
  package init(
    _ reason: Reason,
    words: [UInt8],
    digest: [UInt8],
    now: Int64,
    after previous: SendingBlock?,
    _ schedule: RetrySchedule = .standard,
    lifetime: Int64 = Self.lifetime
  ) {
    let isSame = previous?.reason == reason && previous?.digest == digest
    self.reason = reason
    self.words = words
    self.digest = digest
    since = isSame ? previous?.since ?? now : now
    failures = isSame ? (previous?.failures ?? 0) + 1 : 1
    until = now + (reason == .unreachable ? schedule.delay(after: failures) : lifetime)
  }

  /// The same with newer words: who was early with an attempt puts nothing off.
  package func retold(_ words: [UInt8]) -> SendingBlock {
    SendingBlock(self, words: words)
  }

  private init(_ other: SendingBlock, words: [UInt8]) {
    (reason, since, until) = (other.reason, other.since, other.until)
    (failures, digest) = (other.failures, other.digest)
    self.words = words
  }

  /// Whether it stands in the way now, of an account that looks like this.
  ///
  /// One that reaches further than any of its reason does was noted by a clock that has been set back since.
  package func holds(
    now: Int64,
    digest: [UInt8],
    _ schedule: RetrySchedule = .standard
  ) -> Bool {
    guard digest == self.digest else { return false }
    return switch reason {
    case .unreachable: !schedule.isDue(until, now: now)
    case .secret, .unfit: now < until && until - now <= Self.lifetime
    }
  }
}

// The file.
extension SendingBlock {
  /// The content of the file.
  package var octets: [UInt8] {
    let lines: [(StaticString, [UInt8])] = [
      ("Magnum-Block", [ASCII.zero + 1]), ("Reason", [UInt8](reason.rawValue.utf8)),
      ("Since", Timestamp.octets(since)), ("Until", Timestamp.octets(until)),
      ("Failures", [UInt8](decimal: failures)), ("Account-Digest", EntryText.escape(digest)),
      ("Words", EntryText.escape(words)),
    ]
    return lines.flatMap { name, value in
      [UInt8](ascii: name) + [ASCII.colon, ASCII.space] + value + [ASCII.lineFeed]
    }
  }

  /// The block that a file describes; `nil` when it makes no sense, which blocks nothing.
  package init?(_ file: [UInt8]) {
    var values: [[UInt8]: [UInt8]] = [:]
    for line in file.split(separator: ASCII.lineFeed) {
      guard let colon = line.firstIndex(of: ASCII.colon) else { return nil }
      values[[UInt8](line[..<colon])] = [UInt8](line[(colon + 1)...].drop { $0 == ASCII.space })
    }
    func value(_ name: StaticString) -> [UInt8] { values[[UInt8](ascii: name)] ?? [] }
    var failures = Cursor(value("Failures"))
    guard value("Magnum-Block") == [ASCII.zero + 1],
      let reason = Reason(rawValue: String(decoding: value("Reason"), as: UTF8.self)),
      let since = Timestamp.seconds(value("Since")), let until = Timestamp.seconds(value("Until")),
      let count = failures.decimal(), let digest = PercentEscape.unescape(value("Account-Digest")),
      let words = PercentEscape.unescape(value("Words"))
    else { return nil }
    self.reason = reason
    (self.since, self.until) = (since, until)
    self.failures = Int(clamping: count)
    (self.digest, self.words) = (digest, words)
  }
}
