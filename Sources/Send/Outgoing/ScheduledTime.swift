package import MailModel
internal import Octets
internal import Platform
package import Spool
package import SpoolPlan
package import Submission
internal import Terminal

/// A moment before which a message is not sent, and who sends it then.
package struct ScheduledTime: Sendable {
  /// How long a program waits for the moment itself, in seconds.
  package static let waitLimit: Int64 = 300

  /// For how long a queue counts as worked on, after it was.
  private static let liveliness: Int64 = 3600

  /// The moment, in seconds since 1970.
  package let moment: Int64

  private let now: Int64

  /// The moment that a text means; see `MomentText`.
  ///
  /// - Throws: that it means none, or one that is past.
  package init(_ text: [UInt8], now: Int64 = Clock.now()) throws(Explanation) {
    guard let moment = MomentText.seconds(text, now: now, offset: { LocalTime.offset(at: $0) })
    else {
      throw Explanation(
        .usage,
        "\"\(Printable.text(text, limit: 60))\" is no time",
        hint: "write it as +20s, +5m, +2h, +1d, 18:30, 2026-11-24 or \"2026-11-24 18:30\""
      )
    }
    guard moment > now else {
      throw Explanation(.usage, "\"\(Printable.text(text, limit: 60))\" is past")
    }
    (self.moment, self.now) = (moment, now)
  }

  /// A moment so many seconds from now, or up to one later: moments are whole seconds, and none comes before its time.
  package init(after seconds: Int64, now: Int64 = Clock.now() + 1) {
    (moment, self.now) = (now + seconds, now)
  }

  /// The moment by local clocks, and how long it is until then, for people.
  package var text: String {
    "\(Self.local(moment)), in \(HumanFormat.seconds(Double(moment - now)))"
  }

  /// A moment by local clocks: `2026-11-24 18:30`.
  package static func local(_ moment: Int64) -> String {
    let local = Timestamp.octets(moment + Int64(LocalTime.offset(at: moment)))
    let words = local.prefix(16).map { $0 == UInt8(ascii: "T") ? ASCII.space : $0 }
    return String(decoding: words, as: UTF8.self)
  }

  /// Whether it is so near that a program waits for it.
  package var isNear: Bool { moment - now <= Self.waitLimit }

  /// Refuses a moment that is not near where nothing works on the queue by itself.
  package func check(_ spool: Spool) throws(Explanation) {
    if isNear { return }
    // One that is to come was noted by a clock that has been set back since.
    if let last = spool.lastRun(), abs(now - last) < Self.liveliness { return }
    throw Explanation(
      .partial,
      place: spool.account,
      "nothing would send it then: nothing has worked on the queue for an hour",
      hint: "start magnum-sync.timer, or run magnum-sync or \"magnum queue flush --due\" from cron"
    )
  }

  /// How waiting for the moment ended.
  package enum WaitEnd: Sendable {
    /// The moment is there.
    case due
    /// A person wants the program to end.
    case interrupted
    /// It no longer waits: it was cancelled, or another program has sent it.
    case gone
  }

  /// Whether the entry waits, or a new version of it; true where that cannot be told.
  private static func isThere(_ id: EntryID, _ account: String, _ outbox: Outbox) -> Bool {
    do throws(SpoolError) {
      guard case .present(let item) = try outbox.outcome(of: id, in: account) else { return false }
      return item.state != .discarded
    } catch {
      return true
    }
  }

  /// Waits until the moment is there.
  ///
  /// - Parameters:
  ///   - id: the entry of the message.
  ///   - account: the account whose queue it is in.
  ///   - outbox: where that queue is.
  /// - Returns: how it ended.
  package func wait(for id: EntryID, of account: String, in outbox: Outbox) -> WaitEnd {
    while true {
      let left = moment - Clock.now()
      guard left > 0 else { return .due }
      guard Self.isThere(id, account, outbox) else { return .gone }
      guard Interruption.shared.sleep(seconds: Double(min(left, 1))) else { return .interrupted }
    }
  }
}
