import Testing
import WatchPlan

@Suite struct LoginBudgetTests {
  @Test func twelveInAnHour() {
    var budget = LoginBudget()
    let taken = (0..<13).map { budget.takeLogin(now: 1000 + Int64($0)) }
    #expect(taken == Array(repeating: true, count: 12) + [false])
    let (delay, left) = (budget.delay(now: 1020), budget.left(now: 1020))
    #expect(delay == 3580 && left == 0)
    let later = [4599, 4600, 4600, 4601].map { budget.takeLogin(now: $0) }
    #expect(later == [false, true, false, true])
  }

  @Test func aLoginThatDidNotComeToItIsGivenBack() {
    var budget = LoginBudget((0..<11).map { Int64($0) })
    let isTaken = budget.takeLogin(now: 20)
    #expect(isTaken)
    budget.giveBack()
    let left = budget.left(now: 20)
    #expect(left == 1)
  }

  /// Seconds after the clock was set back with a full budget: how long it is until the next log-in then.
  @Test(
    arguments: [
      ([50], [3600]), ([50, 650, 3649, 3650, 3700], [3600, 3000, 1, 0, 0]),
      ([50, 10, 3609], [3600, 3600, 1]),
    ] as [([Int64], [Int64])]
  )
  func aClockThatIsSetBackCostsAnHour(_ times: [Int64], _ delays: [Int64]) {
    var budget = LoginBudget((0..<12).map { 100_000 + Int64($0) })
    #expect(times.map { budget.delay(now: $0) } == delays)
    let isTaken = budget.takeLogin(now: times.last ?? 0)
    #expect(isTaken == (delays.last == 0))
  }

  @Test func whatIsLongAgoDoesNotCount() {
    var budget = LoginBudget((0..<12).map { Int64($0) })
    let left = budget.left(now: 100_000)
    #expect(left == 12)
  }

  /// One that is set forward for a moment gives no more log-ins either.
  @Test func whatWasLongAgoForAMomentCounts() {
    var budget = LoginBudget((0..<12).map { Int64($0) })
    _ = budget.left(now: 100_000)
    let left = budget.left(now: 100)
    #expect(left == 0)
  }
}
