import Glibc
import MailModel
import Octets
import Maildir
import Platform
import SyncPlan
import TestSupport
import Testing

@testable import SyncState

@Suite("Journals on disk")
struct JournalTests {
  private func withStore(_ body: (StateStore) throws -> Void) throws {
    let folder = try TempDirectory()
    let store = StateStore(root: Path(folder.path), layout: .verbatim)
    try FileSystem.makeDirectories(store.mailboxes)
    try withExtendedLifetime(folder) { try body(store) }
  }

  private func reopen(_ store: StateStore) throws -> Journal {
    guard case .present(let journal) = try store.open(Sample.header.id) else {
      throw HarnessError("no journal")
    }
    return journal
  }

  @Test("what was recorded is there after a crash")
  func record() throws {
    try withStore { store in
      let journal = Journal(new: Sample.header, store: store)
      try journal.record([.detached(name: [1])])
      try journal.record(Sample.records)
      #expect(try reopen(store).state == journal.state)
    }
  }

  /// Of 40 mailboxes, as for one; a log that cannot be written fails alone, and takes the next record.
  @Test("several mailboxes are recorded together")
  func recordTogether() throws {
    try withStore { store in
      let journals = (1...UInt64(40)).map { number in
        var header = Sample.header
        header.id = number
        return Journal(new: header, store: store)
      }
      for journal in journals { try journal.begin() }
      let blocked = store.file(7, "log")
      try FileSystem.makeDirectory(blocked)
      let errors = Journal.record(
        journals.map { ($0, $0.state.header.id % 2 == 0 ? [] : [.detached(name: [1])]) }
      )
      #expect(errors.indices.filter { errors[$0] != nil } == [6])
      try FileSystem.removeDirectory(blocked)
      try journals[6].record([.detached(name: [2])])
      for journal in journals {
        guard case .present(let read) = try store.open(journal.state.header.id) else {
          throw HarnessError("no journal")
        }
        #expect(read.state == journal.state)
        let number = journal.state.header.id
        let names: [[UInt8]] = number == 7 ? [[2]] : number % 2 == 0 ? [] : [[1]]
        #expect(journal.state.detached == OctetSet(names))
      }
    }
  }

