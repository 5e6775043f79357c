import Glibc
import Platform
import TestSupport
import Testing

@Suite struct AtomicFileTests {
  @Test func contentIsReplacedAndNothingElseIsLeft() throws {
    let directory = try TempDirectory("atomic")
    let path = Path(directory["file"])
    try AtomicFile.replace(path, with: Array("one".utf8))
    #expect(try FileSystem.status(path)?.mode == 0o600)
    try AtomicFile.replace(path, with: Array("two".utf8), mode: 0o400)
    #expect(try FileSystem.status(path)?.mode == 0o400)
    #expect(Files.text(directory["file"]) == "two")
    #expect(Files.names(in: directory.path) == [Array("file".utf8)])
  }

  @Test func failureLeavesTheOldContentAlone() throws {
    let directory = try TempDirectory("atomic")
    try Files.makeDirectories(directory["file"])
    #expect(throws: SystemError.self) { try AtomicFile.replace(Path(directory["file"]), with: [1]) }
    #expect(Files.names(in: directory.path) == [Array("file".utf8)])
    #expect(Files.isDirectory(directory["file"]))
  }

  @Test func leftoversAreRemovedAndNothingElse() throws {
    let directory = try TempDirectory("atomic")
    let kept = ["file", "file.tmp", ".tmp-1-2", "a.tmp-1", "a.tmp-1-", "a.tmp-1-2x", "a.tmpx1-2"]
    for name in kept + ["file.tmp-12-3", "a.b.tmp-0-0"] { try directory.write("", to: name) }
    try AtomicFile.removeLeftovers(in: Path(directory.path))
    let names = Files.names(in: directory.path).map { String(decoding: $0, as: UTF8.self) }
    #expect(names == kept.sorted())
  }

  /// Killed at any point, the file has the old or the new content; past the rename, the new one.
  @Test(arguments: 1...12)
  func killedAtEachPoint(_ point: Int) async throws {
    let directory = try TempDirectory("atomic")
    try directory.write("old", to: "file")
    let path = directory["file"]
    await #expect(processExitsWith: point <= 11 ? .signal(SIGKILL) : .success) {
      [point, path = path as String] in
      setenv("MAGNUM_FAULT", "\(point)", 1)
      try AtomicFile.replace(Path(path), with: Array("new!".utf8))
      exit(0)
    }
    // open 1-2, write 3-5, fsync 6-7, rename 8-9, fsync of the directory 10-11.
    #expect(Files.text(path) == (point < 9 ? "old" : "new!"))
    try AtomicFile.removeLeftovers(in: Path(directory.path))
    #expect(Files.names(in: directory.path) == [Array("file".utf8)])
  }

  /// As many failures as there are changes: open, write, fsync, rename, fsync of the directory.
  @Test(arguments: 1...5)
  func failedAtEachChange(_ change: Int) async throws {
    let directory = try TempDirectory("atomic")
    try directory.write("old", to: "file")
    let path = directory["file"]
    await #expect(processExitsWith: .exitCode(28)) { [change, path = path as String] in
      setenv("MAGNUM_FAULT_ERROR", "\(change):ENOSPC", 1)
      do throws(SystemError) {
        try AtomicFile.replace(Path(path), with: Array("new!".utf8))
      } catch {
        exit(error.code)
      }
    }
    #expect(Files.text(path) == (change == 5 ? "new!" : "old"))
    #expect(Files.names(in: directory.path) == [Array("file".utf8)])
  }
}
