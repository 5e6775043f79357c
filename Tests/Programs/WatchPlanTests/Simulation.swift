import WatchPlan

/// An account that is watched on a machine with a network and a server, by a clock that is moved.
///
/// What happens is given as moments in seconds; a sync takes 200 ms, an attempt to connect where there is nothing 100 ms.
struct Simulation {
  /// Something that happens.
  enum Happening {
    /// The server tells of a change.
    case mail
    /// A file changes here; so many removals are among what a sync finds.
    case local(removals: Int = 0)
    /// The server tells of a change in another mailbox, over another connection.
    case elsewhere
    case address
    case resume
    case reloaded
    /// A login is kept.
    case newLogin
    /// A program asks for a sync.
    case demanded(SyncDemand)
    /// The connection ends.
    case cut
    /// From now on syncs end like this; nil is as they should.
    case ends(SyncEnd?)
    /// From now on what the server tells of is nothing that syncs find, or is so no more.
    case noise(Bool)
    /// The program is killed and started again.
    case restart
  }

  /// A step that was taken.
  struct Taken {
    let time: Double
    let step: WatchStep
  }

  private(set) var taken: [Taken] = []
  private(set) var logins: [Double] = []
  /// Whether a sync was made for each program that asked.
  private(set) var admissions: [Bool] = []

  private var watch: AccountWatch
  private var budget = LoginBudget()
  private var now = 0.0
  private var happenings: [(Double, Happening)]
  private var isOpen = false
  private var fixedEnd: SyncEnd?
  private var removals = 0
  private var hasMail = false
  private var isNoise = false
  private let poll: Double

  init(poll: Double = 300, _ happenings: [(Double, Happening)]) {
    self.happenings = happenings.sorted { $0.0 < $1.0 }
    self.poll = poll
    watch = AccountWatch(poll: poll, now: Moment(milliseconds: 0))
  }

  var syncs: [(time: Double, step: SyncStep)] {
    taken.compactMap { if case .sync(let step) = $0.step { ($0.time, step) } else { nil } }
  }

  /// The times of the syncs, in tenths of a second.
  var syncTimes: [Double] { syncs.map { ($0.time * 10).rounded() / 10 } }

  /// The most log-ins in any hour.
  var loginsInAnHour: Int {
    logins.map { end in logins.count { $0 <= end && $0 > end - 3600 } }.max() ?? 0
  }

  private var moment: Moment { Moment(milliseconds: Int64((now * 1000).rounded())) }

  mutating func run(until end: Double) {
    while now < end {
      let delay = Double(budget.delay(now: Int64(now)))
      let step = watch.next(now: moment, loginDelay: delay)
      taken.append(Taken(time: now, step: step))
      switch step {
      case .sync(let sync): perform(sync)
      case .check: watch.checked(isConnected: isOpen, now: moment, chance: 0)
      case .listen(let until, let gathering): listen(until, gathering, end)
      case .rest(let until): rest(until, end)
      }
    }
  }

  private mutating func perform(_ step: SyncStep) {
    var result = fixedEnd ?? .done(postponed: step.postponesRemovals ? removals : 0)
    if step.connects {
      switch result {
      // The server is not reached, or not asked.
      case .offline, .busy, .away, .failed, .loggedOut: break
      case .refused where !step.isAsked: break
      default:
        guard budget.takeLogin(now: Int64(now)) else { return refuse() }
        logins.append(now.rounded(.down))
        isOpen = result != .offline && result != .refused
      }
    }
    if case .pausing = result { isOpen = false }
    if !isOpen, case .done = result { result = .offline }
    if case .done = result {
      hasMail = false
      if !step.postponesRemovals { removals = 0 }
    }
    advance(to: now + 0.2)
    watch.synced(result, isConnected: isOpen, now: moment, chance: 0)
    if case .done = result { watch.found(changes: !isNoise) }
  }

  private mutating func refuse() {
    taken.append(Taken(time: now, step: .rest(until: moment)))
    watch.synced(.offline, isConnected: false, now: moment, chance: 0)
  }

  private mutating func listen(_ until: Moment, _ gathering: Moment, _ end: Double) {
    let limit = min(Double(until.milliseconds) / 1000, end)
    let gathered = Double(gathering.milliseconds) / 1000
    while true {
      if !isOpen { return watch.listened(.lost, now: moment, chance: 0) }
      if hasMail {
        if now < gathered, let next = happenings.first?.0, next < min(now + 0.3, gathered) {
          advance(to: next)
          continue
        }
        if now < gathered { advance(to: min(now + 0.3, gathered)) }
        hasMail = false
        return watch.listened(.changed, now: moment, chance: 0)
      }
      guard let next = happenings.first?.0, next < limit else {
        advance(to: limit)
        return watch.listened(.quiet, now: moment, chance: 0)
      }
      advance(to: next)
      if isOpen, !hasMail { return watch.listened(.quiet, now: moment, chance: 0) }
    }
  }

  private mutating func rest(_ until: Moment, _ end: Double) {
    let limit = min(Double(until.milliseconds) / 1000, end)
    advance(to: min(limit, happenings.first?.0 ?? limit))
  }

  /// Time passes, and what happens until then happens.
  private mutating func advance(to time: Double) {
    while let first = happenings.first, first.0 <= time {
      happenings.removeFirst()
      now = max(now, first.0)
      happen(first.1)
    }
    now = max(now, time)
  }

  private mutating func happen(_ happening: Happening) {
    switch happening {
    case .mail: hasMail = true
    case .local(let count):
      removals += count
      watch.recordNews(.localChange, now: moment)
    case .elsewhere: watch.recordNews(.serverChange, now: moment)
    case .address: watch.recordNews(.newAddress, now: moment)
    case .resume: watch.recordNews(.resumed, now: moment)
    case .reloaded: watch.recordNews(.reloaded, now: moment)
    case .newLogin: watch.recordNews(.newLogin, now: moment)
    case .demanded(let demand): admissions.append(watch.demand(demand, now: moment))
    case .cut: isOpen = false
    case .ends(let end):
      fixedEnd = end
      if end == .offline { isOpen = false }
    case .noise(let isNoise): self.isNoise = isNoise
    case .restart:
      isOpen = false
      watch = AccountWatch(poll: poll, now: moment)
    }
  }
}
