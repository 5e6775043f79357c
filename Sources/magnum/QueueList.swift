internal import CommandLine
internal import Configuration
internal import Platform
internal import Spool
internal import SpoolPlan
internal import Outgoing
internal import Submission
internal import Terminal

/// `magnum queue list`.
struct QueueList {
  private let queue: QueueContext

  static var command: CommandDefinition {
    CommandDefinition(
      "list",
      abstract: "List what waits, failed or is held.",
      initial: NoOptions(),
      globals: [.config, .account, .json],
      options: [],
      operands: .many("account"),
      run: { _, command in
        QueueContext.run(command) { (queue) throws(SpoolError) in
          try QueueList(queue: queue).run()
        }
      }
    )
  }

  private var accounts: [String] { queue.command.accountsNamed }

  private func run() throws(SpoolError) -> ExitStatus {
    let isJSON = queue.command.globals.json
    let status = try check()
    let now = Clock.now()
    for item in try queue.outbox.items(of: accounts.isEmpty ? nil : accounts) {
      let line = ItemLine(item, now: now)
      if isJSON {
        queue.console.print(octets: line.json.octets)
      } else {
        for text in line.texts { queue.console.print(text) }
      }
    }
    if !isJSON { try showBlocks() }
    return status
  }

  /// A word that names no account may be a misspelt subcommand: an empty list would be a wrong answer.
  private func check() throws(SpoolError) -> ExitStatus {
    var status = ExitStatus.success
    for name in accounts where try !isKnown(name) {
      queue.command.report(
        "unknown account or subcommand '\(name)'",
        hint: "see: magnum queue --help"
      )
      status = .usage
    }
    return status
  }

  private func isKnown(_ name: String) throws(SpoolError) -> Bool {
    if try queue.outbox.spool(of: name).exists() { return true }
    guard let configuration = try? queue.command.configuration() else { return false }
    return AccountFlush.isPossible(name, configuration)
  }

  private func showBlocks() throws(SpoolError) {
    for spool in try queue.outbox.spools()
    where accounts.isEmpty || accounts.contains(spool.account) {
      guard let block = try spool.block() else { continue }
      queue.console.print(BlockLine.text(block, spool.account))
    }
  }
}