  /// Killed between any two of its changes, each log is whole or has no record.
  @Test("a kill while several are recorded", arguments: 1...18)
  func killedTogether(_ point: Int) async throws {
    let folder = try TempDirectory()
    let root = folder.path
    // Each log: open 2, write 3, fdatasync 2; fsync of the directory.
    let last = 16
    await #expect(processExitsWith: point <= last ? .signal(SIGKILL) : .success) {
      [point = point as Int, root = root as String] in
      let journals = try JournalTests.begin(in: root)
      FaultPoint.arm(killingAt: point, error: nil)
      let errors = Journal.record(journals.map { ($0, [.detached(name: [1])]) })
      exit(errors.allSatisfy { $0 == nil } ? 0 : 1)
    }
    let store = StateStore(root: Path(root), layout: .verbatim)
    for id in [UInt64(1), 2] {
      guard case .present(let journal) = try store.open(id) else {
        throw HarnessError("no journal")
      }
      #expect([[], [[1]]].map { OctetSet($0) }.contains(journal.state.detached))
      try journal.record([.detached(name: [3])])
      #expect(journal.state.detached.contains([3]))
    }
  }

  static func begin(in root: String) throws -> [Journal] {
    let store = StateStore(root: Path(root), layout: .verbatim)
    try FileSystem.makeDirectories(store.mailboxes)
    return try [UInt64(1), 2].map { id in
      var header = Sample.header
      header.id = id
      let journal = Journal(new: header, store: store)
      try journal.begin()
      return journal
    }
  }

  @Test("a torn end is cut off before anything is added")
  func torn() throws {
    try withStore { store in
      let journal = Journal(new: Sample.header, store: store)
      try journal.record([.gone(uid: 1)])
      let log = try Descriptor.open(store.file(Sample.header.id, "log"), .append)
      try log.write(all: Array("12345678 gone".utf8))
      let next = try reopen(store)
      try next.record([.detached(name: [7])])
      #expect(try reopen(store).state == next.state)
    }
  }

  @Test("a log that lost its map is not the new map's")
  func logWithoutMap() throws {
    try withStore { store in
      var first = Sample.header
      first.generation = 1
      let lost = Journal(new: first, store: store)
      try lost.record(Sample.records)
      try FileSystem.remove(store.file(first.id, "map"))
      let journal = Journal(new: first, store: store)
      try journal.begin()
      #expect(try reopen(store).state.messages.isEmpty)
      try journal.record([.detached(name: [1])])
      #expect(try reopen(store).state == journal.state)
    }
  }

  @Test("the log of an older map is left over from a crash")
  func olderLog() throws {
    try withStore { store in
      let journal = Journal(new: Sample.header, store: store)
      try journal.record([.detached(name: [1])])
      var newer = journal.state
      newer.header.generation += 1
      let octets = MapFile.encode(newer, now: 480_000 * 3600)
      try AtomicFile.replace(store.file(Sample.header.id, "map"), with: octets)
      let next = try reopen(store)
      #expect(next.state == newer)
      try next.record([.detached(name: [2])])
      #expect(try reopen(store).state == next.state)
    }
  }

  @Test("a log without its map, or of another one, is not trusted")
  func untrusted() throws {
    try withStore { store in
      let journal = Journal(new: Sample.header, store: store)
      try journal.record([.detached(name: [1])])
      var other = journal.state
      other.header.generation += 2
      try AtomicFile.replace(
        store.file(Sample.header.id, "map"),
        with: MapFile.encode(other, now: 480_000 * 3600)
      )
      #expect(try isUntrusted(store))
      try FileSystem.remove(store.file(Sample.header.id, "map"))
      #expect(try isUntrusted(store))
    }
  }

  @Test("a long log is folded into the map")
  func checkpoint() throws {
    try withStore { store in
      let journal = Journal(new: Sample.header, store: store)
      for _ in 0..<12 {
        try journal.record((0..<5000).map { .detached(name: Array("file \($0)".utf8)) })
      }
      try journal.checkpoint()
      #expect(try FileSystem.status(store.file(Sample.header.id, "log")) == nil)
      #expect(try reopen(store).state == journal.state)
      #expect(journal.state.header.generation == Sample.header.generation + 1)
    }
  }

  @Test("a new map does not inherit the log of a state that nobody trusts")
  func freshStart() throws {
    try withStore { store in
      let old = Journal(new: Sample.header, store: store)
      try old.record([.detached(name: [1])])
      try FileSystem.remove(store.file(Sample.header.id, "map"))
      let new = Journal(new: Sample.header, store: store)
      try new.record([.detached(name: [2])])
      #expect(try reopen(store).state == new.state)
      #expect(new.state.detached == [[2]])
    }
  }

  @Test(
    "what cannot be trusted is not trusted in part when its removal is cut short",
    arguments: [true, false]
  )
  func partlyRemoved(isBeginning: Bool) throws {
    try withStore { store in
      let old = Journal(new: Sample.header, store: store)
      try old.record([.detached(name: [1])])
      let log = store.file(Sample.header.id, "log")
      // A directory in its place cannot be removed like a file.
      try FileSystem.remove(log)
      try FileSystem.makeDirectories(log)
      #expect(throws: SystemError.self) {
        if isBeginning {
          try Journal(new: Sample.header, store: store).begin()
        } else {
          try store.remove(Sample.header.id)
        }
      }
      #expect(try FileSystem.status(store.file(Sample.header.id, "map")) == nil)
    }
  }

  private func isUntrusted(_ store: StateStore) throws -> Bool {
    if case .untrusted = try store.open(Sample.header.id) { true } else { false }
  }
}
