import Platform
import TestSupport
import Testing

/// Connections between programs of one user.
@Suite struct LocalSocketTests {
  private let folder: TempDirectory

  init() throws { folder = try TempDirectory("socket") }

  private func path(_ name: String) throws -> Path {
    let path = Path(folder[name])
    try FileSystem.makeDirectories(path.parent)
    return path
  }

  /// Longer than an address of a socket may be.
  @Test(arguments: ["s", String(repeating: "directory/", count: 20) + "s"])
  func bothEndsHearEachOther(_ name: String) throws {
    let path = try path(name)
    let listener = try LocalSocket.listen(at: path)
    let here = try LocalSocket.connect(to: path)
    guard let there = LocalSocket.accept(listener) else {
      Issue.record("nobody connected")
      return
    }
    try here.write(all: Array("question".utf8))
    #expect(try there.read(atMost: 100) == Array("question".utf8))
    try there.write(all: Array("answer".utf8))
    #expect(try here.read(atMost: 100) == Array("answer".utf8))
    try there.close()
    #expect(try here.read(atMost: 100) == [])
  }

  private static func accepts(_ listener: borrowing Descriptor) -> Bool {
    LocalSocket.accept(listener) != nil
  }

  @Test func nobodyThere() throws {
    let path = try path("s")
    #expect(throws: SystemError.self) { _ = try LocalSocket.connect(to: path) }
    do {
      let listener = try LocalSocket.listen(at: path)
      let isAccepted = Self.accepts(listener)
      #expect(!isAccepted)
    }
    #expect(throws: SystemError.self) { _ = try LocalSocket.connect(to: path) }
  }

  /// What a killed program has left, or another one has put there.
  @Test func whatHasTheNameIsReplaced() throws {
    let path = try path("s")
    try Files.write([1], to: folder["s"], mode: 0o600)
    let first = try LocalSocket.listen(at: path)
    let second = try LocalSocket.listen(at: path)
    _ = try LocalSocket.connect(to: path)
    let isAccepted = (Self.accepts(first), Self.accepts(second))
    #expect(isAccepted == (false, true))
  }

  @Test func aFileInMemoryHoldsWhatWasWritten() throws {
    let file = try MemoryFile()
    #expect(file.lines(limit: 10) == [])
    let writer = try Descriptor.open(Path("/proc/self/fd/\(file.descriptor)"), .readWrite)
    try writer.write(all: [1, 10, 2, 10, 3])
    #expect(file.size == 5)
    let cases: [(start: Int, limit: Int, lines: [UInt8])] = [
      (0, 10, [1, 10, 2, 10]), (0, 5, [1, 10, 2, 10]), (0, 4, [1, 10, 2, 10]), (0, 3, [1, 10]),
      (0, 1, []), (2, 10, [2, 10]), (4, 10, []), (9, 10, []),
    ]
    for (start, limit, lines) in cases {
      #expect(file.lines(from: start, limit: limit) == lines, "\(start) \(limit)")
    }
  }
}
