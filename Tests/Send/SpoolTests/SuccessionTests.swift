import Glibc
import Octets
import Platform
import SMTP
import Spool
import SpoolPlan
import TestSupport
import Testing

/// Entries that come of others, and what is left of that where a crash came into it.
@Suite struct SuccessionTests {
  private let place: TempDirectory
  private let spool: Spool

  init() throws {
    let made = try SpoolPlace()
    (place, spool) = (made.directory, made.spool)
  }

  private func sending(_ recipients: String..., hasCopy: Bool = false) throws -> Action {
    try SpoolPlace.sending(recipients, hasCopy: hasCopy)
  }

  private func locked() throws -> LockedSpool {
    try #require(try LockedSpool.acquire(spool))
  }

  /// Who gets the lock of an entry finds what was decided about it carried out.
  @Test func anEntryThatWasReplacedIsGoneForWhoWaitedForIt() throws {
    let old = try spool.enqueue(sending("a@x.test"), message: Array("old".utf8))
    let (entry, message) = try version(of: old)
    try Files.write(entry.header + message, to: next(entry.id))
    try noteAsOfAnother(.replaced(entry.id), old.id)
    #expect(throws: SpoolError.noEntry(old.id)) {
      try EntryLock.acquire(old.id, in: spool, timeout: 0)
    }
    #expect(try spool.entries(.queue) == [entry.id])
  }

  private func file(_ directory: String, _ id: EntryID) -> String {
    "\(place.path)/work/\(directory)/\(id)"
  }

  /// The file in tmp/ of an entry that comes of another one.
  private func next(_ id: EntryID) -> String { file("tmp", id) + ".next" }

  /// The states in which an entry is.
  private func states(_ id: EntryID) throws -> [EntryState] {
    try EntryState.allCases.filter { try spool.contains(id, in: $0) }
  }

  private func noteAsOfAnother(_ fact: LogFact, _ id: EntryID) throws {
    try Files.write(
      (Files.read(file("log", id)) ?? []) + LogRecord(fact, at: 1).line,
      to: file("log", id)
    )
  }

  /// The entry that is to take the place of one, and its message.
  private func version(of old: Entry) throws -> (entry: Entry, message: [UInt8]) {
    let message = Array("new".utf8)
    let entry = Entry(
      id: old.id.version(random: 1, isSplitOff: false),
      account: "work",
      queued: old.queued,
      action: try sending("b@x.test"),
      seal: try Spool.seal(message)
    )
    return (entry, message)
  }

  /// An edit that was killed: nothing has happened before the log says so, then all of it has.
  @Test(arguments: [false, true], ["none", "linked", "retired"])
  func aReplacementThatWasCutShort(_ isDecided: Bool, _ reached: String) throws {
    let old = try spool.enqueue(sending("a@x.test"), message: Array("old".utf8))
    let (entry, message) = try version(of: old)
    let new = entry.id
    try Files.write(entry.header + message, to: next(new))
    // What is being written without the lock stays.
    try Files.write(entry.header, to: file("tmp", new))
    if isDecided {
      try noteAsOfAnother(.replaced(new), old.id)
      if reached != "none" { link(next(new), file("queue", new)) }
      if reached == "retired" { unlink(file("queue", old.id)) }
    }
    let work = try locked()
    try work.tidy()
    #expect(try spool.entries(.queue) == [isDecided ? new : old.id])
    #expect(try spool.entries(.hold) == [] && spool.entries(.failed) == [])
    #expect(!Files.exists(next(new)) && Files.exists(file("tmp", new)))
  }

  /// A new version of what an agent wrote is held wherever the former one was, also where a kill came into it.
  @Test(arguments: [EntryState.queue, .failed, .hold], ["whole", "none", "linked", "retired"])
  func aVersionOfAnAgentIsHeld(_ state: EntryState, _ reached: String) throws {
    let action = try SpoolPlace.sending(["a@x.test"], agent: "helper")
    let old = try spool.enqueue(action, message: Array("old".utf8), in: state)
    let message = Array("new".utf8)
    var new = old.id
    if reached == "whole" {
      new = try locked().replace(old, with: action, message: message, now: 2).id
    } else {
      new = old.id.version(random: 1, isSplitOff: false)
      let entry = Entry(
        id: new,
        account: "work",
        queued: old.queued,
        action: action,
        seal: try Spool.seal(message)
      )
      try Files.write(entry.header + message, to: next(new))
      try noteAsOfAnother(.replaced(new), old.id)
      if reached != "none" { link(next(new), file("hold", new)) }
      if reached == "retired" { unlink(file(state.rawValue, old.id)) }
      try locked().tidy()
    }
    #expect(try states(new) == [.hold] && states(old.id) == [])
    let stored = try #require(try spool.load(new, in: .hold))
    #expect(stored.entry.action.agent == Array("helper".utf8))
    #expect(Progress(stored.entry.action, try spool.log(of: new)).awaitsApproval)
  }

  /// The agent goes along with each part, and what a person approved of the whole stays approved of it.
  @Test(arguments: [false, true]) func aPartIsOfTheSameAgent(_ isApproved: Bool) throws {
    let action = try SpoolPlace.sending(["a@x.test", "b@x.test"], agent: "helper")
    let entry = try spool.enqueue(action, message: [])
    let stored = try #require(try spool.load(entry.id, in: .queue))
    let work = try locked()
    if isApproved { try work.recordFact(.approved, of: entry.id, now: 1) }
    try work.recordFact(.refused([1], Array("550 no".utf8)), of: entry.id, now: 1)
    let progress = Progress(entry.action, try spool.log(of: entry.id))
    let part = try #require(
      try work.split(stored, progress.refused, progress, to: .failed, now: 2)
    )
    #expect(part.action.agent == Array("helper".utf8))
    #expect(stored.sendingAlone?.entry.action.agent == Array("helper".utf8))
    let log = try spool.log(of: part.id) + [LogRecord(.retried, at: 3)]
    #expect(Progress(part.action, log).awaitsApproval != isApproved)
  }

  /// Where a file system knows no second names, an entry may lie in tmp/ alone: the queue is not done then.
  @Test func anEntryThatIsInTmpAloneIsWork() throws {
    #expect(try !spool.hasWork())
    let old = try spool.enqueue(sending("a@x.test"), message: Array("old".utf8))
    #expect(try spool.hasWork())
    let (entry, message) = try version(of: old)
    let new = entry.id
    try noteAsOfAnother(.replaced(new), old.id)
    unlink(file("queue", old.id))
    // What is being written without the lock is none yet.
    try Files.write(entry.header, to: file("tmp", new))
    #expect(try !spool.hasWork())
    try Files.write(entry.header + message, to: next(new))
    #expect(try spool.hasWork() && spool.entries(.queue) == [])
    let work = try locked()
    #expect(try spool.entries(.queue) == [new] && !Files.exists(next(new)))
    withExtendedLifetime(work) {}
  }

  @Test func ofThreeVersionsOneIsLeft() throws {
    let first = try spool.enqueue(sending("a@x.test"), message: Array("1".utf8))
    let work = try locked()
    let second = try work.replace(
      first,
      with: sending("a@x.test"),
      message: Array("2".utf8),
      now: 100
    )
    let third = try work.replace(
      second,
      with: sending("a@x.test"),
      message: Array("3".utf8),
      now: 102
    )
    #expect(try spool.entries(.queue) == [third.id] && spool.entries(.hold) == [])
  }

  @Test func theRefusedGetAnEntryOfTheirOwnOnce() throws {
    let message = Array("Subject: a\n\n".utf8)
    let entry = try spool.enqueue(sending("a@x.test", "b@x.test", "c@x.test"), message: message)
    let stored = try #require(try spool.load(entry.id, in: .queue))
    let child = try #require(entry.id.child(1))
    try locked().recordFact(.refused([1, 2], Array("550 no".utf8)), of: entry.id, now: 1)
    // As after a crash, with half of the child written.
    try Files.write([1, 2], to: next(child))
    do {
      let work = try locked()
      let progress = Progress(entry.action, try spool.log(of: entry.id))
      try work.split(stored, progress.refused, progress, to: .failed, now: 2)
      withExtendedLifetime(work) {}
    }
    // As after a crash right after it was decided, and after one right before the end.
    for isPlaced in [false, true] {
      link(file("failed", child), next(child))
      if !isPlaced { unlink(file("failed", child)) }
      try locked().tidy()
      #expect(try spool.entries(.failed) == [child] && spool.entries(.queue) == [entry.id])
      #expect(!Files.exists(next(child)))
    }
    let after = Progress(entry.action, try spool.log(of: entry.id))
    #expect(after.refused == [] && after.open == [0])
    let failed = try #require(try spool.load(child, in: .failed))
    #expect(try failed.wholeMessage == message)
    #expect(failed.entry.action == (try sending("b@x.test", "c@x.test")))
    let progress = Progress(failed.entry.action, try spool.log(of: child))
    #expect(progress.refused == [0, 1] && progress.lastWords == Array("550 no".utf8))
  }

  /// Who has the message keeps the copy, the others keep what happened to them, and the copy is held by nobody.
  @Test(arguments: [EntryState.queue, .hold])
  func whatIsLeftForOthersKeepsItsHistory(_ state: EntryState) throws {
    let entry = try spool.enqueue(
      sending("a@x.test", "b@x.test", "c@x.test", hasCopy: true),
      message: [],
      in: state
    )
    let stored = try #require(try spool.load(entry.id, in: state))
    let work = try locked()
    for (fact, now) in [
      (.accepted([0], []), 1), (.deferred([1], until: 40, Array("450 later".utf8)), 1),
      (.sending([2]), 2), (.deferred([1], until: 90, Array("450 later".utf8)), 50),
    ] as [(LogFact, Int64)] {
      try work.recordFact(fact, of: entry.id, now: now)
    }
    let before = Progress(entry.action, try spool.log(of: entry.id))
    let part = try #require(try work.split(stored, before.left, before, to: state, now: 60))
    #expect(try states(part.id) == [state] && states(entry.id) == [.queue])
    let left = Progress(entry.action, try spool.log(of: entry.id))
    #expect(left.left == [] && left.openSteps == [0])
    let progress = Progress(part.action, try spool.log(of: part.id))
    #expect(progress.open == [0, 1] && progress.uncertain == [1] && progress.attempts == 2)
    #expect(progress.notBefore(of: 0) == 90 && progress.reachable == before.reachable)
    #expect(progress.steps.map(\.state) == [.done], "the copy is the business of the other one")
  }

  /// Nobody has the message: who gets it first sees to the copy.
  @Test func aPartOfWhatNobodyHasMakesItsCopy() throws {
    let entry = try spool.enqueue(sending("a@x.test", "b@x.test", hasCopy: true), message: [])
    let stored = try #require(try spool.load(entry.id, in: .queue))
    let work = try locked()
    try work.recordFact(.refused([1], Array("550 no".utf8)), of: entry.id, now: 1)
    let progress = Progress(entry.action, try spool.log(of: entry.id))
    let part = try #require(
      try work.split(stored, progress.refused, progress, to: .failed, now: 2)
    )
    let records = try spool.log(of: part.id) + [LogRecord(.retried, at: 3)]
    let accepted = records + [LogRecord(.accepted([0], []), at: 4)]
    #expect(Progress(part.action, accepted).openSteps == [0])
  }

  /// Where all is done but what is split off, the entry goes at once.
  @Test func anEntryOfWhichNothingIsLeftGoes() throws {
    let entry = try spool.enqueue(sending("a@x.test", "b@x.test"), message: [], in: .failed)
    let stored = try #require(try spool.load(entry.id, in: .failed))
    let work = try locked()
    try work.recordFact(.accepted([0], []), of: entry.id, now: 1)
    try work.recordFact(.refused([1], Array("550 no".utf8)), of: entry.id, now: 1)
    let progress = Progress(entry.action, try spool.log(of: entry.id))
    let part = try #require(try work.split(stored, progress.left, progress, to: .failed, now: 2))
    #expect(try states(entry.id) == [] && states(part.id) == [.failed])
  }

  @Test func aVersionOfAPartIsOne() throws {
    let id = try #require(EntryID("1795228333000000.9f3a1c2e.1.2".utf8))
    let whole = try #require(EntryID("1795228333000000.9f3a1c2e".utf8))
    for isSplitOff in [false, true] {
      let version = id.version(random: 1, isSplitOff: isSplitOff)
      #expect(version.description == "1795228333000000.00000001.1.2")
      let other = whole.version(random: 1, isSplitOff: isSplitOff)
      #expect(other.description == "1795228333000000.00000001" + (isSplitOff ? ".1" : ""))
    }
  }
}
