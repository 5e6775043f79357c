package import MailModel

/// What an account's server was seen to do, apart from what it says it can.
///
/// A cache: where it is lost, the next runs need a round trip more until it is learned again.
package struct ServerTraits: Hashable, Sendable {
  /// Whether the server answers commands that are sent behind the log-in before its outcome is known.
  package enum Pipelining: Hashable, Sendable {
    /// It was not tried yet, or has to be tried again.
    case untried
    /// It does.
    case works
    /// It drops or misreads them.
    case fails
  }

  /// Which server it was: a hash of what it offers before the log-in; nil before the first log-in.
  package var identity: UInt64?
  /// Whether it answers commands behind the log-in.
  package var pipelining = Pipelining.untried
  /// Whether the last log-in was AUTHENTICATE PLAIN in one line.
  package var logsInByPlain = false
  /// Whether it does not take a log-in that is sent before its greeting is read.
  package var awaitsGreeting = false
  /// How many runs it served to their end after log-ins that may go out early by themselves, up to `cleanRunLimit`; nil where the
  /// last log-in was another.
  package var cleanRuns: Int?
  /// Whether it misreads AUTHENTICATE with an initial response, though it offers SASL-IR.
  package var refusesInitialResponse = false
  /// Until when it is asked about no mailbox before the list of them was read, and no mailbox is changed before the answers about
  /// those before it have come (seconds since 1970): it broke a connection over that, or named a limit; nil where it did not.
  package var refusesEarlyQuestionsUntil: Int64?

  /// How often in a row it ended the connection soon after IDLE began.
  package var idleBreaks = 0
  /// Until when it is not asked for IDLE (seconds since 1970), since it ended connections over that; nil where it is.
  package var refusesIdleUntil: Int64?
  /// Whether it opens mailboxes only to programs that told their name.
  package var needsIdentity = false
  /// Whether it refuses MOVE, though it offers that, and carries out COPY.
  package var refusesMove = false
  /// Whether it tells UIDNEXT by STATUS, and not where a mailbox is opened.
  package var hidesNext = false
  /// Mailboxes by what it says that they are for, named as people write them, with slashes between the levels.
  package var roles: [MailboxRole: [UInt8]] = [:]
  /// How many connections it allowed at once, and until when that counts (seconds since 1970); nil where it set no limit.
  package var connections: ConnectionLimit?
  /// Until when it wants to be left alone; nil where it does not.
  package var pause: Pause?

  /// What was last seen of the labels of messages; nil where they are no tags.
  package var labels: LabelReading?

  /// Whether the server was seen to do with labels what pushing them needs; nil where that was never tested.
  package var labelCheck: LabelCheck?

  /// What came of the test of a server's labels.
  package enum LabelCheck: Hashable, Sendable {
    /// It did all that is needed, at that time in seconds since 1970.
    case passed(Int64)
    /// It did not do this, at that time.
    case failed(Int64, [UInt8])
  }

  /// What was seen of the labels of all messages.
  package struct LabelReading: Hashable, Sendable {
    /// When those of all messages were read, in seconds since 1970.
    package var time: Int64
    /// A hash of what the server told of the mailboxes of all labels when the tags here agreed with them.
    package var digest: UInt64

    package init(time: Int64, digest: UInt64) {
      (self.time, self.digest) = (time, digest)
    }
  }

  /// A limit of connections that a server was seen to have.
  package struct ConnectionLimit: Hashable, Sendable {
    /// The number of connections.
    package var count: Int
    /// Seconds since 1970.
    package var end: Int64
  }

  /// A time before which a server wants to be left alone.
  package struct Pause: Hashable, Sendable {
    /// Seconds since 1970.
    package var end: Int64
    /// How many runs in a row ended like this.
    package var runs: Int
    /// What the server said.
    package var reason: [UInt8]
  }

  /// After so many clean runs the log-in goes out early by itself.
  package static let cleanRunLimit = 2
  /// Seconds for which a limit counts.
  package static let limitLifetime: Int64 = 86_400
  /// Seconds for which it counts that a connection broke: that may have had another cause.
  package static let breakLifetime: Int64 = 3600

  /// Seconds of the first pause where the server says nothing of its length; twice as many each time it goes on.
  private static let firstPause: Int64 = 60
  private static let longestPause: Int64 = 3600

  /// Nothing was seen yet.
  package init() {}

  /// Notes a log-in to the server of that identity; what was seen of another one says nothing about it.
  ///
  /// - Parameters:
  ///   - identity: the hash of what it offers.
  ///   - keepsGreeting: whether it still counts that its greeting has to be awaited, whatever it offers now.
  package mutating func loggedIn(_ identity: UInt64, keepsGreeting: Bool = false) {
    guard self.identity != identity else { return }
    self.identity = identity
    pipelining = .untried
    logsInByPlain = false
    awaitsGreeting = awaitsGreeting && keepsGreeting
    cleanRuns = nil
    refusesInitialResponse = false
    refusesEarlyQuestionsUntil = nil
    (idleBreaks, refusesIdleUntil) = (0, nil)
    needsIdentity = false
    refusesMove = false
    hidesNext = false
    roles = [:]
    labels = nil
  }

  /// Notes that the server served a run to its end.
  package mutating func served() {
    pause = nil
    cleanRuns = cleanRuns.map { min($0 + 1, Self.cleanRunLimit) }
  }

  /// Notes that the server wants a pause, for its reason; gives the end of it.
  @discardableResult
  package mutating func postpone(now: Int64, seconds: Int64?, reason: [UInt8]) -> Int64 {
    let runs = min((pause?.runs ?? 0) + 1, 16)
    let seconds = seconds ?? min(Self.longestPause, Self.firstPause << Int64(runs - 1))
    pause = Pause(end: now + seconds, runs: runs, reason: Array(reason.prefix(200)))
    return now + seconds
  }

  /// Notes that so many connections were open when the server allowed no more.
  package mutating func limitConnections(to count: Int, now: Int64) {
    connections = ConnectionLimit(count: max(1, count), end: now + Self.limitLifetime)
  }

  /// Whether it may be asked about mailboxes before the list of them was read.
  package func mayAskEarly(now: Int64) -> Bool {
    guard let end = refusesEarlyQuestionsUntil else { return true }
    return !isAhead(end, of: now)
  }

  /// Whether it may be asked for IDLE.
  package func mayIdle(now: Int64) -> Bool {
    guard let end = refusesIdleUntil else { return true }
    return !isAhead(end, of: now)
  }

  /// Notes that the connection was ended so many seconds after IDLE began, or that IDLE went well for as long.
  package mutating func noteIdle(seconds: Double, isBroken: Bool, now: Int64) {
    guard seconds < Self.idleSeconds else { return idleBreaks = 0 }
    guard isBroken else { return }
    idleBreaks += 1
    guard idleBreaks >= Self.idleBreakLimit else { return }
    (idleBreaks, refusesIdleUntil) = (0, now + Self.limitLifetime)
  }

  /// Seconds for which IDLE has to last to count as something that the server does.
  private static let idleSeconds = 120.0
  /// After so many breaks in a row IDLE is not asked for.
  private static let idleBreakLimit = 3

  /// The pause that is still to be kept.
  package func pause(now: Int64) -> Pause? {
    guard let pause, isAhead(pause.end, of: now) else { return nil }
    return pause
  }

  /// How many connections may be open at once; nil where no limit is known.
  package func connectionLimit(now: Int64) -> Int? {
    guard let connections, isAhead(connections.end, of: now) else { return nil }
    return connections.count
  }

  /// Whether a limit with that end still counts; not where a clock that was wrong has put it too far ahead.
  private func isAhead(_ end: Int64, of now: Int64) -> Bool {
    now < end && end - now <= Self.limitLifetime
  }
}
