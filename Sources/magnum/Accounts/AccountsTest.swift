internal import CommandLine
internal import Configuration
internal import MailStore
internal import Octets
internal import Outgoing
internal import Platform
internal import Submission
internal import SyncEngine
internal import Terminal

/// `magnum accounts test`.
struct AccountsTest {
  /// What its options ask for.
  struct Options {
    var trace = false
  }

  private let options: Options
  private let context: CommandContext

  static var command: CommandDefinition {
    CommandDefinition(
      "test",
      abstract: "Connect and log in to the servers of accounts, and print what they offer.",
      discussion: "Nothing is fetched, sent or changed.",
      initial: Options(),
      globals: [.config, .account, .json, .quiet],
      options: [
        .flag(
          "--trace",
          sets: \.trace,
          help: "Print the conversation with the servers, without secrets."
        )
      ],
      operands: .many("account", completion: .names(.accounts)),
      run: { options, context in AccountsTest(options: options, context: context).run() }
    )
  }

  private func run() -> ExitStatus {
    Interruption.shared.watchSignals()
    return context.withConfiguration { configuration in
      let accounts = AccountNames(context, in: configuration)
      var statuses = [accounts.status]
      for name in accounts.names {
        if let account = configuration.account(named: name), account.server != nil {
          statuses.append(show(tryIMAP(account), name))
        }
        if let sender = configuration.sender(named: name) {
          statuses.append(show(trySMTP(sender), name))
        }
      }
      return ExitStatus.gravest(of: statuses)
    }
  }

  private func show(_ trial: ServerTrial, _ name: String) -> ExitStatus {
    if !context.globals.json { for warning in trial.warnings { context.report(warning) } }
    if context.globals.json {
      context.console.print(octets: trial.json(account: name).octets)
    } else if let failure = trial.failure {
      let place = "\(Printable.text(name.utf8)) \(trial.service)"
      context.report(place: place, failure.what, hint: failure.hint)
    } else if !context.globals.quiet {
      context.console.print(trial.text(account: name))
    }
    return trial.status
  }

  private func tryIMAP(_ account: Account) -> ServerTrial {
    var syncOptions = SyncOptions()
    syncOptions.isTracing = options.trace
    // A person is there: a secret that was refused before is offered again.
    syncOptions.selections = [SyncOptions.Selection(account: account.name, patterns: [])]
    let console = context.console
    do throws(SyncFailure) {
      let facts = try SyncRun.probe(
        account,
        options: syncOptions,
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

  private func trySMTP(_ sender: Sender) -> ServerTrial {
    let console = context.console
    let note: @Sendable (String) -> Void = { console.note($0) }
    do throws(SubmissionFailure) {
      let probe = try SubmissionProbe(
        sender,
        interruption: .shared,
        trace: options.trace ? note : nil
      )
      return ServerTrial(sender, probe)
    } catch {
      return ServerTrial(sender, error)
    }
  }
}
