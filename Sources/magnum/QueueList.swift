internal import ArgumentParser
internal import Configuration
internal import Platform
internal import Spool
internal import SpoolPlan
internal import Outgoing
internal import Submission
internal import Terminal

/// `magnum queue list`.
struct QueueList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List what waits, failed or is held."
  )

  @OptionGroup var global: ConfigurationOption

  @Flag(name: .long, help: "Print JSON, an object a line.")
  var json = false

  @Argument(help: ArgumentHelp("Only these accounts.", valueName: "account"))
  var accounts: [String] = []

  func run() throws {
    try QueueDesk().run(config: global.path) { (desk) throws(SpoolError) in
      let status = try check(desk)
      let now = Clock.now()
      for item in try desk.outbox.items(of: accounts.isEmpty ? nil : accounts) {
        let line = ItemLine(item, now: now)
        if json {
          desk.console.print(octets: line.json.octets)
        } else {
          for text in line.texts { desk.console.print(text) }
        }
      }
      if !json { try tellBlocks(desk) }
      return status
    }
  }

  /// A word that names no account may be a subcommand with a slip in it: silence would be an answer, and a wrong one.
  private func check(_ desk: QueueDesk) throws(SpoolError) -> ExitStatus {
    var status = ExitStatus.success
    for name in accounts where try !isKnown(name, desk) {
      desk.complain(
        name,
        "no such account, nor such a subcommand",
        hint: "see: magnum queue --help"
      )
      status = .usage
    }
    return status
  }

  private func isKnown(_ name: String, _ desk: QueueDesk) throws(SpoolError) -> Bool {
    if try desk.outbox.spool(of: name).exists() { return true }
    guard let configuration = try? Configuration.load(explicit: global.path) else { return false }
    return AccountFlush.isPossible(name, configuration)
  }

  private func tellBlocks(_ desk: QueueDesk) throws(SpoolError) {
    for spool in try desk.outbox.spools() where accounts.isEmpty || accounts.contains(spool.account)
    {
      guard let block = try spool.block() else { continue }
      desk.console.print(BlockLine.text(block, spool.account))
    }
  }
}
