import Testing
import WatchPlan

@Suite struct AccountWatchTests {
  private func played(
    poll: Double = 300,
    _ happenings: [(Double, Simulation.Happening)],
    until end: Double
  ) -> Simulation {
    var simulation = Simulation(poll: poll, happenings)
    simulation.run(until: end)
    return simulation
  }

  // MARK: When

  @Test func newMailIsSyncedAtOnce() {
    let played = played([(100, .mail)], until: 200)
    #expect(played.syncTimes == [0, 100])
  }

  @Test func aChangeInAnotherMailboxIsSyncedAtOnce() {
    let played = played([(100, .elsewhere), (150, .cut), (151, .elsewhere)], until: 200)
    #expect(played.syncTimes == [0, 100, 155])
    #expect(played.logins.count == 2)
  }

  @Test func nothingHeardIsLookedForInEachInterval() {
    let played = played([], until: 1000)
    #expect(played.syncTimes == [0, 300.2, 600.4, 900.6])
  }

  @Test func localChangesGoOnceNoMoreFollow() {
    let burst = (0..<20).map { (100 + Double($0) / 10, Simulation.Happening.local()) }
    #expect(played(burst, until: 200).syncTimes == [0, 102.9])
  }

  @Test func localChangesWithoutEndGoAllTheSame() {
    let changes = (0..<240).map { (100 + Double($0) / 2, Simulation.Happening.local()) }
    let times = played(changes, until: 200).syncTimes
    #expect(times.prefix(3) == [0, 110, 120.5])
  }

  @Test func aThousandChangesInASecondAreTwoSyncs() {
    let burst = (0..<1000).map { (100 + Double($0) / 1000, Simulation.Happening.mail) }
    #expect(played(burst, until: 200).syncTimes == [0, 100, 101.3])
  }

  @Test func changesWithoutEndAreSyncedEveryFewSeconds() {
    let stream = (0..<10_000).map { (100 + Double($0) / 100, Simulation.Happening.mail) }
    let count = played(stream, until: 201).syncs.count
    #expect(count > 40 && count < 60)
  }

  /// As from a server that tells how many messages there are whenever it is listened to.
  @Test func whatIsToldAgainAndAgainIsLookedForLater() {
    let stream = (0..<40_000).map { (100 + Double($0) / 100, Simulation.Happening.mail) }
    let played = played([(50, .noise(true)), (450, .noise(false))] + stream, until: 499)
    let times = played.syncTimes.filter { $0 > 110 && $0 < 450 }
    #expect(times.count < 12, "\(times)")
    #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 < 61 }, "\(times)")
    #expect(played.syncTimes.filter { $0 > 450 }.count >= 5)
    #expect(played.logins.count == 1)
  }

