import Testing
import WatchPlan

/// When a watch looks at what is to be done about messages, by a clock that people set.
@Suite struct LaterTimerTests {
  private static func timer(_ delay: Double?, now: Int64 = 1000) -> LaterTimer {
    var timer = LaterTimer()
    timer.set(delay: delay, now: now)
    return timer
  }

  @Test(arguments: [
    // What is due soon, by a clock that goes on, was suspended, set on, set back.
    (5.0, 1004, false), (5.0, 1005, true), (5.0, 90_000, true), (5.0, 999, true), (0.5, 1001, true),
    // What is due in days is looked at in a minute.
    (200_000.0, 1059, false), (200_000.0, 1060, true), (200_000.0, 0, true),
    // What could not be done is not tried at once.
    (0.0, 1009, false), (0.0, 1010, true),
  ])
  func timesComeByTheClock(_ delay: Double, _ now: Int64, _ isDue: Bool) {
    let timer = Self.timer(delay)
    #expect(timer.isDue(now: now) == isDue)
    #expect((timer.delay(now: now) == 0) == isDue)
  }

  @Test func withoutEntriesNothingIsLookedAt() {
    #expect(!LaterTimer().isDue(now: 0) && LaterTimer().delay(now: 0) == nil)
    #expect(!Self.timer(nil).isDue(now: 5000) && Self.timer(nil).delay(now: 0) == nil)
    #expect(Self.timer(5).delay(now: 1002) == 3)
  }
}
