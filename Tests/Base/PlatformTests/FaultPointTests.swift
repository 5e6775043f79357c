import Glibc
import Platform
import TestSupport
import Testing

@Suite struct FaultPointTests {
  /// mkdir 2, open 2, write 3, fsync 2, rmdir that fails 1, own 1; reading passes none.
  @Test func pointsAreCounted() async throws {
    let directory = try TempDirectory("fault")
    let root = directory.path
    await #expect(processExitsWith: .success) { [root = root as String] in
      setenv("MAGNUM_FAULT_COUNT", root + "/count", 1)
      let path = Path(root)
      try FileSystem.makeDirectory(path.appending("d"))
      let file = try Descriptor.open(path.appending("d/f"), .createExclusive())
      try file.write(all: [1, 2, 3])
      try file.synchronise()
      try? FileSystem.removeDirectory(path.appending("d"))
      _ = try FileSystem.readFile(path.appending("d/f"), limit: 10)
      try FileSystem.entries(of: path) { _, _ in }
      FaultPoint.pass("own")
      FaultPoint.writeCount()
      exit(0)
    }
    let calls = [
      "fstat 3", "fsync 1", "getdents64 2", "mkdir 1", "name 1", "open 3", "read 2", "rmdir 1",
      "write 2",
    ]
    let lines = Files.text(directory["count"])?.split(separator: "\n").map { "\($0)" }
    #expect(lines == ["11"] + calls)
  }

  @Test func writesAreTorn() async throws {
    let directory = try TempDirectory("fault")
    let path = directory["file"]
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      setenv("MAGNUM_FAULT", "4", 1)
      try Descriptor.open(Path(path), .append).write(all: Array("123456".utf8))
      exit(0)
    }
    #expect(Files.text(path) == "123")
  }

  /// The disk is full from the second change on: half of the write is done, and the next file is not opened.
  @Test func errorsLast() async throws {
    let directory = try TempDirectory("fault")
    let path = directory["file"]
    await #expect(processExitsWith: .exitCode(2)) { [path = path as String] in
      setenv("MAGNUM_FAULT_ERROR", "2+:28", 1)
      exit(FaultPointTests.countRefusedWrites(to: Path(path)))
    }
    #expect(Files.text(path) == "12")
  }

  /// How many of two writes are refused for want of space.
  private static func countRefusedWrites(to path: Path) -> Int32 {
    (0..<2).reduce(0) { count, _ in
      do throws(SystemError) {
        try write(path)
        return count
      } catch {
        return count + (error.isOutOfSpace ? 1 : 0)
      }
    }
  }

  private static func write(_ path: Path) throws(SystemError) {
    let file = try Descriptor.open(path, .append)
    try file.write(all: Array("1234".utf8))
  }
}