  /// One that comes long after the last sync is looked for at once, whatever was told before.
  @Test func oneChangeAfterManyThatWereNoneIsSyncedAtOnce() {
    let told = (1...20).map { (Double($0) * 70, Simulation.Happening.mail) }
    let played = played(poll: 10_000, [(1, .noise(true))] + told, until: 1500)
    for (time, _) in told { #expect(played.syncTimes.contains(time)) }
  }

  // MARK: Removals

  @Test func removalsWaitForAMinuteWithoutChanges() {
    let played = played([(100, .local(removals: 1)), (130, .local())], until: 300)
    #expect(played.syncTimes == [0, 101, 131, 190])
    #expect(played.syncs.map(\.step.postponesRemovals) == [true, true, true, false])
  }

  @Test func removalsDoNotWaitForEver() {
    let changes = (0..<60).map { (100 + Double($0) * 30, Simulation.Happening.local(removals: 1)) }
    let done = played(changes, until: 2000).syncs.filter { !$0.step.postponesRemovals }
    #expect(done.first?.time == 101.2 + 900)
  }

  @Test func nothingIsRemovedRightAfterTheStart() {
    let played = played([], until: 400)
    #expect(played.syncs.map(\.step.postponesRemovals) == [true, false])
  }

  @Test(arguments: [SyncDemand.named, .unnamed])
  func removalsDoNotWaitWhereAProgramAsks(_ demand: SyncDemand) {
    let played = played([(100, .local(removals: 1)), (100.5, .demanded(demand))], until: 150)
    #expect(played.syncTimes == [0, 100.5])
    #expect(played.syncs.map(\.step.postponesRemovals) == [true, false])
  }

  @Test func removalsWaitWhereTheConfigurationIsReadAnew() {
    let played = played([(100, .local(removals: 1)), (100.5, .reloaded)], until: 101)
    #expect(played.syncs.map(\.step.postponesRemovals) == [true, true])
  }

  // MARK: Connections

  @Test func aQuietDayTakesOneLogin() {
    let mails = (1..<144).map { (Double($0) * 600, Simulation.Happening.mail) }
    #expect(played(mails, until: 86_400).logins.count == 1)
  }

  @Test func aServerThatCutsEvery29MinutesIsMetThreeTimesAnHour() {
    let cuts = (1..<50).map { (Double($0) * 1740, Simulation.Happening.cut) }
    let played = played(cuts, until: 86_400)
    #expect(played.loginsInAnHour <= 4)
    #expect(played.logins.count == 50)
  }

  @Test func aServerThatCutsAtOnceCostsNoMoreThanTwelveLoginsAnHour() {
    let cuts = (1..<86_400).map { (Double($0), Simulation.Happening.cut) }
    let played = played(cuts, until: 86_400)
    #expect(played.loginsInAnHour == 12)
  }

  @Test func aProgramThatIsKilledEveryMinuteKeepsTheBudget() {
    let kills = (1..<1440).map { (Double($0) * 60, Simulation.Happening.restart) }
    let played = played(kills, until: 86_400)
    #expect(played.loginsInAnHour == 12)
  }

  @Test func attemptsAreMadeAtGrowingIntervals() {
    let played = played([(100, .ends(.offline))], until: 800)
    let expected: [Double] = [0, 105, 115.2, 145.4, 205.6, 505.8]
    #expect(played.syncTimes == expected)
  }

  @Test func attemptsAreCountedAnewOnlyAfterTenMinutes() {
    let early = played([(100, .cut), (300, .cut), (500, .cut)], until: 560)
    #expect(early.syncTimes == [0, 105, 310, 530])
    let late = played([(100, .cut), (1000, .cut)], until: 1010)
    #expect(late.syncTimes.suffix(1) == [1005])
  }

  @Test func anAddressIsTriedAtOnceButNotAgainAndAgain() {
    let noise = (0..<200).map { (310 + Double($0) / 10, Simulation.Happening.address) }
    let played = played([(100, .ends(.offline)), (305, .ends(nil))] + noise, until: 400)
    #expect(played.syncTimes == [0, 105, 115.2, 145.4, 205.6, 310])
  }

  @Test func aConnectionIsCheckedAfterTheMachineWasSuspended() {
    let alive = played([(100, .resume)], until: 200)
    #expect(alive.taken.contains { $0.step == .check && $0.time == 100 })
    #expect(alive.syncTimes == [0, 100])
    #expect(alive.logins.count == 1)
    let dead = played([(100, .cut), (100, .resume)], until: 101)
    #expect(dead.syncTimes == [0, 100])
    #expect(dead.logins.count == 2)
  }

  @Test func aServerNamesItsOwnTime() {
    let played = played(
      [(50, .ends(.pausing(seconds: 1000))), (60, .mail), (70, .ends(nil)), (200, .address)],
      until: 2000
    )
    #expect(played.syncTimes.prefix(3) == [0, 60, 1060.2])
  }

  @Test(
    arguments: [
      (.reloaded, 1, []), (.demanded(.named), 1, [true]), (.demanded(.unnamed), 0, [false]),
    ] as [(Simulation.Happening, Int, [Bool])]
  )
  func aRefusedSecretIsOfferedAgainOnlyWhereAPersonAsks(
    _ happening: Simulation.Happening,
    _ more: Int,
    _ admissions: [Bool]
  ) {
    let requests = (0..<5).map { (3000 + Double($0) * 20, happening) }
    let played = played(
      [(50, .ends(.refused)), (51, .cut), (2000, .address)] + requests.prefix(1),
      until: 3001
    )
    #expect(played.logins.count == 1 + more)
    #expect(played.syncs.filter(\.step.isAsked).map(\.time) == (more == 1 ? [3000] : []))
    #expect(played.admissions == admissions)
    guard more == 0 else { return }
    let often = self.played([(50, .ends(.refused)), (51, .cut)] + requests, until: 4000)
    #expect(often.logins == [0])
  }

  /// Where a person has to log in, that is what is waited for; a login that is renewed in a sync gives rise to none.
  @Test(
    arguments: [
      (.loggedOut(seconds: 300), [0, 56, 100, 110]), (.refused, [0, 56, 100, 110]),
      (.pausing(seconds: 300), [0, 56]), (.failed, [0, 56]), (nil, [0, 56]),
    ] as [(SyncEnd?, [Double])]
  )
  func aNewLoginIsUsedAtOnce(_ end: SyncEnd?, _ times: [Double]) {
    let played = played(
      [
        (50, .ends(end)), (51, .cut), (100, .newLogin),
        (109, .ends(nil)), (110, .newLogin), (120, .newLogin),
      ],
      until: 200
    )
    #expect(played.syncTimes == times)
    #expect(played.syncs.allSatisfy { !$0.step.isAsked })
    #expect(played.loginsInAnHour <= 2)
  }

  @Test func loginsThatComeAgainAndAgainKeepTheBudget() {
    let logins = (1..<3600).map { (Double($0), Simulation.Happening.newLogin) }
    let played = played([(50, .ends(.refused)), (51, .cut)] + logins, until: 3600)
    #expect(played.loginsInAnHour <= 12)
  }

  /// What a program may have done for it while the server wants to be left alone, and after.
  @Test func aPauseHoldsForProgramsThatNameNoAccount() {
    let played = played(
      [
        (50, .ends(.pausing(seconds: 1000))), (60, .mail), (70, .ends(nil)),
        (100, .demanded(.unnamed)), (200, .demanded(.named)), (300, .demanded(.unnamed)),
      ],
      until: 400
    )
    #expect(played.admissions == [false, true, true])
    #expect(played.syncTimes == [0, 60, 200, 300])
  }

  @Test func aProgramThatAsksWaitsForNoAttempt() {
    let played = played([(100, .ends(.offline)), (250, .demanded(.unnamed))], until: 260)
    #expect(played.syncTimes == [0, 105, 115.2, 145.4, 205.6, 250])
  }

  /// The seconds after the last sign of the server at which a program asks, and whether the connection is checked before.
  @Test(arguments: [(30.0, false), (59, false), (61, true), (250, true)])
  func aConnectionThatWasSilentIsCheckedForAProgram(_ seconds: Double, _ isChecked: Bool) {
    let demand = (10.2 + seconds, Simulation.Happening.demanded(.unnamed))
    let alive = played([(10, .mail), demand], until: 300)
    #expect(alive.taken.contains { $0.step == .check } == isChecked)
    #expect(alive.syncTimes.count == 3)
    #expect(alive.logins.count == 1)
  }

  @Test func aConnectionThatIsGoneIsMadeAnewAtOnceForAProgram() {
    // Neither side heard of it.
    var watch = AccountWatch(poll: 300, now: Moment(milliseconds: 0))
    _ = watch.next(now: Moment(milliseconds: 0), loginDelay: 0)
    watch.synced(.done(postponed: 0), isConnected: true, now: Moment(milliseconds: 200), chance: 0)
    let now = Moment(milliseconds: 100_000)
    let isAdmitted = watch.demand(.unnamed, now: now)
    #expect(isAdmitted)
    let first = watch.next(now: now, loginDelay: 0)
    #expect(first == .check)
    watch.checked(isConnected: false, now: now + 10, chance: 0)
    let second = watch.next(now: now + 10, loginDelay: 0)
    guard case .sync(let step) = second else {
      Issue.record("\(second)")
      return
    }
    #expect(step.connects && !step.postponesRemovals && !step.isAsked)
  }

  /// The seconds to the end of a day for which messages were left, and after which the next sync begins; nil is none.
  @Test(arguments: [(Double?.none, 300.0), (120, 120), (4000, 300), (3, 60), (-86_400, 60)])
  func messagesThatWereLeftForAnotherDay(_ seconds: Double?, _ next: Double) {
    var watch = AccountWatch(poll: 300, now: Moment(milliseconds: 0))
    _ = watch.next(now: Moment(milliseconds: 0), loginDelay: 0)
    let end = Moment(milliseconds: 200)
    watch.synced(.done(postponed: 0), isConnected: true, now: end, chance: 0)
    watch.left(for: seconds, now: end)
    let step = watch.next(now: end, loginDelay: 0)
    #expect(step == .listen(until: end + next, gathering: end + 2))
    guard case .sync = watch.next(now: end + next, loginDelay: 0) else {
      Issue.record("no sync")
      return
    }
    watch.synced(.done(postponed: 0), isConnected: true, now: end + next, chance: 0)
    watch.left(for: nil, now: end + next)
    let later = watch.next(now: end + next, loginDelay: 0)
    #expect(later == .listen(until: end + next + 300, gathering: end + next + 2))
  }

  @Test(
    arguments: [(nil, 300.0), (30.0, 30.0), (0.0, 300.0), (900.0, 300.0)] as [(Double?, Double)]
  )
  func theFirstEntryOfTheQueueIsADeadline(seconds: Double?, next: Double) {
    var watch = AccountWatch(poll: 300, now: Moment(milliseconds: 0))
    _ = watch.next(now: Moment(milliseconds: 0), loginDelay: 0)
    let end = Moment(milliseconds: 200)
    watch.synced(.done(postponed: 0), isConnected: true, now: end, chance: 0)
    watch.queued(for: seconds, now: end)
    let step = watch.next(now: end, loginDelay: 0)
    #expect(step == .listen(until: end + next, gathering: end + 2))
    guard case .sync = watch.next(now: end + next, loginDelay: 0) else {
      Issue.record("no sync")
      return
    }
  }

  @Test func foldersThatAreAwayAreLookedForSoonAndWithoutLogins() {
    let silent = played([(50, .ends(.away)), (60, .mail), (95, .ends(nil))], until: 200)
    #expect(silent.syncTimes == [0, 60, 70.2, 80.4, 90.6, 100.8])
    #expect(silent.logins.count == 1)
    let told = played(
      [(50, .ends(.away)), (60, .mail), (63, .ends(nil)), (63, .local())],
      until: 69
    )
    #expect(told.syncTimes == [0, 60, 64])
  }

  @Test func anotherSyncIsWaitedFor() {
    let played = played([(50, .ends(.busy)), (60, .mail), (65, .ends(nil))], until: 100)
    #expect(played.syncTimes == [0, 60, 63.2, 66.4])
    #expect(played.logins.count == 1)
  }

  /// Suspended every night, without a network for hours, a server that is restarted, a clock that nobody sets.
  @Test func aWeek() {
    var happenings: [(Double, Simulation.Happening)] = []
    for day in 0..<7 {
      let start = Double(day) * 86_400
      for minute in stride(from: 0, to: 960, by: 7) {
        happenings.append((start + Double(minute) * 60, .mail))
      }
      for minute in stride(from: 3, to: 960, by: 31) {
        happenings.append((start + Double(minute) * 60, .local(removals: minute % 2)))
      }
      happenings += [
        (start + 7200, .ends(.offline)), (start + 14_400, .ends(nil)), (start + 14_401, .address),
        (start + 30_000, .cut), (start + 30_100, .cut), (start + 57_600, .cut),
        (start + 57_601, .ends(.offline)), (start + 86_300, .ends(nil)), (start + 86_301, .resume),
      ]
    }
    let played = played(happenings, until: 7 * 86_400)
    #expect(played.loginsInAnHour <= 12)
    #expect(played.syncs.count < 7 * 700)
    // Whatever happened was seen within a minute of the moment from which it could be.
    #expect((played.syncs.last?.time ?? 0) == 7 * 86_400 - 99)
  }
}
