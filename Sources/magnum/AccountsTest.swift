internal import ArgumentParser
internal import Configuration
internal import Octets
internal import Outgoing
internal import Platform
internal import Submission
internal import SyncEngine
internal import Terminal

/// `magnum accounts test`.
struct AccountsTest: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test",
    abstract: "Connect and log in to the servers of accounts, and say what they offer.",
    discussion: "Nothing is fetched, sent or changed."
  )

  @OptionGroup var global: ConfigurationOption

  @Flag(name: .long, help: "Print JSON, an object for each server.")
  var json = false

  @Flag(name: .long, help: "Print the conversation with the servers, without secrets.")
  var trace = false

  @Argument(help: ArgumentHelp("Only these accounts.", valueName: "account"))
  var accounts: [String] = []

  func run() throws {
    let desk = AccountsDesk(program: "magnum accounts")
    Interruption.shared.watchSignals()
    try desk.run(config: global.path) { configuration in
      let (names, status) = desk.names(accounts, in: configuration)
      var statuses = [status]
      for name in names {
        if let account = configuration.account(named: name), account.server != nil {
          statuses.append(tell(tryIMAP(account, desk), name, desk))
        }
        if let sender = configuration.sender(named: name) {
          statuses.append(tell(trySMTP(sender, desk), name, desk))
        }
      }
      return ExitStatus.gravest(of: statuses)
    }
  }

  private func tell(_ trial: ServerTrial, _ name: String, _ desk: AccountsDesk) -> ExitStatus {
    if json {
      desk.console.print(octets: trial.json(account: name).octets)
    } else if let failure = trial.failure {
      let place = "\(Printable.text(name.utf8)) \(trial.service)"
      desk.complain(place, failure.what, hint: failure.hint)
    } else {
      desk.console.print(trial.text(account: name))
    }
    return trial.status
  }

  private func tryIMAP(_ account: Account, _ desk: AccountsDesk) -> ServerTrial {
    var options = SyncOptions()
    options.isTracing = trace
    // A person is there: a secret that was refused before is offered again.
    options.selections = [SyncOptions.Selection(account: account.name, patterns: [])]
    let console = desk.console
    do throws(SyncFailure) {
      let facts = try SyncRun.probe(
        account,
        options: options,
        stateHome: Environment.stateHome,
        interruption: .shared
      ) { event in
        if case .trace(let line) = event.kind { console.note(line) }
      }
      return ServerTrial(account, facts)
    } catch {
      return ServerTrial(account, error)
    }
  }

  private func trySMTP(_ sender: Sender, _ desk: AccountsDesk) -> ServerTrial {
    let console = desk.console
    let note: @Sendable (String) -> Void = { console.note($0) }
    do throws(SubmissionFailure) {
      let probe = try SubmissionProbe(
        sender,
        interruption: .shared,
        trace: trace ? note : nil
      )
      return ServerTrial(sender, probe)
    } catch {
      return ServerTrial(sender, error)
    }
  }
}
