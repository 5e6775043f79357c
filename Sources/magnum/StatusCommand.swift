internal import ArgumentParser
internal import Configuration
internal import Glibc
internal import Platform
internal import Spool
internal import Submission
internal import Terminal

/// `magnum status`.
struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Say how all accounts stand, and what needs a person.",
    discussion:
      "Nobody is asked: it is what the files say. The status is 1 if something needs a person. "
      + "See magnum-status(1)."
  )

  @OptionGroup var global: ConfigurationOption

  @Flag(name: .long, help: "Print JSON, an object for each account.")
  var json = false

  @Argument(help: ArgumentHelp("Only these accounts.", valueName: "account"))
  var accounts: [String] = []

  func run() throws {
    let desk = AccountsDesk(program: "magnum status")
    try desk.run(config: global.path) { configuration in
      let outbox = Outbox(root: SpoolPlace.root(), user: geteuid())
      var (names, status) = desk.names(accounts, in: configuration)
      // Mail of an account that the configuration does not have any more must not be forgotten.
      let spools = (try? outbox.spools().map(\.account)) ?? []
      if accounts.isEmpty { names += spools.filter { !names.contains($0) } }
      for name in names {
        let report = StatusReport(name, configuration, outbox)
        if json {
          desk.console.print(octets: report.json.octets)
        } else {
          for line in report.lines { desk.console.print(line) }
        }
        if report.needsPerson { status = ExitStatus.gravest(of: [status, .partial]) }
      }
      return status
    }
  }
}
