import CPlatform
import CommandLine
import Configuration
import Glibc
import MailModel
import MailStore
import MemoryStore
import Octets
import Outgoing
import Platform
import SyncEngine
import SyncEvents
import SyncPlan

/// What the process of a run does.
struct ChildWork {
  /// What it writes to have a step done.
  static let asking: UInt8 = 1
  /// After so many seconds it hangs.
  private static let patience: UInt32 = 30

  private let world: World
  private let machine: Machine
  private let order: RunOrder
  private let asks: Int32
  private let hears: Int32
  private let interruption = Interruption()

  init(_ world: World, _ machine: Machine, _ order: RunOrder, asks: Int32, hears: Int32) {
    self.world = world
    self.machine = machine
    self.order = order
    self.asks = asks
    self.hears = hears
  }

  /// Makes the run, says how it went, and ends the process.
  ///
  /// On a thread of its own: Swift's locks know the first one by the number that it had in the process that was copied.
  func run() -> Never {
    let work = UncheckedBox(value: self)
    let thread = try? Thread.spawn(name: "run", stackSize: 8 << 20) { work.value.work() }
    thread?.join()
    _exit(70)
  }

  private func work() -> Never {
    alarm(Self.patience)
    FaultPoint.arm(killingAt: order.fault, error: order.error)
    _exit(mirror())
  }

  /// Tells it at once, as a program does that may be killed in the next moment.
  private func tell(_ words: String) {
    let text = Array(words.utf8)
    var done = 0
    while done < text.count {
      let count = text[done...].withUnsafeBytes { write(asks, $0.baseAddress, $0.count) }
      guard count > 0 else { break }
      done += count
    }
  }

  /// Runs once in this process, so that those that are made of it later find everything loaded.
  static func warm(_ world: World) {
    world.mail.keep(world.content)
    for machine in world.machines {
      let work = UncheckedBox(value: Self(world, machine, RunOrder(), asks: -1, hears: -1))
      let thread = try? Thread.spawn(name: "warm", stackSize: 8 << 20) { _ = work.value.mirror() }
      thread?.join()
    }
    // Connections beyond the first end by themselves.
    usleep(50_000)
  }

  /// Gives the exit status.
  private func mirror() -> Int32 {
    let mail = UncheckedBox(value: world.mail)
    let server = MemoryServer(world.content, interference) { content in mail.value.keep(content) }
    var options = SyncOptions()
    options.isScanning = order.isScanning
    options.postponesRemovals = order.isPostponing
    if order.isAllowed {
      options.massDeletionAllowed = [
        SyncOptions.Selection(account: "a", patterns: [MailboxPattern("*")])
      ]
    }
    let story = Monitor(())
    let work = UncheckedBox(value: self)
    let reports = SyncRun.run(
      machine.configuration.accounts,
      of: machine.configuration.accounts,
      options: options,
      stateHome: Path("\(machine.home)/state"),
      interruption: interruption,
      clock: { [day = machine.day] in day * 86_400 },
      server: { _, _ in server },
      observer: { event in
        let lines = Self.lines(event)
        story.withLock { _ in work.value.tell(lines) }
      }
    )
    return reports.map { ExitStatus($0.outcome).rawValue }.max() ?? 70
  }

  private var interference: MemoryServer.Interference {
    var result = MemoryServer.Interference()
    let (order, interruption, asks, hears) = (order, interruption, asks, hears)
    let races = order.races.map(\.request)
    let mail = UncheckedBox(value: world.mail)
    let (kill, term) = (order.kill, order.term)
    result.cutBefore = order.cut
    result.cutAfter = order.cutAfter
    // Else it would wait for seconds before it connects again.
    result.broken = { interruption.request() }
    result.before = { number, content in
      if number == kill { magnum_kill_self() }
      if number == term { interruption.request() }
      for request in races where request == number {
        var octet = Self.asking
        guard write(asks, &octet, 1) == 1, read(hears, &octet, 1) == 1 else { return }
        content = mail.value.content ?? content
      }
    }
    return result
  }

  /// What of an event the judge wants to know.
  private static func lines(_ event: SyncEvent) -> String {
    switch event.kind {
    case .problem(let mailbox, let failure):
      let explanation = failure.explanation(account: event.account, mailbox: mailbox)
      let parts = [explanation.place, explanation.what, explanation.hint].compactMap { $0 }
      return "P" + parts.joined(separator: ": ").filter { $0 != "\n" } + "\n"
    case .planned(let mailbox, let plan, _):
      return plan.steps.map { step in line(mailbox, step.step, step.reason) }.joined()
        + plan.blocked.map { "W\(mailbox) blocked \($0)\n" }.joined()
    case .step(let text):
      let mark = ": detach "
      guard let place = text.firstRange(of: mark) else { return "W\(text)\n" }
      return "D\(text[place.upperBound...])\n"
    case .finished(let report):
      let left = "L\(report.total.left.messages)\n"
      guard case .failed(let failure) = report.outcome else { return left }
      return left + "P" + failure.explanation(account: event.account).what + "\n"
    default: return ""
    }
  }

  private static func line(_ mailbox: String, _ step: PlanStep, _ reason: some Any) -> String {
    switch step {
    case .record(.detach(let name, _)):
      "D" + String(decoding: name.prefix { $0 != ASCII.colon }, as: UTF8.self) + "\n"
    default: "W\(mailbox) \(step)\n"
    }
  }
}

/// Shared by the threads of a run, each of which uses it while the server's mail is locked.
private struct UncheckedBox<Value>: @unchecked Sendable {
  let value: Value
}
