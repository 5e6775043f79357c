internal import IMAP
internal import MailModel
internal import MailStore
internal import Platform

extension Connection {
  /// The IDLE that the server has confirmed.
  struct Idle {
    let tag: CommandTag
    /// When it is to be begun anew.
    let renewal: Deadline
    /// Whether the server tells of all mailboxes meanwhile (NOTIFY).
    let isNotifying: Bool

    /// How many replies are still to come once it is ended.
    var replies: Int { isNotifying ? 2 : 1 }
  }

  /// What is waited for first: an event, or a wake-up.
  enum News {
    case event(Event)
    case woken
    case timedOut
  }
}

// Waiting for what the server tells unasked.
extension Connection {
  /// Seconds after which IDLE is begun anew on the same connection: servers log out who is idle for 30 minutes (RFC 2177).
  private static let renewal = 25.0 * 60
  /// Seconds after which a server without IDLE is asked for news.
  private static let asking = 60.0

  /// Waits for changes in the mailbox that is open; see `MailStore.wait`.
  func wait(_ order: WaitOrder) throws(SyncFailure) -> WaitEnd {
    var isChanged = order.isChanged
    var limit = order.limit(isChanged: isChanged)
    while true {
      let pause = try beginWaiting(includingOthers: order.includesOthers)
      if takeMissed() { (isChanged, limit) = (true, order.limit(isChanged: true)) }
      switch try nextNews(unless: order.waker, deadline: min(limit, pause)) {
      case .event(let event): recordEvent(event)
      case .woken: return isChanged ? .changed : .woken
      case .timedOut:
        if limit.isPast { return isChanged ? .changed : .timedOut }
        try endWaiting()
      }
    }
  }

  private func takeMissed() -> Bool {
    defer { hasMissed = false }
    return hasMissed
  }

  /// Records what an unsolicited event says of changes.
  private func recordEvent(_ event: Event) {
    if event.endsNotify { refusesNotify = true }
    if event.tellsChange { hasMissed = true }
  }

  /// Has the server tell what changes; gives the moment at which it is to be asked anew.
  private func beginWaiting(includingOthers: Bool) throws(SyncFailure) -> Deadline {
    if let idle { return idle.renewal }
    guard capabilities.contains("IDLE"), try beginIdle(includingOthers) else {
      return .after(seconds: Self.asking)
    }
    return .after(seconds: Self.renewal)
  }

  /// Whether waits tell of changes in all mailboxes, not only in the one that is open.
  var tellsAll: Bool {
    capabilities.contains("IDLE") && !refusesIdle
      && capabilities.contains("NOTIFY") && !refusesNotify
  }

  /// Where the server refuses IDLE, it is not asked for it again; the same for NOTIFY.
  private func beginIdle(_ includesOthers: Bool) throws(SyncFailure) -> Bool {
    guard !refusesIdle else { return false }
    let notify = includesOthers && tellsAll ? send(.notify) : nil
    let tag = send(.idle)
    idleStart = Clock.monotonicNanoseconds()
    // What is told once NOTIFY has begun are changes.
    var statuses: [MailboxName: MailboxStatus]? = notify == nil ? nil : [:]
    while true {
      switch try nextEvent() {
      case .idling:
        let isNotifying = notify != nil && !refusesNotify
        idle = Idle(
          tag: tag,
          renewal: .after(seconds: Self.renewal),
          isNotifying: isNotifying
        )
        return true
      case .mailboxStatus(let status) where statuses != nil: statuses?[status.name] = status
      case .tagged(let other, let response) where other == notify:
        refusesNotify = response.kind != .ok
        if !refusesNotify, let statuses, statusMemory.isChanged(statuses, besides: openMailbox) {
          hasMissed = true
        }
        statuses = nil
      case .tagged(tag, let response):
        idleStart = nil
        refusesIdle = response.kind != .ok
        return false
      case let event: recordEvent(event)
      }
    }
  }

  /// Asks a server without IDLE for news, or has one with IDLE answer.
  private func endWaiting() throws(SyncFailure) {
    _ = try perform(.noop) { recordEvent($0) }
  }

  /// Asks for a sign of life.
  func checkAlive(within seconds: Double) throws(SyncFailure) {
    silence = seconds
    defer { silence = Connection.silenceLimit }
    _ = try perform(.noop) { recordEvent($0) }
  }
}

extension Event {
  /// Whether it says that messages of the open mailbox came, went or changed; with NOTIFY, of others too, or that these did.
  fileprivate var tellsChange: Bool {
    switch self {
    case .exists, .expunge, .vanished, .fetch, .mailboxStatus, .list: true
    default: endsNotify
    }
  }

  /// Whether it says that the server tells no more of other mailboxes: too much happened.
  fileprivate var endsNotify: Bool {
    guard case .status(let response) = self, case .other(let name, _)? = response.code else {
      return false
    }
    return name == Array("NOTIFICATIONOVERFLOW".utf8)
  }
}
