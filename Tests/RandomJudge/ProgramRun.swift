import Glibc
import TestSupport

/// One run of the real program, or a watch for a while, with what ends it early and the steps in its midst.
///
/// Numbers of an order are milliseconds here, those of a cut octets.
struct ProgramRun {
  private let world: World
  private let side: RealSide
  private let machine: Machine
  private let order: RunOrder

  init(_ world: World, _ side: RealSide, _ machine: Machine, _ order: RunOrder) {
    self.world = world
    self.side = side
    self.machine = machine
    self.order = order
  }

  /// Runs it to its end.
  func end() throws -> RunEnd {
    let proxy = try order.cut.map { try HoleProxy(to: side.server.port, resettingAfter: $0) }
    var command = try command("magnum-sync", ["-v"] + options, through: proxy)
    command.timeLimit = proxy == nil ? 60 : 120
    let process = try command.start()
    let timers = [(order.kill, SIGKILL), (order.term, SIGTERM)].compactMap { after, signal in
      after.map { after in Self.signal(process, signal, after) }
    }
    try races(process)
    if let proxy, !order.isPatient { end(process, after: proxy) }
    let outcome = process.wait()
    for timer in timers { timer.join() }
    return try note(outcome, command)
  }

  /// Has a watch sync, and ends it so many milliseconds after the last step.
  func watch() throws -> RunEnd {
    forgetLogins()
    var command = try command("magnum", ["watch", "-v"])
    // It is up for as long as its steps last.
    command.timeLimit = 300
    let process = try command.start()
    let last = order.kill == nil ? SIGTERM : SIGKILL
    defer { process.signal(SIGKILL) }
    try races(process)
    let linger = Double(order.kill ?? order.term ?? 0) / 1000
    if !Stopwatch.wait(upTo: linger, until: { process.hasEnded }) { process.signal(last) }
    _ = Stopwatch.wait(upTo: 20) { process.hasEnded }
    let hangs = !process.hasEnded
    process.signal(SIGKILL)
    let end = try note(process.wait(), command)
    world.model.ran()
    // By SIGTERM where it had not begun to handle signals.
    guard !hangs, [0, -SIGTERM, -SIGKILL].contains(end.status) else {
      throw Failure(.crash, nil, "\(machine.name): \(hangs ? "it does not end\n" : "")\(end)")
    }
    return end
  }

  // MARK: How it is started

  private func command(
    _ program: String,
    _ arguments: [String],
    through proxy: HoleProxy? = nil
  ) throws -> Command {
    let path = "\(machine.home)/config.toml"
    var text = machine.text(for: order)
    if let proxy { text = text.replacing(":\(side.server.port)\"", with: ":\(proxy.port)\"") }
    try Disk.write(Array(text.utf8), to: path)
    // However the judge ends, what it started does not go on.
    let words = ["--pdeathsig", "KILL", "\(Self.products)/\(program)"] + arguments
    var command = Command("setpriv", words + ["--config", path] + selection)
    command.environment = environment(text)
    return command
  }

  /// The folder of the programs: that of the judge, where no other one is named.
  static let products =
    getenv("MAGNUM_BIN").map { String(cString: $0) } ?? ProgramUnderTest.products

  private var selection: [String] { order.only.map { ["a/\($0)"] } ?? [] }

  private var options: [String] {
    (order.isScanning ? ["--scan"] : []) + (order.way == .pull ? ["--pull"] : [])
      + (order.isAllowed ? ["--allow-mass-delete", "a/*"] : [])
  }

  private func environment(_ text: String) -> [String: String] {
    var variables = [
      "HOME": machine.home, "PATH": Command.ownEnvironment["PATH"] ?? "", "LANG": "C.UTF-8",
      "TZ": "UTC", "SWIFT_BACKTRACE": "enable=no", "MAGNUM_COPY_WAIT": "0",
      "XDG_STATE_HOME": "\(machine.home)/state",
    ]
    if text.contains("daily-limit") {
      variables["MAGNUM_DAYS_AHEAD"] = "\(machine.day - Machine.firstDay)"
    }
    variables["MAGNUM_FAULT"] = order.fault.map { "\($0)" }
    variables["MAGNUM_FAULT_ERROR"] = order.error
    return variables
  }

  /// Many watches of a scene are within one hour, in which an account logs in only so often.
  private func forgetLogins() {
    let state = "\(machine.home)/state"
    for name in Disk.names(state) { try? Disk.remove("\(state)/\(name)/logins") }
  }

  // MARK: What happens in its midst

  private static func signal(_ process: RunningCommand, _ number: Int32, _ after: Int)
    -> Background
  {
    Background {
      _ = Stopwatch.wait(upTo: Double(after) / 1000) { process.hasEnded }
      process.signal(number)
    }
  }

  /// Carries out steps, each so many milliseconds after the beginning.
  private func races(_ process: RunningCommand) throws {
    let begin = Stopwatch.now()
    for race in order.races {
      Stopwatch.sleep(begin + Double(race.request) / 1000 - Stopwatch.now())
      // How often a watch syncs is its own decision.
      if order.isWatch { world.model.ran() }
      world.model.isInRun = true
      defer { world.model.isInRun = false }
      _ = try Step.perform(race.step, world)
    }
  }

  /// The program would wait five seconds before it connects again.
  private func end(_ process: RunningCommand, after proxy: HoleProxy) {
    _ = Stopwatch.wait(upTo: 120) { process.hasEnded || proxy.hasReset }
    if !Stopwatch.wait(upTo: 0.15, until: { process.hasEnded }) { process.signal(SIGTERM) }
  }

  // MARK: How it ended

  private func note(_ outcome: TestSupport.Outcome, _ command: Command) throws -> RunEnd {
    let faults = command.environment.filter { $0.key.hasPrefix("MAGNUM_FAULT") }.sorted {
      $0.key < $1.key
    }
    let words = faults.map { "\($0.key)=\($0.value)" } + command.arguments.dropFirst(2)
    try side.runs.note(outcome, of: words.joined(separator: " "), on: machine)
    return RunEnd(outcome)
  }
}
