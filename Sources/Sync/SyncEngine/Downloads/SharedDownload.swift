package import MailStore
package import Mailboxes
internal import Platform
package import SyncPlan
internal import SyncState

/// Messages of one mailbox that several connections may fetch at the same time.
///
/// Each takes the next few whenever it has asked for all that it took before, so that none is left with nothing to do.
package final class SharedDownload: Sendable {
  /// What further connections brought, beside the one that the mailbox is worked on over.
  package struct Help: Sendable {
    /// Messages that wait for another day.
    package fileprivate(set) var left = LeftMessages()
    /// What each of them fetched.
    package fileprivate(set) var results: [DownloadResult] = []
    /// Whether each came to its end, with every message that it took delivered or known to be gone; else the next run looks
    /// again, though the others fetch what it gave back.
    package fileprivate(set) var isComplete = true
    /// What failed here, such as a full disk; nil where nothing did.
    package fileprivate(set) var failure: SyncFailure?
  }

  private struct State: Sendable {
    /// All of them, and the position of the first that no connection took.
    var messages: PlannedDownloads.Messages
    var position = 0
    /// Those that were given back.
    var left: [RemoteMessage] = []
    var pace: FetchPace
    /// Which of them may be fetched today; nil is all.
    let allowance: FetchAllowance?
    /// Those that count, were asked for and are not concluded: their sizes by UID.
    var asked: [UInt32: UInt64?] = [:]
    var help = Help()
    /// How many connections joined, and how many of them are at work.
    var joined = 0
    var helping = 0
    var isClosed = false

    var isEmpty: Bool { left.isEmpty && position == messages.count }

    mutating func takeAll() -> [RemoteMessage] {
      defer { left = [] }
      return left + allowed(messages[position...])
    }

    mutating func takePortion(at now: Int64) -> [RemoteMessage] {
      if !left.isEmpty {
        defer { left = [] }
        return left
      }
      let portion = pace.portion(at: now)
      let most = SharedDownload.watch > 0 ? portion.messages : 1
      var octets: UInt64 = 0
      return allowed(
        messages[position...].prefix(most).prefix { message in
          defer { octets += message.size ?? portion.usual }
          return octets < portion.octets
        }
      )
    }

    /// Takes the next messages, or as many of them as may be fetched today; all others wait then.
    private mutating func allowed(_ next: some Collection<RemoteMessage>) -> [RemoteMessage] {
      var allowed: [RemoteMessage] = []
      for message in next {
        guard allows(message) else {
          for left in messages[position...] { help.left.add(left) }
          position = messages.count
          return allowed
        }
        allowed.append(message)
        position += 1
      }
      return allowed
    }

    private mutating func allows(_ message: RemoteMessage) -> Bool {
      guard let allowance, allowance.counts(message.uid) else { return true }
      guard allowance.meter.ask(message.size) else { return false }
      asked[message.uid] = .some(message.size)
      return true
    }

    /// A message that was asked for came, with so many octets, or failed.
    mutating func finishMessage(_ uid: UInt32, octets: UInt64) {
      guard let size = asked.removeValue(forKey: uid) else { return }
      allowance?.meter.finishRequest(size)
      allowance?.meter.addOctets(octets)
    }
  }

  private static let watch = TestTime.fetchWatch(FetchPace.usualWatch)
  /// So few messages of so few octets are asked for at once.
  private static let fewMessages = watch > 0 ? 500 : 1
  private static let fewOctets: UInt64 = 4 << 20

  let target: DownloadTarget
  private let reference: MailboxReference
  /// Called where one more connection is wanted.
  private let ask: @Sendable (SharedDownload) -> Void
  private let state: Monitor<State>
  /// Whether there are so few that they are asked for at once.
  let isSmall: Bool

  /// Messages of a mailbox, in the order in which they are wanted.
  ///
  /// Nothing else may use the mailbox and its journal until `close` has returned.
  ///
  /// - Parameters:
  ///   - messages: the messages.
  ///   - mailbox: the mailbox.
  ///   - allowance: which of them may be fetched today, nil for all.
  ///   - arriving: takes the new ones before they are recorded; nil where nothing does.
  ///   - report: takes what happens; called from all threads that fetch.
  ///   - ask: called where one more connection is wanted, which `help` is to be called with.
  package init(
    _ messages: PlannedDownloads.Messages,
    of mailbox: OpenMailbox,
    allowance: FetchAllowance?,
    arriving: ArrivalObserver? = nil,
    report: @escaping @Sendable (SyncEvent.Kind) -> Void,
    ask: @escaping @Sendable (SharedDownload) -> Void
  ) {
    mailbox.journal.expect(messages: messages.count)
    target = DownloadTarget(mailbox, allowance, arriving: arriving, report)
    self.ask = ask
    reference = mailbox.reference
    isSmall =
      messages.count <= Self.fewMessages
      && messages.reduce(0) { $0 + ($1.size ?? 0) } <= Self.fewOctets
    let pace = FetchPace(messages.lazy.map(\.size), watch: Self.watch)
    var ordered = messages
    // None of those that do not count waits behind one that does.
    if let allowance { ordered.moveToFront { !allowance.counts($0.uid) } }
    state = Monitor(State(messages: ordered, pace: pace, allowance: allowance))
  }

  /// The part of the connection that the mailbox is worked on over.
  ///
  /// With a flight, which others may share, what it fetches is committed together with theirs.
  func makeFirstPart(in flight: DeliveryFlight?) -> DownloadPart {
    DownloadPart(self, number: 0, in: flight)
  }

  /// The order of a connection, which takes more as it goes on where there are many.
  package func order(_ part: DownloadPart) -> FetchOrder {
    let more = { part.takeMessages() }
    return FetchOrder(part.takeMessages(), in: reference, into: part, more: isSmall ? nil : more)
  }

  /// The next few messages, none where all are taken.
  func next() -> [RemoteMessage] {
    let now = Clock.monotonicNanoseconds()
    return state.withLock { isSmall ? $0.takeAll() : $0.takePortion(at: now) }
  }

  /// A message came; further connections are asked for where that is worth it.
  func recordMessage(octets: UInt64, wasSized: Bool) {
    let now = Clock.monotonicNanoseconds()
    let isAsking = state.withLock { state in
      state.pace.recordMessage(octets: octets, wasSized: wasSized, at: now)
      return !state.isClosed && !state.isEmpty && state.pace.asksForAnother(at: now)
    }
    if isAsking { ask(self) }
  }

  /// A message that was taken came, with so many octets, or failed.
  func finishMessage(_ message: RemoteMessage, octets: UInt64) {
    state.withLock { $0.finishMessage(message.uid, octets: octets) }
  }

  // MARK: Further connections

  /// Whether a further connection may still take a part.
  package var takesHelp: Bool { state.withLock { !$0.isClosed } }

  /// Fetches over a further connection; gives what makes that useless, nil where it can be used for something else.
  package func help(over store: any MailStore) -> SyncFailure? {
    guard let number = join() else { return nil }
    let part = DownloadPart(self, number: number, in: nil)
    let end: Result<FetchResult?, SyncFailure>
    do throws(SyncFailure) {
      end = .success(try store.fetch([order(part)]).first)
    } catch {
      end = .failure(error)
    }
    return leave(part, end)
  }

  private func join() -> Int? {
    state.withLock { state in
      guard !state.isClosed, !state.isEmpty else { return nil }
      state.pace.join()
      state.joined += 1
      state.helping += 1
      return state.joined
    }
  }

  /// What a connection took and did not bring is left to the others.
  private func leave(
    _ part: DownloadPart,
    _ end: Result<FetchResult?, SyncFailure>
  ) -> SyncFailure? {
    var (isComplete, left) = (false, part.open)
    if case .success(.done(let isDone)?) = end { (isComplete, left) = (isDone, []) }
    // What fails is noted by the part.
    try? part.finish()
    state.update { state in
      state.helping -= 1
      state.help.results.append(part.result)
      state.help.isComplete = state.help.isComplete && isComplete
      state.help.failure = state.help.failure ?? part.failure
      state.left += left
      if !left.isEmpty { state.isClosed = true }
    }
    guard case .failure(let error) = end else { return nil }
    return error
  }

  /// Waits until no further connection is at work; gives whether messages were given back that are to be fetched still.
  package func waitForHelp() -> Bool {
    state.wait { $0.helping == 0 }
    return state.withLock { !$0.isEmpty }
  }

  /// Has no further connection take anything more, and waits until none is at work; gives what they brought.
  package func close() -> Help {
    state.withLock {
      $0.isClosed = true
      ($0.left, $0.position) = ([], $0.messages.count)
    }
    state.wait { $0.helping == 0 }
    return state.withLock { state in
      for uid in state.asked.keys { state.finishMessage(uid, octets: 0) }
      return state.help
    }
  }
}
