import Configuration
import Glibc
import MailStore
import MemoryStore
import Platform
import SyncEngine
import SyncPlan

/// One sync against a server in memory, in a process of its own: so that it can be killed at a fault point.
///
/// `magnum-scene FOLDER`: the configuration is `config.toml` there, the server's mail `server`.
/// Each run is a hundred seconds after the one before, by the file `clock`.
/// Exit status: that of the account: 0 done, 1 not all of it, 2 failed.
@main
enum SceneDriver {
  static func main() throws {
    let folder = Path(CommandLine.arguments[1])
    let configuration = try Configuration.load(explicit: folder.appending("config.toml"))
    let server = try MemoryServer(file: folder.appending("server"))
    let now = try time(folder.appending("clock"))
    var options = SyncOptions()
    options.clock = { now }
    let reports = SyncRun.syncAccounts(
      configuration.accounts,
      of: configuration.accounts,
      options: options,
      stateHome: folder.appending("state"),
      interruption: Interruption(),
      server: { _, _ in server },
      observer: report
    )
    FaultPoint.writeCount()
    exit(reports.map(status).max() ?? 2)
  }

  /// Seconds since 1970.
  private static func time(_ file: Path) throws -> Int64 {
    let before = try FileSystem.readFile(file, limit: 100) ?? []
    let now = (Int64(String(decoding: before, as: UTF8.self)) ?? 1_700_000_000) + 100
    try AtomicFile.replace(file, with: Array(String(now).utf8))
    return now
  }

  private static func report(_ event: SyncEvent) {
    switch event.kind {
    case .problem(let mailbox, let failure): print(mailbox ?? "", failure)
    case .planned(let mailbox, let plan, _):
      for step in plan.steps { print(mailbox, step.step, step.reason) }
      for change in plan.blocked { print(mailbox, "blocked", change) }
    case .step(let text): print(text)
    default: break
    }
  }

  private static func status(_ report: AccountReport) -> Int32 {
    switch report.outcome {
    case .complete, .postponed: 0
    case .partial: 1
    case .failed: 2
    }
  }
}
