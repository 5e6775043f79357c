import Configuration
import MailModel
import Platform
import TestSupport
import Testing

@testable import Watch

@Suite("The lock of a watched account")
struct WatchLockTests {
  private let folder: TempDirectory
  private let lock: WatchLock
  private let reports = Monitor([String]())

  init() throws {
    folder = try TempDirectory("lock")
    try folder.writeConfiguration()
    let configuration = try Configuration.load(explicit: Path(folder["config.toml"]))
    let account = try #require(configuration.accounts.first)
    lock = WatchLock(account, Path(folder.path))
  }

  private func acquire(within seconds: Double = 0) -> FileLock? {
    lock.acquire(within: seconds) { [reports] event in
      if case .problem(let problem) = event { reports.withLock { $0.append(problem.what) } }
    }
  }

  @Test("one watch has it, and others say so")
  func held() throws {
    #expect(!lock.isHeld)
    let first = try #require(acquire())
    #expect(lock.isHeld && acquire() == nil)
    #expect(reports.withLock { $0 } == ["another magnum watch runs for this account already"])
    first.release()
    #expect(!lock.isHeld)
    #expect(acquire() != nil)
  }

  @Test("a program that only looks keeps no watch from it")
  func lookedAt() throws {
    _ = acquire()?.release()
    let file = Path(folder["magnum/accounts/test/watched"])
    guard case .acquired(let other) = try FileLock.acquire(file) else {
      Issue.record("not free")
      return
    }
    let thread = try Thread.spawn(name: "look") {
      _ = Interruption().sleep(seconds: 0.02)
      other.release()
    }
    #expect(acquire(within: 30) != nil)
    thread.join()
  }
}
