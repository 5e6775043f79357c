import Glibc
import Platform
import Testing

@Suite struct TimeTests {
  @Test func deadlinesCountDown() {
    let deadline = Deadline.after(seconds: 100)
    #expect((99...100).contains(deadline.remaining))
    #expect((99_000...100_000).contains(deadline.pollMilliseconds))
    #expect(!deadline.isPast)
  }

  @Test(arguments: [0, -5, -Double.infinity])
  func pastDeadlines(_ seconds: Double) {
    let deadline = Deadline.after(seconds: seconds)
    #expect(deadline.isPast)
    #expect(deadline.remaining == 0)
    #expect(deadline.pollMilliseconds == 0)
  }

  @Test(arguments: [Deadline.never, .after(seconds: .infinity), .after(seconds: 1e300)])
  func deadlinesThatNeverCome(_ deadline: Deadline) {
    #expect(!deadline.isPast)
    #expect(deadline.remaining == .infinity)
    #expect(deadline.pollMilliseconds == -1)
  }

  /// Rounded down, poll(2) would spin through the last millisecond.
  @Test func pollingIsRoundedUp() {
    #expect(Deadline.after(seconds: 0.0005).pollMilliseconds == 1)
    #expect(Deadline.after(seconds: 2.9e9).pollMilliseconds == .max)
  }

  @Test func clocksAgreeWithTheSystem() {
    let before = time(nil)
    let now = Clock.now()
    // time(2) lags behind by up to a tick of the kernel.
    #expect(before - 1 <= now && now <= time(nil) + 1)
    let first = Clock.monotonicNanoseconds()
    #expect(first <= Clock.monotonicNanoseconds())
  }
}
