package import MailModel
internal import Configuration
internal import Glibc
internal import Platform
internal import Syncing
internal import WatchPlan

/// Watches accounts: starts a thread for each, tells them what happens on this machine, and looks after them.
package final class WatchRun {
  /// Seconds for the threads to end when the program is to end.
  private static let endLimit = 1.7
  /// Seconds within which they end when the configuration was read anew.
  private static let changeLimit = 30.0
  /// Seconds between looks at clocks and at folders that cannot be watched.
  private static let tick = 45.0
  /// Seconds by which the clocks have to differ more than before, if the machine was suspended.
  private static let suspension = 20.0

  private let setting: WatchSetting
  private let manager = ServiceManager()
  private let hangUps = Waker()
  private let finished = Waker()
  private let foldersAreBack = Waker()
  private let addresses = AddressWatch()
  private let clock = ClockWatch()
  private let hooks = HookRunners()
  private var clockDifference = WatchRun.readClocks()
  private var isReady = false
  private var nextLook = Deadline.now
  private var said = ""

  package init(_ setting: WatchSetting) {
    self.setting = setting
  }

  /// Watches until the program is asked to end by a signal, or, where one sync was wanted, that is done.
  package func watchAccounts() -> ExitStatus {
    Interruption.shared.watchSignals(besidesHangUp: true)
    Signals.reportHangUps(to: hangUps)
    var generation: WatchGeneration
    do throws(Explanation) {
      generation = begin(try read())
    } catch {
      setting.observer(.problem(error))
      return error.status
    }
    guard !generation.isEmpty else { return .tryAgain }
    while !Interruption.shared.isRequested {
      wait(generation)
      if finished.clear() { break }
      if hangUps.clear() { reload(&generation) }
      guard !generation.isEmpty else { return .tryAgain }
      report(generation)
    }
    manager.notify("STOPPING=1")
    let deadline = Deadline.after(seconds: Self.endLimit)
    _ = generation.end(by: deadline)
    _ = hooks.waitUntilIdle(deadline)
    return .success
  }

  /// The configuration, and the accounts that are to be watched with it.
  private struct Reading {
    let configuration: Configuration
    let accounts: [Account]
  }

  private func read() throws(Explanation) -> Reading {
    let configuration = try setting.configuration()
    return Reading(configuration: configuration, accounts: try accounts(configuration))
  }

  private func begin(_ reading: Reading) -> WatchGeneration {
    let (finished, foldersAreBack) = (finished, foldersAreBack)
    let calls = AccountLoop.Calls(
      finished: { finished.wake() },
      foldersAreBack: { foldersAreBack.wake() }
    )
    return WatchGeneration(reading.accounts, reading.configuration, setting, hooks, calls)
  }

  private func accounts(_ configuration: Configuration) throws(Explanation) -> [Account] {
    let targets: Targets
    do throws(Targets.Mistake) {
      targets = try Targets(setting.accounts, massDeletion: [], in: configuration)
    } catch {
      throw error.explanation
    }
    let accounts = targets.accounts.filter { $0.server != nil }
    guard !accounts.isEmpty else {
      throw Explanation(
        .configuration,
        "no account has a server to watch",
        hint: "set \"imap\" in the section of one; see magnum-config(5)"
      )
    }
    return accounts
  }

  /// A configuration with a mistake is reported, and the old one stays.
  ///
  /// It is read once: what was found to be without mistakes is what is used.
  private func reload(_ generation: inout WatchGeneration) {
    manager.notify("RELOADING=1", "MONOTONIC_USEC=\(Clock.monotonicNanoseconds() / 1000)")
    defer { manager.notify("READY=1") }
    let reading: Reading
    do throws(Explanation) {
      reading = try read()
    } catch {
      return setting.observer(.problem(error))
    }
    _ = generation.end(by: .after(seconds: Self.changeLimit))
    generation = begin(reading)
    // Who has it read anew may have mended what the server refused.
    generation.tell(.reloaded)
    setting.observer(.reloaded)
  }

  // MARK: Waiting

  /// Waits for anything that happens on this machine, and tells the accounts.
  private func wait(_ generation: WatchGeneration) {
    let own = [
      Interruption.shared.descriptor, hangUps.descriptor, finished.descriptor,
      foldersAreBack.descriptor, addresses.descriptor, clock.descriptor,
    ]
    var polled = (own + generation.descriptors).map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    let seconds = min(Self.tick, manager.pingInterval ?? Self.tick, isReady ? Self.tick : 1)
    _ = poll(&polled, nfds_t(polled.count), Int32(seconds * 1000))
    if polled[4].revents != 0, addresses.hasChanged() { generation.tell(.newAddress) }
    if polled[5].revents != 0 {
      clock.expectChange()
      generation.wake()
    }
    if polled[own.count...].contains(where: { $0.revents != 0 }) {
      generation.readChanges()
      generation.takeRequests()
    }
    if foldersAreBack.clear() { generation.watchAnew() }
    if wasSuspended() { generation.tell(.resumed) }
    // However much happens meanwhile: else what happens in one account would keep others from being looked at.
    if nextLook.isPast {
      generation.look()
      nextLook = .after(seconds: Self.tick)
    }
  }

  private func wasSuspended() -> Bool {
    let difference = Self.readClocks()
    defer { clockDifference = difference }
    return difference - clockDifference > Self.suspension
  }

  /// The seconds for which the machine was suspended since it was started.
  private static func readClocks() -> Double {
    Double(Clock.bootNanoseconds() - Clock.monotonicNanoseconds()) / 1e9
  }

  // MARK: The service manager

  private func report(_ generation: WatchGeneration) {
    guard manager.isThere else { return isReady = true }
    if !isReady, generation.isReady {
      isReady = true
      manager.notify("READY=1")
    }
    let text = generation.text
    if text != said { manager.notify("STATUS=\(text)") }
    said = text
    if manager.pingInterval != nil, generation.isAlive { manager.notify("WATCHDOG=1") }
  }
}
