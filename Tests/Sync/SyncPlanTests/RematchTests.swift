import MailModel
import TestSupport
import Testing

@testable import SyncPlan

@Suite("Rematch")
struct RematchTests {
  private typealias Content = RematchWorld.Content

  @Test("worlds", arguments: try Fixtures.load("Fixtures/rematches.txt"))
  func worlds(_ fixture: Fixture) throws {
    let world = try RematchFixture(fixture: fixture).world()
    let outcome = world.settle()
    #expect(RematchFixture.lines(outcome) == fixture.lines("result"))
    #expect(world.isSound(outcome.rematch))
  }

  @Test("a base that nobody knows unites the flags of both sides")
  func baseOfNone() {
    let either: SystemFlags = [.seen, .answered, .forwarded, .flagged]
    for bits in 0..<(64 * 64 as Int) {
      let local = SystemFlags(rawValue: UInt8(bits % 64))
      let remote = MessageFlags(SystemFlags(rawValue: UInt8(bits / 64)), keywords: [[0x6B]])
      let base = Rematch.base(local, remote)
      let merge = FlagMerge(base: base, local: local, remote: remote)
      let wanted = local.union(remote.system).intersection(either)
        .union(remote.system.intersection(.draft))
        .union(local.intersection(remote.system).intersection(.deleted))
      #expect(merge.local == wanted)
      let there = remote.system.union(merge.adding).subtracting(merge.removing)
      #expect(there == wanted && merge.agreedNow == remote)
      #expect(base.keywords == remote.keywords)
      // A message that looks the same on both sides was changed on neither: what is removed here goes there.
      if local == remote.system { #expect(base == remote) }
    }
  }

  /// Messages that differ in one thing each; the first two only in the body, not in its size.
  private static let contents = [
    Content(messageID: "a", body: "one"), Content(messageID: "a", body: "two"),
    Content(messageID: "a", body: "three"), Content(messageID: "a", head: "other", body: "one"),
    Content(messageID: "b", body: "one"), Content(body: "one"), Content(body: "two"),
    Content(head: "other", body: "one"),
  ]

  /// Every choice of up to three contents.
  private static let sides: [[Int]] = {
    var sides: [[Int]] = [[]]
    for first in contents.indices {
      sides.append([first])
      for second in first..<contents.count {
        sides.append([first, second])
        for third in second..<contents.count { sides.append([first, second, third]) }
      }
    }
    return sides
  }()

  /// What is wrong with an outcome; nil when nothing is.
  private static func fault(of world: RematchWorld, _ outcome: RematchWorld.Outcome) -> String? {
    let rematch = outcome.rematch
    if outcome.rounds > 4 { return "asks \(outcome.rounds) times" }
    if Set(outcome.headers).count != outcome.headers.count { return "asks for a header twice" }
    if Set(outcome.bodies).count != outcome.bodies.count { return "asks for a body twice" }
    if !world.isSound(rematch) { return "loses or doubles" }
    if world.isMirror, !rematch.fresh.isEmpty { return "fetches what is here" }
    return nil
  }

  @Test("every world of up to three files and three messages")
  func small() {
    let sides = Self.sides
    for files in sides {
      for messages in sides {
        var world = RematchWorld()
        for (index, content) in files.enumerated() {
          world.addLocal("f\(index)", Self.contents[content], date: Int64(index))
          world.locals[index].local.wasSynced = index == 1
        }
        for (index, content) in messages.enumerated() {
          world.addRemote(UInt32(9 - index), Self.contents[content], date: Int64(index + 1))
        }
        let fault = Self.fault(of: world, world.settle())
        #expect(fault == nil, "\(files) \(messages)")
        if fault != nil { return }
      }
    }
  }

  /// A world of many messages of few kinds, some on one side only, hints and dates as they may come.
  private static func random(_ seed: UInt64) -> RematchWorld {
    var random = SeededGenerator(seed: seed)
    var world = RematchWorld()
    let isMirror = seed % 3 == 0
    let kinds = Int.random(in: 1...contents.count, using: &random)
    for number in 0..<UInt32.random(in: 0...30, using: &random) {
      var content = contents[Int.random(in: 0..<kinds, using: &random)]
      let isHere = isMirror || Int.random(in: 0..<8, using: &random) > 0
      let isThere = isMirror || Int.random(in: 0..<8, using: &random) > 0
      let uid = 1000 - number
      if isThere { world.addRemote(uid, content, date: Int64.random(in: 0..<9, using: &random)) }
      guard isHere else { continue }
      if Bool.random(using: &random) { content.headerSize += 22 }
      world.addLocal("f\(number)", content, date: Int64.random(in: 0..<9, using: &random))
      let last = world.locals.count - 1
      world.locals[last].local.wasSynced = Bool.random(using: &random)
      if Int.random(in: 0..<4, using: &random) == 0 {
        world.locals[last].local.expectedUID = uid
        world.locals[last].local.wasSynced = true
      }
    }
    return world
  }

  @Test("random worlds")
  func many() {
    for seed in 0..<3000 as Range<UInt64> {
      let world = Self.random(seed)
      let fault = Self.fault(of: world, world.settle())
      #expect(fault == nil, "seed \(seed)")
      if fault != nil { return }
    }
  }

  @Test("wrong hints and wrong sizes lose nothing, double nothing, and mix no Message-IDs")
  func lies() {
    for seed in 0..<3000 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      var world = Self.random(seed)
      for index in world.locals.indices where Bool.random(using: &random) {
        world.locals[index].local.expectedUID = UInt32.random(in: 965...1005, using: &random)
      }
      for index in world.remotes.indices where Int.random(in: 0..<6, using: &random) == 0 {
        world.remotes[index].remote.message.size = UInt64.random(in: 0..<140, using: &random)
      }
      let outcome = world.settle()
      #expect(
        outcome.rounds <= 4 && world.isSound(outcome.rematch, comparingBodies: false),
        "seed \(seed)"
      )
    }
  }

  @Test("the order in which files and messages are given does not matter")
  func order() {
    for seed in 0..<500 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      var world = Self.random(seed)
      let outcome = world.settle()
      world.locals.shuffle(using: &random)
      world.remotes.shuffle(using: &random)
      let other = world.settle()
      #expect(outcome.rematch.matches == other.rematch.matches, "seed \(seed)")
      #expect(Set(outcome.bodies) == Set(other.bodies), "seed \(seed)")
    }
  }

  @Test("what is here needs no body, but without a Message-ID: duplicates, added headers")
  func adoption() {
    var world = RematchWorld()
    for number in 0..<50 {
      let time = Int64(number)
      var copy = Content(messageID: "same", body: "copy")
      var plain = Content(messageID: "\(number)", body: "plain")
      var bare = Content(head: "\(number)", body: "bare")
      world.addRemote(UInt32(3 * number + 1), copy, date: time)
      world.addRemote(UInt32(3 * number + 2), plain, date: time)
      world.addRemote(UInt32(3 * number + 3), bare, date: time)
      copy.headerSize += 22
      plain.headerSize += 22
      bare.headerSize += 22
      world.addLocal("c\(number)", copy, date: 1000 - time)
      world.addLocal("p\(number)", plain)
      world.addLocal("b\(number)", bare)
    }
    let outcome = world.settle()
    #expect(outcome.bodies.sorted() == (0..<50).map { 3 * $0 + 3 })
    #expect(outcome.headers.count == 150)
    #expect(outcome.rematch.matches.count == 150)
    #expect(Self.fault(of: world, outcome) == nil)
  }

  @Test("a header of which only half is known is asked for")
  func halfKnown() {
    var world = RematchWorld()
    for number in 1...3 as ClosedRange<UInt32> {
      world.addLocal("f\(number)", Content(body: "hello"))
      world.addRemote(number, Content(body: "hello"))
    }
    world.reveal(1)
    world.reveal(2)
    world.reveal(3)
    world.remotes[0].remote.headerKey = nil
    world.remotes[1].remote.headerSize = nil
    let remotes = world.remotes.map(\.remote)
    #expect(Rematch.needsHeader(world.locals.map(\.local), remotes) == [1, 2])
    #expect(Rematch.needsBody(world.locals.map(\.local), remotes) == [])
    #expect(Rematch(world.locals.map(\.local), remotes).matches == [])
  }

  /// Of `count` files and messages each, made by `content`, the time that all steps take.
  private static func time(_ count: Int, _ content: (Int) -> Content) -> (Duration, Int) {
    var world = RematchWorld()
    for number in 0..<count {
      world.addLocal("file-\(number)", content(number), date: Int64(number / 3))
      world.addRemote(UInt32(number + 1), content(number), date: Int64(number / 2))
    }
    var rematched = 0
    let time = ProcessorTime.measure { rematched = world.settle().rematch.matches.count }
    return (time, rematched)
  }

  #if DEBUG
  private static let factor = 20
  #else
  private static let factor = 1
  #endif

  @Test("100,000 files and messages")
  func large() {
    let (time, rematched) = Self.time(100_000) { Content(messageID: "\($0)", body: "hello") }
    #expect(rematched == 100_000)
    #expect(time < .seconds(2 * Self.factor))
    print("100,000 Message-IDs:", time)
  }

  @Test("no group costs more than its size", arguments: [0, 1, 2])
  func largeGroups(_ kind: Int) {
    let (time, rematched) = Self.time(10_000) { number in
      switch kind {
      case 0: Content(messageID: "same", body: "hello")
      case 1: Content(messageID: "same", body: "\(number % 5000 + 1000)")
      default: Content(head: "\(number % 2)", body: "\(number)")
      }
    }
    #expect(rematched == 10_000)
    #expect(time < .seconds(2 * Self.factor))
    print("10,000 in groups, kind \(kind):", time)
  }
}
