import Glibc
import MemoryStore
import Platform

/// What the process of a run does.
struct ChildWork {
  /// What it writes to have a step done.
  static let asking: UInt8 = 1

  private let side: MemorySide
  private let machine: Machine
  private let order: RunOrder
  private let asks: Int32
  private let hears: Int32
  private let isTelling: Bool

  init(
    _ side: MemorySide,
    _ machine: Machine,
    _ order: RunOrder,
    asks: Int32,
    hears: Int32,
    isTelling: Bool
  ) {
    self.side = side
    self.isTelling = isTelling
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
    alarm(Mishap.timeout)
    FaultPoint.arm(killingAt: order.fault, error: order.error)
    let run = try? EngineRun(
      side.content,
      machine,
      order,
      isTelling: isTelling,
      tell: tell,
      keep: { side.mail.keep($0) },
      race: ask
    )
    _exit(run?.run() ?? 70)
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

  /// Has the judge do its next step.
  private func ask(_ content: inout MemoryContent) {
    var octet = Self.asking
    guard write(asks, &octet, 1) == 1, read(hears, &octet, 1) == 1 else { return }
    content = side.mail.content ?? content
  }
}
