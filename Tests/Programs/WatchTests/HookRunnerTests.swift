import Platform
import SyncEngine
import Testing
@testable import Watch

@Suite("The commands that follow the syncs of a watched account")
struct HookRunnerTests {
  /// What calls were made, and whether they may end.
  private struct Seen: Sendable {
    var running = 0
    var mostRunning = 0
    var fetched: [Int] = []
    var isOpen = false
  }

  private let seen = Monitor(Seen())
  private let runner = HookRunner()

  /// A sync brought so many messages.
  private func run(_ fetched: Int) {
    var report = AccountReport(account: "test")
    report.total.fetched = fetched
    runner.runHooks(report) { [seen] report in
      seen.update {
        $0.running += 1
        $0.mostRunning = max($0.mostRunning, $0.running)
        $0.fetched.append(report.total.fetched)
      }
      seen.wait { $0.isOpen }
      seen.update { $0.running -= 1 }
    }
  }

  @Test("what comes while one runs is added up for the next, and nothing waits for it")
  func sums() {
    run(1)
    seen.wait { $0.fetched == [1] }
    for count in 2...4 { run(count) }
    #expect(!runner.waitUntilIdle(.after(seconds: 0.05)))
    seen.update { $0.isOpen = true }
    #expect(runner.waitUntilIdle(.after(seconds: 10)))
    run(5)
    #expect(runner.waitUntilIdle(.after(seconds: 10)))
    #expect(seen.withLock { $0.fetched } == [1, 9, 5])
    #expect(seen.withLock { $0.mostRunning } == 1)
  }

  @Test("an account has one runner, another account its own")
  func runners() {
    let runners = HookRunners()
    #expect(runners.runner(of: "a") === runners.runner(of: "a"))
    #expect(runners.runner(of: "a") !== runners.runner(of: "b"))
    #expect(runners.waitUntilIdle(.after(seconds: 0)))
  }
}
