import Platform
import Testing
import WatchPlan

@testable import Watch

@Suite("How the thread of a watched account stands")
struct StatusTests {
  @Test("a sync that gives no sign for a quarter of an hour hangs, one whose work goes on does not")
  func signs() {
    let status = AccountStatus()
    status.noteSync()
    let begin = Moment.now
    #expect(status.isAlive(now: begin + 890) && !status.isAlive(now: begin + 901))
    while Moment.now < begin + 0.05 {}
    let later = Moment.now
    status.heartbeat.watching { Heartbeat.give() }
    #expect(status.isAlive(now: later + 899.99))
    // Not what it did before counts for a wait.
    status.noteWait(.waiting, until: begin + 10)
    #expect(status.isAlive(now: begin + 120) && !status.isAlive(now: begin + 131))
  }
}
