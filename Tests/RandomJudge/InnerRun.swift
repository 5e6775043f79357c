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
  /// How many of the steps between reads are done.
  private let reads = Monitor(0)

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
    var left = watchReads()
    alarm(Mishap.timeout)
    let work = try UncheckedBox(value: engineRun)
    let result = Monitor(Int32(70))
    let thread = try Thread.spawn(name: "run", stackSize: 8 << 20) {
      let status = work.value.run()
      result.withLock { $0 = status }
    }
    thread.join()
    alarm(0)
    FaultPoint.arm(killingAt: nil, error: nil)
    FaultPoint.beforeReads(nil)
    left.removeFirst(reads.withLock { $0 })
    if let failure { throw failure }
    var end = RunEnd(said: said)
    end.status = result.withLock { $0 }
    for race in open { _ = try Step.perform(race.step, world) }
    for read in left { _ = try Step.perform(read.step, world) }
    return end
  }

  /// Has what a person does between two reads be done then; gives all of it, in its order.
  private func watchReads() -> [(read: Int, step: String)] {
    let steps = order.reads.sorted { $0.read < $1.read }
    let work = UncheckedBox(value: self)
    guard !steps.isEmpty else { return [] }
    let isBusy = Monitor(false)
    FaultPoint.beforeReads { number in
      // A step reads directories, too, and a run does so on several threads.
      let isFirst = isBusy.withLock { busy in
        defer { busy = true }
        return !busy
      }
      guard isFirst else { return }
      defer { isBusy.withLock { $0 = false } }
      while let next = work.value.nextRead(of: steps, at: number) { work.value.perform(next) }
    }
    return steps
  }

  /// The next step that is due at the read of that number.
  private func nextRead(of steps: [(read: Int, step: String)], at number: Int) -> String? {
    reads.withLock { done in
      guard done < steps.count, steps[done].read <= number else { return nil }
      defer { done += 1 }
      return steps[done].step
    }
  }

  private func perform(_ step: String) {
    world.model.isInRun = true
    defer { world.model.isInRun = false }
    do {
      _ = try Step.perform(step, world)
    } catch {
      failure = failure ?? error
    }
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
    perform(race.step)
    content = side.content
  }
}
