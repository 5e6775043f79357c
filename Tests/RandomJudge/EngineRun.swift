import CPlatform
import Configuration
import MailModel
import MailStore
import MemoryStore
import Octets
import Outgoing
import Platform
import SyncEngine
import SyncPlan

/// One run of the engine against the server in memory, in this process.
struct EngineRun {
  /// The server's mail when it begins.
  let content: MemoryContent
  let machine: Machine
  let order: RunOrder
  private let configuration: Configuration
  /// Whether all that is planned is told, not only what is judged by.
  let isTelling: Bool
  /// Takes what it has to say: lines, each of which begins with a letter for its kind (see `RunEnd`).
  let tell: (String) -> Void
  /// Takes the server's mail whenever it changed.
  let keep: (MemoryContent) -> Void
  /// Does the next step that happens in its midst.
  let race: (inout MemoryContent) -> Void

  private let interruption = Interruption()
  private let story = Monitor(())

  init(
    _ content: MemoryContent,
    _ machine: Machine,
    _ order: RunOrder,
    isTelling: Bool,
    tell: @escaping (String) -> Void,
    keep: @escaping (MemoryContent) -> Void,
    race: @escaping (inout MemoryContent) -> Void
  ) throws {
    configuration = try machine.configuration(for: order)
    (self.content, self.machine, self.order) = (content, machine, order)
    self.isTelling = isTelling
    (self.tell, self.keep, self.race) = (tell, keep, race)
  }

  /// Gives the exit status.
  func run() -> Int32 {
    let work = UncheckedBox(value: self)
    let server = MemoryServer(content, interference) { content in work.value.keep(content) }
    let reports = SyncRun.syncAccounts(
      configuration.accounts,
      of: configuration.accounts,
      options: options,
      stateHome: Path("\(machine.home)/state"),
      interruption: interruption,
      clock: { [day = machine.day] in day * 86_400 },
      server: { _, _ in server },
      // A file that is removed while it is sent breaks its connection.
      retryDelays: [0, 0, 0],
      observer: { event in
        let lines = work.value.lines(event)
        work.value.say(lines)
      }
    )
    return reports.map { ExitStatus($0.outcome).rawValue }.max() ?? 70
  }

  private var options: SyncOptions {
    var options = SyncOptions()
    options.isScanning = order.isScanning
    options.postponesRemovals = order.isPostponing
    options.copies = order.isPostponing ? .busy : order.isQuiet ? .quiet : .byClock
    options.clock = { [now = machine.now] in now }
    options.isPullOnly = order.way == .pull
    if let only = order.only {
      options.selections = [
        SyncOptions.Selection(account: "a", patterns: [MailboxPattern(only)])
      ]
    }
    if order.isAllowed {
      options.massDeletionAllowed = [
        SyncOptions.Selection(account: "a", patterns: [MailboxPattern("*")])
      ]
    }
    return options
  }

  private var interference: MemoryServer.Interference {
    var result = MemoryServer.Interference()
    let (work, interruption) = (UncheckedBox(value: self), interruption)
    let (kill, term, races) = (order.kill, order.term, order.races.map(\.request))
    result.cutBefore = order.cut
    result.cutAfter = order.cutAfter
    // Else it would wait for seconds before it connects again.
    result.broken = { interruption.request() }
    result.appending = { octets, content in work.value.note(octets, in: content) }
    result.before = { number, content in
      if number == kill { magnum_kill_self() }
      if number == term { interruption.request() }
      for request in races where request == number { work.value.race(&content) }
    }
    return result
  }

  private func say(_ lines: String) {
    guard !lines.isEmpty else { return }
    story.withLock { _ in tell(lines) }
  }

  /// Says what of a message that is uploaded the server has.
  private func note(_ octets: [UInt8], in content: MemoryContent) {
    guard let place = machine.known.mailbox(holding: octets, in: content),
      let token = JudgeMessage.identify(octets)?.token
    else { return }
    say("U\(token)/\(place)\n")
  }

  /// What of an event the judge wants to know.
  private func lines(_ event: SyncEvent) -> String {
    switch event.kind {
    case .problem(let mailbox, let failure):
      let explanation = failure.explanation(account: event.account, mailbox: mailbox)
      let parts = [explanation.place, explanation.what, explanation.hint].compactMap { $0 }
      return "P" + parts.joined(separator: ": ").filter { $0 != "\n" } + "\n"
    case .planned(let mailbox, let plan, _):
      return plan.steps.map { line(mailbox, $0.step, $0.reason) }.joined()
        + plan.blocked.map { line(mailbox, $0) }.joined()
    case .step(let text):
      let mark = ": detach "
      guard let place = text.firstRange(of: mark) else { return word(text) }
      return word(text) + "D\(text[place.upperBound...])\n"
    case .finished(let report):
      let left = "L\(report.total.left.messages)\n"
      guard case .failed(let failure) = report.outcome else { return left }
      return left + "P" + failure.explanation(account: event.account).what + "\n"
    default: return ""
    }
  }

  private func line(_ mailbox: String, _ change: BlockedChange) -> String {
    let words = word("\(mailbox) blocked \(change)")
    if change.cause == .copied { return words + "C\n" }
    guard case .download(let uid) = change.difference, change.cause == .fromElsewhere else {
      return words
    }
    return words + "B\(mailbox) UID \(uid)\n"
  }

  private func line(_ mailbox: String, _ step: PlanStep, _ reason: Reason) -> String {
    let words = word("\(mailbox) \(step), \(reason)")
    switch step {
    case .record(.detach(let name, _)):
      return words + "D\(String(decoding: name.prefix { $0 != ASCII.colon }, as: UTF8.self))\n"
    case .upload(let upload):
      return words + "B\(mailbox) \(String(decoding: upload.name, as: UTF8.self))\n"
    default: return words
    }
  }

  /// What is told to a reader alone.
  private func word(_ text: @autoclosure () -> String) -> String {
    isTelling ? "W\(text())\n" : ""
  }
}

/// Shared by the threads of a run, each of which uses it while the server's mail is locked.
struct UncheckedBox<Value>: @unchecked Sendable {
  let value: Value
}
