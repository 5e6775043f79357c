import Glibc
import Platform
import TestSupport
import Testing

@Suite struct ThreadTests {
  @Test func threadsRunAndAreJoined() throws {
    let names = Monitor<[String]>([])
    let threads = try (0..<4).map { number in
      try Thread.spawn(name: "worker-with-a-long-name-\(number)") {
        let name = Files.text("/proc/thread-self/comm") ?? ""
        names.withLock { $0.append(name) }
      }
    }
    for thread in threads { thread.join() }
    threads[0].join()
    #expect(names.withLock { $0 } == Array(repeating: "worker-with-a-l\n", count: 4))
  }

  @Test func monitorsHandOver() throws {
    let queue = Monitor<[Int]>([])
    let sum = Monitor(0)
    let consumers = try (0..<2).map { _ in
      try Thread.spawn(name: "consumer") {
        while let number = queue.take({ $0.popLast() }), number > 0 {
          sum.withLock { $0 += number }
        }
      }
    }
    for number in 1...1000 { queue.update { $0.append(number) } }
    let start = Clock.monotonicNanoseconds()
    #expect(queue.wait(deadline: .after(seconds: 30), until: \.isEmpty))
    #expect(Clock.monotonicNanoseconds() - start < 25_000_000_000)
    queue.update { $0 = [0, 0] }
    for consumer in consumers { consumer.join() }
    #expect(sum.withLock { $0 } == 500_500)
  }

  @Test func waitingEndsAtTheDeadline() {
    let monitor = Monitor(1)
    let start = Clock.monotonicNanoseconds()
    #expect(!monitor.wait(deadline: .after(seconds: 0.05)) { $0 == 2 })
    #expect(Clock.monotonicNanoseconds() - start >= 50_000_000)
    #expect(monitor.wait(deadline: .after(seconds: 0)) { $0 == 1 })
    #expect(monitor.take(deadline: .after(seconds: 0)) { $0 == 2 ? "x" : nil } == nil)
  }

  @Test func errorsLeaveTheMonitorFree() {
    let monitor = Monitor(1)
    let failure = SystemError(operation: "test", path: nil, code: 1)
    #expect(throws: failure) {
      try monitor.update { (state) throws(SystemError) in
        state = 2
        throw failure
      }
    }
    #expect(monitor.withLock { $0 } == 2)
  }
}
