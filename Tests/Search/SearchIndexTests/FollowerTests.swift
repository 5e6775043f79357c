import Glibc
import MailModel
import Maildir
import Platform
import SearchIndex
import TestSupport
import Testing

/// The thread that keeps an index up to date: it looks at what it is told, and at all mail only where it must.
@Suite struct FollowerTests {
  private let mailbox: Mailbox

  init() throws {
    mailbox = try Mailbox()
    try mailbox.write("INBOX/cur/1:2,", Self.mail(1))
    try mailbox.index.scan()
    for number in 2...3 { try mailbox.write("INBOX/cur/\(number):2,", Self.mail(number)) }
  }

  private static func mail(_ number: Int) -> [UInt8] {
    Array("Message-ID: <m\(number)@x>\nSubject: \(number)\n\ntext\n".utf8)
  }

  private func follower() -> IndexFollower {
    IndexFollower(Path(mailbox.root), .all, wait: 0.1) { _, _ in }
  }

  private func added(_ number: Int) -> MaildirChange {
    let (folder, file) = Mailbox.place("INBOX/cur/\(number):2,")
    return .added(folder: folder, file)
  }

  @Test func onlyWhatItIsToldIsTakenIn() throws {
    let follower = follower()
    follower.addChanges([added(2)])
    #expect(try follower.finish().added == 1)
    #expect(try mailbox.ids("*") == ["m1@x", "m2@x"])
  }

  @Test func whatItTakesInAndWhatABuildReadsAreSignsOfLife() throws {
    let (taken, built) = (Heartbeat(), Heartbeat())
    let before = max(taken.last, built.last)
    let report = taken.watching {
      let follower = follower()
      follower.addChanges([added(2)])
      return try? follower.finish()
    }
    #expect(report?.added == 1 && taken.last > before)
    let index = mailbox.index
    #expect(built.watching { (try? index.build())?.added } == 3)
    #expect(built.last > before)
  }

  @Test func aLookFindsTheRest() throws {
    let follower = follower()
    follower.addChanges([added(2)])
    follower.look()
    #expect(try follower.finish().added == 2)
    #expect(try mailbox.ids("*") == ["m1@x", "m2@x", "m3@x"])
  }

  /// What a look finds is one commit with what is told after it, however late it comes, and is read once.
  @Test func aLookHoldsBackWhatItFinds() throws {
    var held: HeldChanges?
    #expect(try mailbox.index.scan(holding: &held).added == 0)
    #expect(try mailbox.ids("*") == ["m1@x"])
    let report = try mailbox.index.apply([added(2), added(3)], with: held)
    #expect(report.added == 2 && report.opened == 2)
    #expect(try mailbox.ids("*") == ["m1@x", "m2@x", "m3@x"])
  }

  /// What could not be taken in is not told again: the next change is the reason for a look.
  @Test func whatIsMissedIsLookedFor() throws {
    let lock = mailbox.index.place.directory.appending("lock")
    guard case .acquired(let held) = try FileLock.acquire(lock) else {
      throw HarnessError("the lock of the index is held")
    }
    let follower = follower()
    follower.addChanges([added(2)])
    // Where it takes longer to give up, it has not missed anything, and all is well too.
    usleep(400_000)
    held.release()
    follower.addChanges([added(3)])
    #expect(try follower.finish().added == 2)
    #expect(try mailbox.ids("*") == ["m1@x", "m2@x", "m3@x"])
  }

  @Test func aFailureIsSaidAtTheEnd() throws {
    let lock = mailbox.index.place.directory.appending("lock")
    guard case .acquired(let held) = try FileLock.acquire(lock) else {
      throw HarnessError("the lock of the index is held")
    }
    let follower = follower()
    follower.addChanges([added(2)])
    #expect(throws: IndexError.self) { try follower.finish() }
    held.release()
  }
}
