import MailModel
import SyncPlan
import TestSupport
import Testing

/// Every combination of what base, local side and server can say of a few messages.
@Suite("Every small world")
struct SmallWorldTests {
  /// What one side says of a message: nothing, or its flags.
  private static let sides: [SystemFlags?] = [nil, [], .seen, .flagged]

  /// One message's situation: base, local and remote.
  private struct Situation {
    var base: SystemFlags?
    var local: SystemFlags?
    var remote: SystemFlags?
    /// The file lies in the other mailbox.
    var isMoved = false
    /// The message was moved to the other mailbox on the server.
    var isMovedThere = false

    func with(_ change: WritableKeyPath<Self, Bool>) -> Self {
      var copy = self
      copy[keyPath: change] = true
      return copy
    }
  }

  private static let situations = situations(of: sides)

  /// With one flag less, so that three messages at once can be tried.
  private static let fewSituations = situations(of: [nil, [], .flagged]).filter {
    !($0.isMoved || $0.isMovedThere) || $0.base == [] && $0.remote != .flagged
  }

  private static func situations(of sides: [SystemFlags?]) -> [Situation] {
    sides.flatMap { base in
      sides.flatMap { local in
        sides.flatMap { remote in
          var variants = [Situation(base: base, local: local, remote: remote)]
          guard base != nil else { return variants }
          if local != nil { variants += variants.map { $0.with(\.isMoved) } }
          if remote != nil { variants += variants.map { $0.with(\.isMovedThere) } }
          return variants
        }
      }
    }
  }

  private static func world(_ messages: [Situation]) -> SmallWorld {
    var world = SmallWorld()
    for (index, situation) in messages.enumerated() {
      let uid = UInt32(index + 1)
      let name = Array("file-\(index)".utf8)
      if let flags = situation.base {
        let content = content(index, situation, isLocal: false)
        world.boxes[0].base[uid] = SmallWorld.record(uid, name, flags, content)
      }
      if let flags = situation.local {
        let file = SmallWorld.File(content: content(index, situation, isLocal: true), flags: flags)
        world.boxes[situation.isMoved ? 1 : 0].files[name] = file
      }
      if let flags = situation.remote {
        let content = content(index, situation, isLocal: false)
        let message = SmallWorld.Message(content: content, flags: flags)
        if situation.isMovedThere {
          world.boxes[1].messages[uid + 50] = message
        } else {
          world.boxes[0].messages[uid] = message
        }
      }
    }
    return world
  }

  /// Without a base, a file and a message are two different messages.
  private static func content(_ index: Int, _ situation: Situation, isLocal: Bool) -> Int {
    situation.base == nil && isLocal ? index + 100 : index
  }

  /// The situations of the worlds that fail the check; one is enough to see why.
  private static func everyWorld(_ check: (SmallWorld, [Situation]) -> Bool) -> [[Situation]] {
    for first in situations {
      for second in situations where !check(world([first, second]), [first, second]) {
        return [[first, second]]
      }
    }
    for first in Turn.part(of: fewSituations) {
      for second in fewSituations {
        for third in fewSituations
        where !check(world([first, second, third]), [first, second, third]) {
          return [[first, second, third]]
        }
      }
    }
    return []
  }

  @Test(
    """
    pulling never changes the server, loses nothing that was not deleted there, and doubles nothing; a second run \
    changes nothing
    """
  )
  func pull() {
    let failures = Self.everyWorld { world, situations in
      var after = world
      _ = after.sync(.pull)
      let server = after.boxes.map(\.messages)
      var again = after
      _ = again.sync(.pull)
      return server == world.boxes.map(\.messages) && again == after
        && Self.isComplete(pulled: after, situations)
    }
    #expect(failures.isEmpty)
  }

  private static func isComplete(pulled after: SmallWorld, _ situations: [Situation]) -> Bool {
    let files = after.boxes.flatMap { $0.files.values.map(\.content) }
    let hasDoubles = Set(files).count != files.count
    return !hasDoubles
      && situations.enumerated().allSatisfy { index, situation in
        let isHere = files.contains(index)
        let isOwnHere =
          situation.base != nil || situation.local == nil || files.contains(index + 100)
        if situation.remote != nil {
          return (isHere || situation.base != nil && situation.local == nil) && isOwnHere
        }
        let isKept =
          situation.base != nil && situation.local == .flagged && situation.base != .flagged
        if situation.base != nil, situation.local != nil {
          return situation.isMoved || isHere == isKept
        }
        return isOwnHere
      }
  }

  @Test(
    """
    both ways nothing is lost that nobody deleted, the sides become equal, nothing is doubled, and a second run \
    changes nothing
    """
  )
  func both() {
    let failures = Self.everyWorld { world, situations in
      var after = world
      _ = after.sync(.both)
      var again = after
      let plans = again.sync(.both)
      return after.boxes.allSatisfy(Self.isEqual) && plans.allSatisfy(\.isEmpty)
        && again == after && Self.isComplete(synced: after, situations)
    }
    #expect(failures.isEmpty)
  }

  private static func isComplete(synced after: SmallWorld, _ situations: [Situation]) -> Bool {
    let there = after.boxes.flatMap { $0.messages.values.map(\.content) }
    let rescued = after.trash.map(\.content)
    return Set(there).count == there.count
      && situations.enumerated().allSatisfy { index, situation in
        let isDeleted = situation.base != nil && situation.remote == nil
        let isOwn = situation.base == nil && situation.local != nil
        let isThere = there.contains(index) || rescued.contains(index) || isDeleted
        return (isThere || situation.remote == nil) && (!isOwn || there.contains(index + 100))
      }
  }

  @Test("one way before both ways changes nothing", arguments: [SyncDirection.pull, .push])
  func oneWayBefore(_ direction: SyncDirection) {
    let failures = Self.everyWorld { world, _ in
      var (after, other) = (world, world)
      _ = after.sync(.both)
      _ = other.sync(direction)
      _ = other.sync(.both)
      return other.boxes.allSatisfy(Self.isEqual) && Self.contents(other) == Self.contents(after)
    }
    #expect(failures.isEmpty, "\(failures)")
  }

  /// What the server has, wherever and however marked.
  private static func contents(_ world: SmallWorld) -> [Int] {
    (world.boxes.flatMap { $0.messages.values } + world.trash).map(\.content).sorted()
  }

  private static func isEqual(_ box: SmallWorld.Box) -> Bool {
    let here = box.files.values.map { "\($0.content) \($0.flags.rawValue)" }.sorted()
    let there = box.messages.values.map { "\($0.content) \($0.flags.rawValue)" }.sorted()
    return here == there
  }
}
