import Glibc
@testable import Platform
import TestSupport
import Testing

@Suite struct FileSystemTests {
  let directory: TempDirectory

  init() throws {
    directory = try TempDirectory("files")
  }

  @Test func statusTellsWhatAFileIs() throws {
    try directory.write("12345", to: "file", mode: 0o640)
    symlink("file", directory["link"])
    symlink("nowhere", directory["dangling"])
    mkfifo(directory["pipe"], 0o600)
    let file = try #require(try FileSystem.status(path("file")))
    #expect(file.kind == .regular)
    #expect(file.size == 5)
    #expect(file.mode == 0o640)
    #expect(file.owner == getuid())
    #expect(file.links == 1)
    #expect(abs(file.fingerprint.modified - Clock.nowNanoseconds()) < 60_000_000_000)
    #expect(try FileSystem.status(path("link")) == file)
    #expect(try FileSystem.status(path("link"), followingLinks: false)?.kind == .symbolicLink)
    #expect(try FileSystem.status(path("pipe"))?.kind == .other)
    #expect(try FileSystem.status(Path(directory.path))?.kind == .directory)
    #expect(try FileSystem.status(path("dangling")) == nil)
    #expect(try FileSystem.status(path("missing")) == nil)
    #expect(throws: SystemError(operation: "stat", path: path("file/x"), code: ENOTDIR)) {
      try FileSystem.status(path("file/x"))
    }
  }

  @Test(arguments: ["/", "/dev/shm", "/proc", "/usr", "/var/tmp"])
  func memoryIsToldFromDisks(_ path: String) throws {
    let type = try Command("stat", ["-f", "-c", "%T", path]).run().output
    #expect(try FileSystem.isInMemory(Path(path)) == ["tmpfs\n", "ramfs\n"].contains(type))
  }

  @Test func whatIsNotThereIsNotInMemory() {
    #expect(throws: SystemError(operation: "statfs", path: path("missing"), code: ENOENT)) {
      try FileSystem.isInMemory(path("missing"))
    }
  }

  @Test func aFileThatHasToBeThereIsMissed() throws {
    try directory.write("12345", to: "file")
    #expect(try FileSystem.readExistingFile(path("file"), limit: 5) == Array("12345".utf8))
    #expect(try FileSystem.readFile(path("missing"), limit: 5) == nil)
    #expect(throws: SystemError(operation: "open", path: path("missing"), code: ENOENT)) {
      try FileSystem.readExistingFile(path("missing"), limit: 5)
    }
  }

  @Test func temporaryDirectoriesAreTheUsersOwn() throws {
    let place = Path(directory.path).appending([0xE9])
    try FileSystem.makeDirectory(place)
    let made = try (0..<2).map { _ in
      try FileSystem.makeTemporaryDirectory(in: place, prefix: "a-")
    }
    #expect(Set(made).count == 2)
    for one in made {
      #expect(one.parent == place && one.lastComponent.starts(with: "a-".utf8))
      #expect(try FileSystem.status(one)?.mode == 0o700)
    }
  }

  @Test func renameReplaces() throws {
    try directory.write("a", to: "a")
    try directory.write("b", to: "b")
    try FileSystem.rename(path("a"), to: path("b"))
    #expect(Files.names(in: directory.path) == [Array("b".utf8)])
    #expect(Files.text(directory["b"]) == "a")
  }

  @Test func renameWithoutReplacingDoesNot() throws {
    try directory.write("a", to: "a")
    try directory.write("b", to: "b")
    #expect(throws: SystemError(operation: "rename", path: path("a"), code: EEXIST)) {
      try FileSystem.renameWithoutReplacing(path("a"), to: path("b"))
    }
    #expect(Files.text(directory["b"]) == "b")
    try FileSystem.renameWithoutReplacing(path("a"), to: path("c"))
    #expect(Files.text(directory["c"]) == "a")
    #expect(!Files.exists(directory["a"]))
  }

  /// As on file systems that cannot rename without replacing in one step.
  @Test func renameInStepsReplacesNothing() throws {
    try directory.write("a", to: "a")
    try directory.write("b", to: "b/inside")
    try directory.write("c", to: "c/inside")
    #expect(throws: SystemError(operation: "link", path: path("a"), code: EEXIST)) {
      try FileSystem.renameInSteps(path("a"), to: path("b"))
    }
    #expect(throws: SystemError(operation: "mkdir", path: path("c"), code: EEXIST)) {
      try FileSystem.renameInSteps(path("b"), to: path("c"))
    }
    try FileSystem.renameInSteps(path("a"), to: path("d"))
    try FileSystem.renameInSteps(path("b"), to: path("e"))
    #expect(Files.text(directory["d"]) == "a" && Files.text(directory["e/inside"]) == "b")
    #expect(!Files.exists(directory["a"]) && !Files.exists(directory["b"]))
    #expect(throws: SystemError.self) {
      try FileSystem.renameInSteps(path("c"), to: path("c/below"))
    }
    #expect(Files.text(directory["c/inside"]) == "c" && !Files.exists(directory["c/below"]))
  }

  @Test func linkGivesASecondName() throws {
    try directory.write("a", to: "a")
    try FileSystem.link(path("a"), to: path("b"))
    #expect(try FileSystem.status(path("a"))?.links == 2)
    #expect(throws: SystemError(operation: "link", path: path("a"), code: EEXIST)) {
      try FileSystem.link(path("a"), to: path("b"))
    }
  }

  @Test func directoriesAreMadeAndRemoved() throws {
    try FileSystem.makeDirectories(path("a/b/c"), mode: 0o700)
    #expect(try FileSystem.status(path("a/b"))?.mode == 0o700)
    try FileSystem.makeDirectories(path("a/b/c"))
    #expect(throws: SystemError(operation: "mkdir", path: path("a"), code: EEXIST)) {
      try FileSystem.makeDirectory(path("a"))
    }
    #expect(throws: SystemError(operation: "rmdir", path: path("a"), code: ENOTEMPTY)) {
      try FileSystem.removeDirectory(path("a"))
    }
    try FileSystem.removeDirectory(path("a/b/c"))
    #expect(!Files.exists(directory["a/b/c"]))
    try directory.write("", to: "file")
    #expect(throws: SystemError.self) { try FileSystem.makeDirectories(path("file/x")) }
    #expect(throws: SystemError(operation: "mkdir", path: path("file"), code: EEXIST)) {
      try FileSystem.makeDirectories(path("file"))
    }
  }

  @Test func readFileKeepsToItsLimit() throws {
    try directory.write("12345", to: "file")
    try directory.write("", to: "empty")
    #expect(try FileSystem.readFile(path("file"), limit: 5) == Array("12345".utf8))
    #expect(throws: SystemError(operation: "read", path: path("file"), code: EFBIG)) {
      try FileSystem.readFile(path("file"), limit: 4)
    }
    #expect(try FileSystem.readFile(path("empty"), limit: 0) == [])
    #expect(try FileSystem.readFile(path("missing"), limit: 5) == nil)
    #expect(throws: SystemError(operation: "open", path: Path(directory.path), code: EISDIR)) {
      try FileSystem.readFile(Path(directory.path), limit: 5)
    }
  }

  /// Its size is given as 0.
  @Test func readFileDoesNotBelieveTheSize() throws {
    let octets = try #require(try FileSystem.readFile(Path("/proc/self/status"), limit: 65_536))
    #expect(octets.count > 100)
    #expect(throws: SystemError.self) {
      try FileSystem.readFile(Path("/proc/self/status"), limit: 100)
    }
  }

  @Test func timesAreSet() throws {
    try directory.write("", to: "file")
    try FileSystem.setTimes(path("file"), 1_000_000_007)
    #expect(try FileSystem.status(path("file"))?.fingerprint.modified == 1_000_000_007_000_000_000)
    let file = try Descriptor.open(path("file"), .readWrite)
    try file.setTimes(-5)
    #expect(try file.status().fingerprint.modified == -5_000_000_000)
  }

  @Test func descriptorsReadWriteAndCut() throws {
    let file = try Descriptor.open(path("file"), .createExclusive(0o600))
    try file.write(all: Array("0123456789".utf8))
    try file.write(all: Array("abcdef".utf8)[2..<4])
    #expect(try file.read(atMost: 4, at: 8) == Array("89cd".utf8))
    try file.truncate(to: 3)
    try file.synchronise()
    try file.synchroniseData()
    try file.synchroniseFileSystem()
    try file.close()
    #expect(Files.text(directory["file"]) == "012")
    #expect(throws: SystemError(operation: "open", path: path("file"), code: EEXIST)) {
      _ = try Descriptor.open(path("file"), .createExclusive())
    }
    try Descriptor.open(path("file"), .append).write(all: Array("x".utf8))
    #expect(Files.text(directory["file"]) == "012x")
    try Descriptor.open(path("file"), .truncate).write(all: Array("y".utf8))
    #expect(Files.text(directory["file"]) == "y")
  }

  @Test func descriptorsAreClosedWithTheirOwner() throws {
    try directory.write("", to: "file")
    var number: Int32 = -1
    do {
      let file = try Descriptor.open(path("file"), .read)
      number = file.raw
      #expect(target(of: number) == directory["file"])
    }
    #expect(target(of: number) != directory["file"])
    let released = try Descriptor.open(path("file"), .read).release()
    #expect(target(of: released) == directory["file"])
    close(released)
  }

  @Test func errorsSpeak() {
    let error = SystemError(operation: "open", path: Path("/a"), code: ENOSPC)
    #expect(error.description == "open /a: No space left on device")
    #expect(error.isOutOfSpace)
    #expect(!error.isNotFound)
    #expect(SystemError(operation: "pipe", path: nil, code: EMFILE).description.hasPrefix("pipe: "))
  }

  @Test func fingerprintsOfTheLastTwoSecondsAreNotReliable() {
    let second: Int64 = 1_000_000_000
    let fingerprint = FileFingerprint(
      device: 1,
      inode: 2,
      modified: 100 * second,
      changed: 103 * second
    )
    #expect(!fingerprint.isReliable(now: 104 * second))
    #expect(!fingerprint.isReliable(now: 101 * second))
    #expect(fingerprint.isReliable(now: 105 * second))
  }

  private func path(_ name: String) -> Path { Path(directory[name]) }

  /// What an open descriptor leads to; other tests may take its number once it is closed.
  private func target(of number: Int32) -> String? {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/fd/\(number)", &buffer, buffer.count)
    guard count > 0 else { return nil }
    return String(decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
