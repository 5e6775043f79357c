/// Decides when a watched account is synced: a state machine of what happened and of the time.
///
/// It decides only when. What a sync does is decided by the plans of the sync. Its driver does what `next` says, and
/// tells what came of it.
package struct AccountWatch: Sendable {
  /// Seconds without another local change after which it goes to the server, and seconds after which it goes all the same.
  static let localQuiet = (usual: 1.0, atMost: 10.0)
  /// Seconds without any change in the account after which removals go to the server, and seconds after which they go all
  /// the same.
  static let removalQuiet = (usual: 60.0, atMost: 900.0)
  /// Seconds after a sync in which what the server tells is gathered.
  package static let gathering = 2.0
  /// Seconds for a sign of life from the server.
  package static let signLimit = 10.0
  /// Seconds without a sign of life after which the server is asked for one before a sync that a program waits for.
  static let silence = 60.0
  /// Seconds at least between syncs because of a new day: the clock by which days are told may be behind.
  static let resumptionDelay = 60.0
  /// Seconds between attempts while another program syncs the account.
  static let busyDelay = 3.0
  /// Seconds between attempts while the account's folders are away: one costs little, and a disk that is mounted is not told.
  static let awayDelay = 10.0
  /// Seconds within which one change of the machine's address counts.
  static let addressInterval = 30.0

  /// Whether a connection is open.
  package private(set) var isConnected = false
  /// Seconds between syncs where nothing is heard.
  private let poll: Double

  private var backoff = Backoff()
  /// When the connection was made.
  private var connected: Moment
  /// Before this moment no sync begins.
  private var notBefore: Moment
  /// Before this moment nothing but a person's wish makes a new connection.
  private var pauseEnd: Moment

  /// Whether all has to be looked at.
  private var isWanted = true
  /// What the server told of changes.
  private var telling = ServerTelling()
  /// Whether a program waits for a sync.
  private var isDemanded = false
  private var isAsked = false
  private var mustCheck = false
  /// Whether the last sync found the folders away.
  private var isAway = false
  /// Whether the last sync ended for want of a secret that the server takes.
  private var needsLogin = false
  /// The first and the last local change that no sync has seen.
  private var localChanges: (first: Moment, last: Moment)?
  /// The last change on either side.
  private var lastChange: Moment
  /// From when on the server gives what waits for another day; nil where nothing waits.
  private var resumption: Moment?
  /// When an entry of the queue is due; nil where none waits for its time.
  private var queueDue: Moment?
  /// Since when removals are left on the server.
  private var postponed: Moment?
  private var lastSync: Moment
  private var lastAddress: Moment?
  /// When the server gave a sign of life.
  private var lastSign: Moment
  /// What of the above the sync that is under way has seen, if it comes to its end.
  private var syncBegin: Moment

  /// A watch that begins now; `poll` is how many seconds pass between syncs where nothing is heard.
  package init(poll: Double, now: Moment) {
    self.poll = poll
    (connected, notBefore, pauseEnd) = (now, now, now)
    (lastChange, lastSync, syncBegin, lastSign) = (now, now, now, now)
  }

  // MARK: What is next

  /// What is to be done now; `loginDelay` is how many seconds pass until a log-in is allowed.
  package mutating func next(now: Moment, loginDelay: Double) -> WatchStep {
    if mustCheck, isConnected {
      mustCheck = false
      return .check
    }
    let due = due(now)
    let begin = isConnected ? max(due, notBefore) : max(due, notBefore, now + loginDelay)
    guard begin <= now else {
      return isConnected
        ? .listen(until: begin, gathering: lastSync + Self.gathering) : .rest(until: begin)
    }
    return .sync(beginSync(now))
  }

  private mutating func beginSync(_ now: Moment) -> SyncStep {
    syncBegin = now
    let step = SyncStep(
      connects: !isConnected,
      postponesRemovals: now < removalsDue && !isDemanded,
      isQuiet: now >= removalsDue,
      isAsked: isAsked
    )
    (isWanted, isDemanded, isAsked, localChanges) = (false, false, false, nil)
    telling.begin()
    return step
  }

  /// When the next sync is due, apart from what keeps it from beginning.
  private func due(_ now: Moment) -> Moment {
    if !isConnected || isWanted || isDemanded || isAsked { return now }
    var due = lastSync + poll
    if let delay = telling.delay { due = min(due, lastSync + delay) }
    if let changes = localChanges {
      due = min(
        due,
        changes.last + Self.localQuiet.usual,
        changes.first + Self.localQuiet.atMost
      )
    }
    if let resumption { due = min(due, resumption) }
    if let queueDue { due = min(due, queueDue) }
    if postponed != nil { due = min(due, removalsDue) }
    return due
  }

  /// From when on removals go to the server.
  private var removalsDue: Moment {
    let quiet = lastChange + Self.removalQuiet.usual
    guard let postponed else { return quiet }
    return min(quiet, postponed + Self.removalQuiet.atMost)
  }

  // MARK: What happened

  /// Something happened outside of the connection; gives whether further connections are to be checked because of it.
  @discardableResult
  package mutating func recordNews(_ news: WatchNews, now: Moment) -> Bool {
    switch news {
    case .localChange:
      localChanges = (localChanges?.first ?? now, now)
      lastChange = now
      if isAway { notBefore = max(pauseEnd, min(notBefore, now + Self.localQuiet.usual)) }
    case .serverChange:
      telling.recordChange()
      lastChange = now
    case .newAddress:
      if let lastAddress, now - lastAddress < Self.addressInterval { return false }
      lastAddress = now
      lookAgain(now)
      return true
    case .resumed:
      lookAgain(now)
      return true
    case .reloaded:
      isAsked = true
      (notBefore, pauseEnd) = (now, now)
    case .newLogin:
      // A sync that renews a token keeps it too.
      if needsLogin { (notBefore, pauseEnd) = (now, now) }
    }
    return false
  }

  /// Another program asks for a sync; gives whether one is made for it.
  ///
  /// A connection of which nothing was heard for long is checked first, so that one that is gone costs a new one in place
  /// of the sync.
  package mutating func demand(_ demand: SyncDemand, now: Moment) -> Bool {
    switch demand {
    case .named: (isAsked, pauseEnd) = (true, now)
    case .unnamed: guard pauseEnd <= now else { return false }
    }
    (isDemanded, notBefore) = (true, now)
    if isConnected, now - lastSign > Self.silence { mustCheck = true }
    return true
  }

  /// The way to the server may be another one: the connection is checked, and everything looked at.
  private mutating func lookAgain(_ now: Moment) {
    (isWanted, mustCheck) = (true, isConnected)
    notBefore = max(min(notBefore, now), pauseEnd)
  }

  /// A wait for the server ended.
  package mutating func listened(_ end: ListenEnd, now: Moment, chance: Double) {
    switch end {
    case .quiet: break
    case .changed:
      telling.recordChange()
      (lastChange, lastSign) = (now, now)
    case .lost: lose(now, chance)
    }
  }

  /// The server was asked for a sign of life; tells whether the connection is open.
  package mutating func checked(isConnected: Bool, now: Moment, chance: Double) {
    guard !isConnected else { return lastSign = now }
    mustCheck = true
    lose(now, chance)
  }

  /// The sync that ended came to its end; tells whether it found anything to do, on either side.
  package mutating func found(changes: Bool) {
    telling.end(hasFound: changes)
  }

  /// The sync that ended left messages for another day, which begins in so many seconds; nil where it left none.
  package mutating func left(for seconds: Double?, now: Moment) {
    resumption = seconds.map { now + max($0, Self.resumptionDelay) }
  }

  /// The first entry of the queue is due in so many seconds; nil where none waits for its time.
  ///
  /// What the sync that ended should have done, and did not, is left to the next one.
  package mutating func queued(for seconds: Double?, now: Moment) {
    queueDue = seconds.flatMap { $0 > 0 ? now + $0 : nil }
  }

  /// A sync ended; tells whether the connection is open, and how many removals are left for later.
  package mutating func synced(
    _ end: SyncEnd,
    isConnected: Bool,
    now: Moment,
    chance: Double
  ) {
    if isConnected, !self.isConnected { (self.isConnected, connected) = (true, syncBegin) }
    if !isConnected, self.isConnected { lose(now, chance) }
    (lastSync, isAway, needsLogin) = (now, end == .away, end.needsLogin)
    switch end {
    case .done(let count):
      postponed = count > 0 ? postponed ?? now : nil
      lastSign = now
    case .offline:
      isWanted = true
      if notBefore <= now { notBefore = now + backoff.fail(chance: chance) }
    case .pausing(let seconds), .loggedOut(let seconds):
      isWanted = true
      pauseEnd = now + max(seconds, Backoff.delays[0])
      notBefore = pauseEnd
    case .busy:
      isWanted = true
      notBefore = now + Self.busyDelay
    case .away:
      isWanted = true
      notBefore = now + Self.awayDelay
    case .refused, .failed:
      isWanted = true
      notBefore = now + poll
      pauseEnd = notBefore
    }
  }

  private mutating func lose(_ now: Moment, _ chance: Double) {
    if isConnected { backoff.end(after: now - connected) }
    (isConnected, isWanted) = (false, true)
    // Where this machine was suspended, or has another address, it is not the server that ended the connection.
    let delay = mustCheck ? 0 : backoff.fail(chance: chance)
    mustCheck = false
    notBefore = max(pauseEnd, now + delay)
  }
}
