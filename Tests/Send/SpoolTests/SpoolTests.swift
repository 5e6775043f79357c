import Glibc
import Platform
import SMTP
import Spool
import SpoolPlan
import TestSupport
import Testing

@Suite struct SpoolTests {
  private let place: TempDirectory
  private let spool: Spool

  init() throws {
    let made = try SpoolPlace()
    (place, spool) = (made.directory, made.spool)
  }

  private func sending(_ recipients: String...) throws -> Action {
    try SpoolPlace.sending(recipients)
  }

  private func locked() throws -> LockedSpool {
    try #require(try LockedSpool.acquire(spool))
  }

  private func names(_ directory: String) -> [String] {
    Files.names(in: "\(place.path)/work/\(directory)").map { String(decoding: $0, as: UTF8.self) }
      .sorted()
  }

  @Test func whatIsEnqueuedIsFound() throws {
    let message = Array("Subject: a\n\n\0\r\n".utf8)
    let entry = try spool.enqueue(sending("a@x.test"), message: message)
    #expect(try spool.entries(.queue) == [entry.id])
    let stored = try #require(try spool.load(entry.id, in: .queue))
    #expect(stored.entry == entry)
    #expect(try stored.wholeMessage == message)
    #expect(try spool.load(entry.id, in: .failed) == nil)
    #expect(try spool.header(of: entry.id, in: .queue) == entry)
    #expect(names("tmp") == [])
    #expect(try spool.log(of: entry.id) == [])
  }

  @Test func orderIsThatOfArrivalWhateverTheClockSays() throws {
    var ids: [EntryID] = []
    for now in [2_000_000_000, 1_000_000_000, 1_000_000_000, 3_000_000_000] as [Int64] {
      ids.append(try spool.enqueue(sending("a@x.test"), message: [], now: now).id)
    }
    #expect(try spool.entries(.queue) == ids)
  }

  @Test func anEmptyMessageAndOneOfMegabytesAreKept() throws {
    for size in [0, 5_000_000] {
      let message = [UInt8](repeating: 0x61, count: size)
      let entry = try spool.enqueue(sending("a@x.test"), message: message)
      #expect(try spool.load(entry.id, in: .queue)?.wholeMessage == message)
    }
  }

  @Test func aHeaderOfManyRecipientsIsRead() throws {
    let recipients = try (0..<5000).map {
      Recipient(try EnvelopeAddress(Array("a\($0)@example.org".utf8)))
    }
    let action = Action.send(Sending(Envelope(from: nil, to: recipients), messageID: nil))
    let entry = try spool.enqueue(action, message: [])
    #expect(try spool.header(of: entry.id, in: .queue) == entry)
  }

  /// The SHA-256 is that of the message.
  @Test func anEntryOfAFormerVersionIsReadAndChecked() throws {
    let message = Array("abc".utf8)
    let entry = try spool.enqueue(sending("a@x.test"), message: message)
    let file = "\(place.path)/work/queue/\(entry.id)"
    let text = String(decoding: try #require(Files.read(file)), as: UTF8.self)
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { "\($0)" }
    lines[0] = "Magnum-Spool: 1"
    let line = try #require(lines.firstIndex { $0.hasPrefix("Checksum: ") })
    lines[line] = "Sha256: ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    try Files.write(Array(lines.joined(separator: "\n").utf8), to: file)
    #expect(try spool.load(entry.id, in: .queue)?.wholeMessage == message)
    try Files.write(Array((lines.dropLast() + ["abd"]).joined(separator: "\n").utf8), to: file)
    #expect(throws: SpoolError.entry(entry.id, .messageDiffers)) {
      try spool.load(entry.id, in: .queue)
    }
  }

