import Glibc
import Platform
import TestSupport
import Testing

@Suite struct FileLockTests {
  @Test func oneHolderAtATime() throws {
    let directory = try TempDirectory("lock")
    let path = Path(directory["lock"])
    guard case .acquired(let lock) = try FileLock.acquire(path) else {
      Issue.record("not acquired")
      return
    }
    #expect(try isHeldByOther(path))
    lock.release()
    lock.release()
    #expect(try !isHeldByOther(path))
    #expect(throws: SystemError.self) { try FileLock.acquire(path.appending("x")) }
  }

  @Test func lockGoesWithItsProcess() async throws {
    let directory = try TempDirectory("lock")
    let path = directory["lock"]
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let outcome = try FileLock.acquire(Path(path))
      guard case .acquired = outcome else { exit(1) }
      kill(getpid(), SIGKILL)
    }
    #expect(try isSoonFree(Path(path)))
  }

  /// The lock must not live on in a child that outlives us.
  @Test func childrenDoNotInheritTheLock() throws {
    let directory = try TempDirectory("lock")
    let path = Path(directory["lock"])
    guard case .acquired(let lock) = try FileLock.acquire(path) else {
      Issue.record("not acquired")
      return
    }
    let tunnel = try ChildProcess.openTunnel(.arguments(["sleep", "30"]))
    lock.release()
    #expect(try !isHeldByOther(path))
    ChildProcess.end(tunnel.process, grace: 0)
  }

  /// Between fork and exec a child has copies of all descriptors; the lock is gone all the same.
  @Test func aCopyOfTheDescriptorHoldsNothing() throws {
    let directory = try TempDirectory("lock")
    let path = Path(directory["lock"])
    guard case .acquired(let lock) = try FileLock.acquire(path) else {
      Issue.record("not acquired")
      return
    }
    let copies = descriptors(of: directory["lock"]).map { dup($0) }
    #expect(copies.count == 1)
    lock.release()
    #expect(try !isHeldByOther(path))
    for copy in copies { close(copy) }
  }

  private func isSoonFree(_ path: Path) throws -> Bool {
    let deadline = Deadline.after(seconds: 5)
    while try isHeldByOther(path) {
      guard !deadline.isPast else { return false }
      usleep(10_000)
    }
    return true
  }

  private func descriptors(of path: String) -> [Int32] {
    (0..<1024).filter { number in
      var target = [CChar](repeating: 0, count: 4096)
      let length = readlink("/proc/self/fd/\(number)", &target, target.count)
      return length > 0
        && target.prefix(length).elementsEqual(path.utf8.map { CChar(bitPattern: $0) })
    }
  }

  private func isHeldByOther(_ path: Path) throws -> Bool {
    if case .heldByOther = try FileLock.acquire(path) { return true }
    return false
  }
}
