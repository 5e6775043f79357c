import CPlatform
import Configuration
import Glibc
import MailModel
import MailStore
import MemoryStore
import Outgoing
import Platform
import SyncPlan

/// One run in a process of its own that fork(2) makes: so it can be killed anywhere, and nothing is loaded for it.
///
/// What is to be done in its midst is done by the judge, while it waits: it asks by writing the number of a step, and is
/// answered by one octet. What it has to say it writes last.
struct ChildRun {
  private let world: World
  private let side: MemorySide
  private let machine: Machine
  private let order: RunOrder

  init(_ world: World, _ side: MemorySide, _ machine: Machine, _ order: RunOrder) {
    self.world = world
    self.side = side
    self.machine = machine
    self.order = order
  }

  /// Runs it to its end.
  func end() throws -> RunEnd {
    side.mail.keep(side.content)
    var (fromChild, toChild): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
    guard magnum_pipe(&fromChild) == 0, magnum_pipe(&toChild) == 0 else {
      throw Disk.Refused(what: "pipe")
    }

    let process = makeProcess()
    guard process >= 0 else { throw Disk.Refused(what: "fork") }
    if process == 0 {
      ChildWork(
        side,
        machine,
        order,
        asks: fromChild[1],
        hears: toChild[0],
        isTelling: world.isTelling
      ).run()
    }
    close(fromChild[1])
    close(toChild[0])
    defer {
      close(fromChild[0])
      close(toChild[1])
    }
    let (said, left) = try attend(fromChild[0], toChild[1])
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    side.content = side.mail.content ?? side.content
    var end = RunEnd(said: said)
    end.status = status & 0x7f == 0 ? (status >> 8) & 0xff : -(status & 0x7f)
    for race in left { _ = try Step.perform(race.step, world) }
    for read in order.reads { _ = try Step.perform(read.step, world) }
    return end
  }

  /// Does what it asks for, until it ends; gives what it said, and what it never came to.
  private func attend(
    _ asks: Int32,
    _ answers: Int32
  ) throws -> (said: [UInt8], left: [(request: Int, step: String)]) {
    var (said, open) = ([UInt8](), order.races.sorted { $0.request < $1.request }[...])
    var octet: UInt8 = 0
    while Glibc.read(asks, &octet, 1) == 1 {
      guard octet == ChildWork.asking else {
        said.append(octet)
        continue
      }
      guard let race = open.popFirst() else { break }
      side.content = side.mail.content ?? side.content
      world.model.isInRun = true
      _ = try Step.perform(race.step, world)
      world.model.isInRun = false
      side.mail.keep(side.content)
      _ = Glibc.write(answers, &octet, 1)
    }
    return (said, Array(open))
  }
}

/// fork(2), which Swift hides since most of its runtime does not expect it: the judge has a single thread that works.
@_silgen_name("fork") func makeProcess() -> Int32
