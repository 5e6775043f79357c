import Glibc
import MemoryStore
import Platform

/// One run that nothing ends from outside, in the judge's own process, on another thread: a process of its own costs as much
/// as the run.
final class InnerRun {
  private let world: World
  private let side: MemorySide
  private let machine: Machine
  private let order: RunOrder
  private var open: ArraySlice<(request: Int, step: String)>
  private var said: [UInt8] = []
  private var failure: (any Error)?

  init(_ world: World, _ side: MemorySide, _ machine: Machine, _ order: RunOrder) {
    self.world = world
    self.side = side
    self.machine = machine
    self.order = order
    open = order.races.sorted { $0.request < $1.request }[...]
  }

  /// Runs it to its end.
  func end() throws -> RunEnd {
    FaultPoint.arm(killingAt: nil, error: order.error)
    alarm(Mishap.patience)
    let work = try UncheckedBox(value: engineRun)
    let result = Monitor(Int32(70))
    let thread = try Thread.spawn(name: "run", stackSize: 8 << 20) {
      let status = work.value.run()
      result.withLock { $0 = status }
    }
    thread.join()
    alarm(0)
    FaultPoint.arm(killingAt: nil, error: nil)
    if let failure { throw failure }
    var end = RunEnd(said: said)
    end.status = result.withLock { $0 }
    for race in open { _ = try Step.perform(race.step, world) }
    return end
  }

  private var engineRun: EngineRun {
    get throws {
      try EngineRun(
        side.content,
        machine,
        order,
        isTelling: world.isTelling,
        tell: { self.said += $0.utf8 },
        keep: { self.side.content = $0 },
        race: perform
      )
    }
  }

  /// Does the next step, while the server's mail is locked.
  private func perform(_ content: inout MemoryContent) {
    guard let race = open.popFirst() else { return }
    side.content = content
    world.model.isInRun = true
    defer { world.model.isInRun = false }
    do {
      _ = try Step.perform(race.step, world)
    } catch {
      failure = failure ?? error
    }
    content = side.content
  }
}
