internal import MailModel
internal import CommandLine
internal import Configuration
internal import Login
internal import OAuth
internal import Octets
internal import Outgoing
internal import Platform
internal import Terminal

/// `magnum accounts test`.
struct AccountsTest {
  /// What its options ask for.
  struct Options {
    var trace = false
    var accepts = false
    var labels = false
  }

  private let options: Options
  private let context: CommandContext

  static var command: CommandDefinition {
    CommandDefinition(
      "test",
      abstract: "Connect and log in to the servers of accounts, and print what they offer.",
      discussion: "Nothing is fetched, sent or changed, except with --labels.",
      initial: Options(),
      globals: [.config, .account, .json, .quiet],
      options: [
        .flag(
          "--accept",
          sets: \.accepts,
          help: "Give OAuth tokens to servers that have another host now, if these take them."
        ),
        .flag(
          "--labels",
          sets: \.labels,
          help: "Test with two messages, which are removed again, whether labels can be pushed."
        ),
        .flag(
          "--trace",
          sets: \.trace,
          help: "Print the conversation with the servers, without secrets."
        ),
      ],
      operands: .many("account", completion: .names(.accounts)),
      changes: { _, _ in false },
      run: { options, context in AccountsTest(options: options, context: context).run() }
    )
  }

  private func run() -> ExitStatus {
    Interruption.shared.watchSignals()
    return context.withConfiguration { configuration in
      let accounts = AccountNames(context, in: configuration)
      var statuses = [accounts.status]
      if options.labels, let problem = objection(to: accounts, configuration) {
        return context.report(problem)
      }
      for name in accounts.names {
        let known = try? OAuthAccount(name, in: configuration)
        let machine = known?.settings.machine == nil ? nil : known
        // A person is there: a client that was refused before is tried again.
        if let machine {
          try? AccessTokens(machine.settings, interruption: .shared).forgetRefusal()
        }
        let oauth = options.accepts && machine == nil ? known : nil
        let before = statuses.count
        if let oauth { statuses.append(accept(oauth, name)) }
        if oauth?.account == nil, let account = configuration.account(named: name),
          account.server != nil
        {
          let advice = VerdictAdvice(for: account, in: configuration)
          let trial = ServerTrial(testing: account, trace: trace)
          let labels =
            options.labels && trial.failure == nil ? LabelTest(testing: account, trace: trace) : nil
          statuses.append(show(trial, name, advice, labels))
        }
        if oauth?.sender == nil, let sender = configuration.sender(named: name) {
          statuses.append(show(ServerTrial(testing: sender, trace: trace), name))
        }
        if let machine, statuses[before...].allSatisfy({ $0 == .success }) {
          statuses.append(forgetRefusal(of: machine))
        }
      }
      return ExitStatus.mostSevere(of: statuses)
    }
  }

  /// Labels are tested only of accounts that are named: something is put into them.
  private func objection(
    to accounts: AccountNames,
    _ configuration: Configuration
  ) -> Explanation? {
    guard !context.accountsNamed.isEmpty else {
      return Explanation(.usage, "--labels needs the name of an account")
    }
    return accounts.names.lazy.compactMap { configuration.account(named: $0) }
      .compactMap { LabelTest.objection(to: $0) }.first
  }

  /// Tests the servers with the token, whatever hosts it was for, and has it be for these if they take it.
  private func accept(_ oauth: OAuthAccount, _ name: String) -> ExitStatus {
    let tokens = AccessTokens(oauth.settings, isForAnyHost: true, interruption: .shared)
    do throws(SecretError) {
      let access = try tokens.current()
      let status = ExitStatus.mostSevere(
        of: oauth.trials(with: access.token, trace: trace).map { show($0, name) }
      )
      guard status == .success else { return status }
      try tokens.acceptHosts()
    } catch {
      return context.report(Explanation(error, account: name))
    }
    return forgetRefusal(of: oauth)
  }

  /// Has what stopped go on, after the servers took the token.
  private func forgetRefusal(of oauth: OAuthAccount) -> ExitStatus {
    do throws(Explanation) {
      try oauth.forgetRefusal()
      return .success
    } catch {
      return context.report(error)
    }
  }

  private func show(
    _ trial: ServerTrial,
    _ name: String,
    _ advice: VerdictAdvice? = nil,
    _ labels: LabelTest? = nil
  ) -> ExitStatus {
    if !context.globals.json { for warning in trial.warnings { context.report(warning) } }
    if context.globals.json {
      var line = trial.json(account: name)
      if let advice { line.add("verdicts", advice.json) }
      if let labels { line.add("labels", labels.json) }
      context.console.print(octets: line.octets)
    } else if let failure = trial.failure {
      let place = "\(Printable.text(name.utf8)) \(trial.service)"
      context.report(place: place, failure.what, hint: failure.hint)
    } else if !context.globals.quiet {
      context.console.print(trial.text(account: name))
      if let advice { context.console.print(advice.text) }
      if let labels, !labels.text.isEmpty { context.console.print(labels.text) }
    }
    guard let problem = labels?.failure else { return trial.status }
    if !context.globals.json {
      let place = "\(Printable.text(name.utf8)) labels"
      context.report(place: place, problem.what, hint: problem.hint)
    }
    return problem.status
  }

  private var trace: (@Sendable (String) -> Void)? {
    guard options.trace else { return nil }
    let console = context.console
    return { console.writeNote($0) }
  }
}