  @Test func damagedEntriesAreNotWorkedOn() throws {
    let entry = try spool.enqueue(sending("a@x.test"), message: Array("Subject: a\n\n".utf8))
    let file = "\(place.path)/work/queue/\(entry.id)"
    let octets = try #require(Files.read(file))
    for changed in [octets + [10], Array(octets.dropLast()), octets.dropLast() + [11]] {
      try Files.write(changed, to: file)
      #expect(throws: SpoolError.entry(entry.id, .messageDiffers)) {
        try spool.load(entry.id, in: .queue)
      }
    }
    let other = "\(place.path)/work/queue/1000000000000000.00000000"
    try Files.write(octets, to: other)
    #expect(throws: SpoolError.self, "a file under another name") {
      try spool.load(try #require(EntryID("1000000000000000.00000000".utf8)), in: .queue)
    }
  }

  @Test func strangersInTheSpoolAreRefused() throws {
    for (directory, mode) in [("work", 0o777), ("work/queue", 0o770), ("work/log", 0o702)] {
      let path = "\(place.path)/\(directory)"
      chmod(path, mode_t(mode))
      #expect(throws: SpoolError.openToOthers(Path(path), mode: UInt32(mode))) {
        try spool.prepare(user: getuid())
      }
      chmod(path, 0o700)
    }
    #expect(throws: SpoolError.foreignOwner(Path(place.path), user: getuid())) {
      try spool.prepare(user: getuid() + 1)
    }
    rmdir("\(place.path)/work/hold")
    symlink("/tmp", "\(place.path)/work/hold")
    #expect(throws: SpoolError.notADirectory(spool.directory(.hold))) {
      try spool.prepare(user: getuid())
    }
  }

  @Test func theDirectoriesOnTheWayAreChecked() throws {
    let outer = "\(place.path)/magnum"
    let deep = Spool(root: Path("\(outer)/spool"), account: "work")
    try deep.prepare(user: getuid())
    for directory in [outer, "\(outer)/spool"] {
      chmod(directory, 0o777)
      #expect(throws: SpoolError.openToOthers(Path(directory), mode: 0o777)) {
        try deep.prepare(user: getuid())
      }
      chmod(directory, 0o700)
    }
    chmod(outer, 0o1777)
    try deep.prepare(user: getuid())
    rename("\(outer)/spool", "\(outer)/other")
    symlink("\(outer)/other", "\(outer)/spool")
    #expect(throws: SpoolError.notADirectory(Path("\(outer)/spool"))) {
      try deep.prepare(user: getuid())
    }
    chmod(place.path, 0o777)
    #expect(throws: SpoolError.openToOthers(Path(place.path), mode: 0o777)) {
      try deep.prepare(user: getuid())
    }
  }

  /// What another user put in the place of a file is not waited for, and not read without end.
  @Test func nothingButOrdinaryFilesIsOpened() throws {
    let spool = Spool(root: Path(place.path), account: "work", entryLimit: 160 << 20)
    let entry = try spool.enqueue(sending("a@x.test"), message: [])
    let file = "\(place.path)/work/queue/\(entry.id)"
    let log = "\(place.path)/work/log/\(entry.id)"
    mkfifo("\(place.path)/work/state", 0o600)
    #expect(try spool.block() == nil)
    mkfifo(log, 0o600)
    #expect(throws: SpoolError.notAFile(Path(log))) { try spool.log(of: entry.id) }
    #expect(throws: SpoolError.notAFile(Path(log))) { try locked().openLog(of: entry.id) }
    unlink(log)
    symlink("/etc/passwd", log)
    #expect(throws: SpoolError.notAFile(Path(log))) { try spool.log(of: entry.id) }
    unlink(file)
    mkfifo(file, 0o600)
    #expect(throws: SpoolError.notAFile(Path(file))) { try spool.load(entry.id, in: .queue) }
    #expect(throws: SpoolError.notAFile(Path(file))) { try spool.header(of: entry.id, in: .queue) }
    unlink(file)
    close(open(file, O_CREAT | O_WRONLY, 0o600))
    truncate(file, 1 << 30)
    #expect(throws: SpoolError.tooLong(Path(file), limit: 160 << 20)) {
      try spool.load(entry.id, in: .queue)
    }
  }

  @Test func whatIsDiscardedIsKeptForADay() throws {
    let entry = try spool.enqueue(sending("a@x.test"), message: [])
    let work = try locked()
    try work.discard(entry.id, from: .queue, now: 100)
    #expect(names("queue") == [] && names("log") == [entry.id.description])
    #expect(try work.undiscard(entry.id, now: 200) == .queue)
    try work.discard(entry.id, from: .queue, now: 300)
    try work.tidy(now: 300 + 86_400)
    #expect(names("discarded") == [entry.id.description])
    try work.tidy(now: 301 + 86_400)
    #expect(names("discarded") == [] && names("log") == [])
  }

  /// An entry whose log does not tell where it stood waits for a person.
  @Test func anEntryWithADamagedLogIsDiscardedToo() throws {
    let entry = try spool.enqueue(sending("a@x.test"), message: [])
    let work = try locked()
    try Files.write(Array("rubbish\n".utf8), to: "\(place.path)/work/log/\(entry.id)")
    try work.discard(entry.id, from: .queue, now: 100)
    try work.tidy()
    #expect(names("discarded") == [entry.id.description])
    #expect(try work.undiscard(entry.id, now: 200) == .hold)
    #expect(names("hold") == [entry.id.description])
  }

  @Test func oneWorksAtATime() throws {
    let first = try locked()
    #expect(try LockedSpool.acquire(spool, timeout: 0.1) == nil)
    withExtendedLifetime(first) {}
  }

  @Test func entriesAreLockedOneByOne() throws {
    let (first, second) = (
      try spool.enqueue(sending("a@x.test"), message: []),
      try spool.enqueue(sending("b@x.test"), message: [])
    )
    let lock = try #require(try EntryLock.acquire(first.id, in: spool, timeout: 0))
    #expect(try EntryLock.acquire(first.id, in: spool, timeout: 0.1) == nil)
    let other = try #require(try EntryLock.acquire(second.id, in: spool, timeout: 0))
    try other.change { (work) throws(SpoolError) in
      try work.move(second.id, from: .queue, to: .hold)
    }
    // Wherever it goes it stays locked.
    try lock.change { (work) throws(SpoolError) in
      try work.move(first.id, from: .queue, to: .failed)
    }
    #expect(try EntryLock.acquire(first.id, in: spool, timeout: 0.1) == nil)
    try lock.change { (work) throws(SpoolError) in
      try work.retire(first.id, from: .failed)
      try work.removeRetiredLogs()
    }
    #expect(throws: SpoolError.noEntry(first.id)) {
      try EntryLock.acquire(first.id, in: spool, timeout: 0.1)
    }
    withExtendedLifetime((lock, other)) {}
  }

  /// Nothing is waited for under the lock of the spool; who has an entry does not keep others from theirs.
  @Test func anEntryIsLockedBeforeTheSpool() throws {
    let entry = try spool.enqueue(sending("a@x.test"), message: [])
    var work: LockedSpool? = try locked()
    #expect(try EntryLock.acquire(entry.id, in: spool, timeout: 0) == nil)
    withExtendedLifetime(work) {}
    work = nil
    let lock = try #require(try EntryLock.acquire(entry.id, in: spool, timeout: 0))
    _ = try locked()
    withExtendedLifetime(lock) {}
  }

  @Test func aTurnIsClosedForWhatComesLater() throws {
    var turn = try QueueTurn.acquire(spool, timeout: 0)
    #expect(turn != nil)
    #expect(try QueueTurn.acquire(spool, timeout: 60) == nil, "not waited for while it is open")
    turn?.close()
    #expect(try QueueTurn.acquire(spool, timeout: 0.1) == nil)
    turn = nil
    let next = try #require(try QueueTurn.acquire(spool, timeout: 60))
    #expect(try QueueTurn.acquire(spool, timeout: 60) == nil, "it is open again")
    withExtendedLifetime(next) {}
  }

  @Test func logsGrowAndSurviveTornLines() throws {
    let entry = try spool.enqueue(sending("a@x.test", "b@x.test"), message: [])
    let work = try locked()
    try work.recordFact(.sending([0, 1]), of: entry.id, now: 100)
    let file = "\(place.path)/work/log/\(entry.id)"
    let whole = try #require(Files.read(file))
    for length in 1...30 {
      try Files.write(
        whole + Array("2026-11-21T11:59:01Z accepted 1,2 250".utf8.prefix(length)),
        to: file
      )
      #expect(try spool.log(of: entry.id) == [LogRecord(.sending([0, 1]), at: 100)])
      let log = try work.openLog(of: entry.id)
      try log.append(.accepted([0], []), .accepted([1], []), now: 200)
      #expect(try spool.log(of: entry.id).count == 3)
      #expect(try spool.log(of: entry.id) == log.records)
      try Files.write(whole, to: file)
    }
    try Files.write(whole + [0, 0, 10] + whole, to: file)
    #expect(throws: SpoolError.log(entry.id, LogError(line: 2))) { try work.openLog(of: entry.id) }
  }

  @Test func entriesMoveAndGo() throws {
    let entry = try spool.enqueue(sending("a@x.test"), message: [])
    let work = try locked()
    try work.recordFact(.retried, of: entry.id, now: 1)
    try work.move(entry.id, from: .queue, to: .hold)
    #expect(names("queue") == [] && names("hold") == [entry.id.description])
    #expect(throws: SpoolError.noEntry(entry.id)) {
      try work.move(entry.id, from: .queue, to: .failed)
    }
    try work.retire(entry.id, from: .hold)
    #expect(names("log") == [entry.id.description], "the log stays until the entry is durably gone")
    try work.removeRetiredLogs()
    #expect(names("log") == [] && names("hold") == [])
  }

  @Test func whatWasCutShortIsCleared() throws {
    let entry = try spool.enqueue(sending("a@x.test"), message: [])
    let work = try locked()
    try work.recordFact(.retried, of: entry.id, now: 1)
    let orphan = "1000000000000000.00000000"
    try Files.write([], to: "\(place.path)/work/log/\(orphan)")
    try Files.write([], to: "\(place.path)/work/log/notes")
    try Files.write([], to: "\(place.path)/work/tmp/\(orphan)")
    try Files.write([], to: "\(place.path)/work/state.tmp-1-1")
    try work.tidy()
    #expect(names("log") == [entry.id.description, "notes"].sorted())
    #expect(names("tmp") == [orphan], "it may still be written")
    #expect(names("") == [".lock", "discarded", "failed", "hold", "log", "queue", "tmp"])
    try work.tidy(now: Clock.now() + 3601)
    #expect(names("tmp") == [])
  }

  @Test func anotherVersionTakesThePlace() throws {
    let first = try spool.enqueue(sending("a@x.test"), message: [])
    let second = try spool.enqueue(sending("b@x.test"), message: [])
    let work = try locked()
    let new = try work.replace(
      first,
      with: try sending("c@x.test"),
      message: Array("new".utf8),
      now: 1
    )
    #expect(try spool.entries(.queue) == [new.id, second.id])
    #expect(new.queued == first.queued)
    // Its log tells for a day what became of the first.
    for (now, logs) in [(86_400, ["\(first.id)"]), (86_401, [])] as [(Int64, [String])] {
      try work.tidy(now: now)
      #expect(names("hold") == [] && names("log") == logs)
    }
  }

  @Test func blocksComeAndGo() throws {
    let work = try locked()
    defer { withExtendedLifetime(work) {} }
    #expect(try spool.block() == nil)
    let block = SendingBlock(.secret, words: [1, 10], digest: [], now: 5, after: nil)
    try spool.recordBlock(block)
    #expect(try spool.block() == block)
    try spool.recordBlock(nil)
    try spool.recordBlock(nil)
    #expect(try spool.block() == nil)
  }
}
