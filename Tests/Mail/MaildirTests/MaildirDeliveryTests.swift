import Glibc
import Maildir
import Octets
import Platform
import TestSupport
import Testing

@Suite struct MaildirDeliveryTests {
  let directory: TempDirectory
  let maildir: Path

  init() throws {
    directory = try TempDirectory("delivery")
    for name in ["new", "cur", "tmp"] { try Files.makeDirectories(directory[name]) }
    maildir = Path(directory.path)
  }

  /// Sizes around that of the buffer, ways to cut, and places for a line feed that spoils the conversion.
  static let shapes: [Shape] = [0, 1, 1000, 262_100, 262_144, 300_000, 800_000].flatMap { size in
    [1 << 20, 100_000, 7001].flatMap { run in
      [nil, 0.0, 0.5, 0.999].map { Shape(size: size, run: run, spoiledAt: $0) }
    }
  }

  struct Shape: Sendable, CustomStringConvertible {
    let size: Int
    let run: Int
    let spoiledAt: Double?

    var description: String {
      "\(size) octets by \(run), spoiled at \(spoiledAt.map { "\($0)" } ?? "no place")"
    }

    var wire: [UInt8] {
      var random = SeededGenerator(seed: UInt64(size))
      var octets: [UInt8] = []
      while octets.count < size {
        octets += (0..<Int.random(in: 0...90, using: &random)).map { UInt8(33 + $0 % 90) }
        octets += [13, 10]
      }
      octets.removeLast(octets.count - size)
      if let spoiledAt, size > 0 { octets.insert(10, at: spoiled(octets, from: spoiledAt)) }
      return octets
    }

    private func spoiled(_ octets: [UInt8], from place: Double) -> Int {
      let start = Int(Double(size) * place)
      return octets[start...].firstIndex { $0 != 13 && $0 != 10 } ?? octets.endIndex
    }
  }

  @Test(arguments: shapes)
  func contentIsConvertedOrKept(_ shape: Shape) throws {
    let wire = shape.wire
    let isConverted = shape.spoiledAt == nil || shape.size == 0
    var seen: [UInt8] = []
    let message = try deliver(wire, by: shape.run) { seen += $0 }
    let content = try #require(Files.read(directory["tmp/m"]))
    #expect((isConverted ? LineEnds.restored(content[...]) : content) == wire)
    #expect(message.wireSize == wire.count)
    #expect(message.size == content.count)
    #expect(!message.containsNUL)
    #expect(seen == wire.filter { $0 != 13 })
    #expect(message.temporaryPath == Path(directory["tmp/m"]))
    #expect(try FileSystem.status(message.temporaryPath)?.mode == 0o600)
    #expect(Files.names(in: directory["tmp"]).count == 1)
  }

  @Test func returnHeldBetweenRunsIsNotLost() throws {
    var delivery = MaildirDelivery(to: maildir, temporaryName: Array("m".utf8))
    for run in ["a\r\nb\r", "c\r", "\nd\n\r", "\r"] { try delivery.write(Array(run.utf8)[...]) }
    let message = try delivery.finish()
    #expect(Files.read(directory["tmp/m"]) == Array("a\r\nb\rc\r\nd\n\r\r".utf8))
    #expect(message.size == message.wireSize)
  }

  @Test func nulIsReported() throws {
    #expect(try deliver([97, 0, 13, 10], by: 10).containsNUL)
  }

  @Test func timeOfLastChangeIsSet() throws {
    var delivery = MaildirDelivery(
      to: maildir,
      temporaryName: Array("m".utf8),
      modified: 1_234_567_890
    )
    try delivery.write([97])
    let message = try delivery.finish()
    let fingerprint = try #require(try FileSystem.status(message.temporaryPath)).fingerprint
    #expect(fingerprint.modified == 1_234_567_890_000_000_000)
  }

  @Test func leftoversAreReplaced() throws {
    try directory.write("leftover", to: "tmp/m")
    _ = try deliver(Array("x\r\n".utf8), by: 10)
    #expect(Files.text(directory["tmp/m"]) == "x\n")
  }

  @Test(arguments: [10, 1_000_000])
  func droppedDeliveriesLeaveNothing(_ size: Int) throws {
    do {
      var delivery = MaildirDelivery(to: maildir, temporaryName: Array("m".utf8))
      try delivery.write([UInt8](repeating: 97, count: size)[...])
    }
    #expect(Files.names(in: directory["tmp"]).isEmpty)
  }

  /// A message of three runs that go to the file, failed at each change of the disk.
  @Test(arguments: 1...17)
  func failedDeliveriesLeaveNothing(_ change: Int) async throws {
    let root = directory.path
    await #expect(processExitsWith: change <= 16 ? .exitCode(28) : .success) {
      [change, root = root as String] in
      setenv("MAGNUM_FAULT_ERROR", "\(change):ENOSPC", 1)
      exit(MaildirDeliveryTests.deliverMuch(to: Path(root)))
    }
    #expect(Files.names(in: directory["tmp"]).count == (change <= 16 ? 0 : 1))
  }

  /// Open, two writes; undone: unlink, open, ten writes of 64 KiB; at the end, the last write.
  static func deliverMuch(to maildir: Path) -> Int32 {
    do throws(SystemError) {
      var delivery = MaildirDelivery(to: maildir, temporaryName: Array("m".utf8))
      for _ in 0..<2 { try delivery.write([UInt8](repeating: 97, count: 300_000)[...]) }
      try delivery.write([10])
      _ = try delivery.finish()
      return 0
    } catch {
      return error.code
    }
  }

  private func deliver(
    _ wire: [UInt8],
    by run: Int,
    observer: ((UnsafeRawBufferPointer) -> Void)? = nil
  ) throws -> DeliveredMessage {
    var delivery = MaildirDelivery(
      to: maildir,
      temporaryName: Array("m".utf8),
      observer: observer
    )
    var rest = wire[...]
    while !rest.isEmpty {
      try delivery.write(rest.prefix(run))
      rest = rest.dropFirst(run)
    }
    return try delivery.finish()
  }
}
