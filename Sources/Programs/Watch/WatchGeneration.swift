internal import Configuration
internal import MailModel
internal import Maildir
internal import Platform
internal import Spool
internal import SpoolPlan
internal import SyncState
internal import WatchPlan

/// The accounts that are watched with one reading of the configuration.
///
/// Used by one thread at a time; the accounts have threads of their own.
final class WatchGeneration {
  /// One account.
  private struct Watched {
    let loop: AccountLoop
    let folders: FolderWatch
    let lock: FileLock?
    /// Nil where it cannot be made: other programs log in of their own then.
    var socket: RequestSocket?
    var isTooLarge = false
  }

  private var watched: [Watched] = []
  private let interruption = Interruption()
  private let setting: WatchSetting

  /// Begins to watch the accounts; an account that another program watches already is reported and left out.
  init(
    _ accounts: [Account],
    _ configuration: Configuration,
    _ setting: WatchSetting,
    _ hooks: HookRunners,
    _ calls: AccountLoop.Calls
  ) {
    self.setting = setting
    for account in accounts {
      let loop = AccountLoop(
        account,
        configuration,
        setting,
        interruption,
        hooks.runner(of: account.name),
        calls
      )
      guard let lock = WatchLock(account, setting.stateHome).acquire(setting.observer) else {
        continue
      }
      let folders = FolderWatch(
        AccountPlaces(of: account).tree,
        queues: Self.queues(of: account),
        memory: AccountPlaces.memory(of: account, in: setting.stateHome),
        loop.inbox
      )
      let socket = try? RequestSocket(account, setting.stateHome)
      do throws(SystemError) {
        _ = try Thread.spawn(name: "watch \(watched.count + 1)") { loop.watchAccount() }
      } catch {
        setting.observer(.problem(Explanation(.system, place: account.name, error.description)))
        lock.release()
        continue
      }
      watched.append(Watched(loop: loop, folders: folders, lock: lock, socket: socket))
    }
    reportTooLarge()
  }

  private static func queues(of account: Account) -> [Path] {
    SpoolPlace.roots().map { Spool(root: $0, account: account.name).directory(.queue) }
  }

  /// Whether there is anything to watch.
  var isEmpty: Bool { watched.isEmpty }

  /// The descriptors that are readable when files changed, or a program asks for something; some may be -1.
  var descriptors: [Int32] {
    watched.flatMap { [$0.folders.descriptor, $0.socket?.descriptor ?? -1] }
  }

  /// Whether an account listens, or all of them were tried.
  var isReady: Bool {
    watched.contains { $0.loop.status.phase == .listening }
      || !isEmpty && watched.allSatisfy { $0.loop.status.hasSettled }
  }

  /// Whether there are threads, and all give signs as they should.
  var isAlive: Bool { !isEmpty && watched.allSatisfy { $0.loop.status.isAlive(now: .now) } }

  /// How it stands, in words.
  var text: String {
    let count = watched.count { $0.loop.status.phase == .listening }
    let waiting = watched.filter { $0.loop.status.phase == .waiting }.map(\.loop.account.name)
    let head = "\(count) of \(watched.count) accounts connected"
    return waiting.isEmpty ? head : "\(head); waiting: \(waiting.joined(separator: ", "))"
  }

  /// Takes the requests of other programs.
  func takeRequests() {
    for account in watched {
      let loop = account.loop
      account.socket?.accept { loop.begin($0) }
    }
  }

  /// Tells the accounts of files that changed.
  func readChanges() {
    for account in watched { account.folders.read() }
    reportTooLarge()
  }

  /// Watches the folders that exist now, if some have changed.
  func watchAnew() {
    for account in watched { account.folders.update() }
    reportTooLarge()
  }

  /// Looks at the folders that cannot be watched, and where a disk may have been mounted.
  func look() {
    for account in watched {
      account.folders.recheckRoot()
      guard !account.folders.tellsAll else { continue }
      account.folders.update()
      account.folders.look()
    }
  }

  /// Tells all accounts.
  func tell(_ news: WatchNews) {
    for account in watched { account.loop.inbox.put(.news(news)) }
  }

  /// Has all accounts look at their clocks.
  func wake() {
    for account in watched { account.loop.inbox.waker.wake() }
  }

  /// Ends all threads; false where some did not end before the deadline.
  func end(by deadline: Deadline) -> Bool {
    interruption.request()
    wake()
    let haveEnded = watched.allSatisfy { $0.loop.status.waitForEnd(deadline) }
    for index in watched.indices {
      // Before the lock: anyone who gets that listens at the same name.
      watched[index].socket = nil
      watched[index].lock?.release()
    }
    watched = []
    return haveEnded
  }

  private func reportTooLarge() {
    for index in watched.indices
    where !watched[index].isTooLarge && !watched[index].folders.tellsAll {
      watched[index].isTooLarge = true
      setting.observer(.tooManyFolders(account: watched[index].loop.account.name))
    }
  }
}
