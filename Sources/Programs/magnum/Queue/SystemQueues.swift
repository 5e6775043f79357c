internal import CommandLine
internal import Configuration
internal import Login
internal import MailModel
internal import Outgoing
internal import Platform
internal import Spool
internal import Submission

/// The queues of the system's accounts, worked on by root in the name of each user.
struct SystemQueues {
  private let queue: QueueContext

  init(_ queue: QueueContext) {
    self.queue = queue
  }

  /// The system's configuration, unless another one is named; nil, and reported, where it is missing or wrong.
  static func configuration(_ queue: QueueContext) -> Configuration? {
    let named = queue.command.globals.config.map { Path($0) }
    do throws(ConfigurationError) {
      return try Configuration.load(explicit: named ?? ConfigurationEnvironment.systemFile)
    } catch {
      queue.command.report(error.explanation)
      return nil
    }
  }

  /// Whether this is root; reports where it is not.
  static func isAllowed(_ queue: QueueContext) -> Bool {
    if UserIdentity.effective == 0 { return true }
    queue.command.report("--system is for root")
    return false
  }

  /// Works on all of them; one that cannot be worked on leaves the others alone.
  ///
  /// Root's own queue comes last: it takes reports on what failed in the others.
  func flush(
    _ configuration: Configuration,
    _ body: (Configuration, Outbox) throws(SpoolError) -> ExitStatus
  ) -> ExitStatus {
    guard Self.isAllowed(queue) else { return .usage }
    let all = usable(Outbox.allShared(configuration.messageSizeLimit))
    let configuration = withSecrets(configuration, for: all)
    var statuses = all.filter { $0.user != 0 }.map { visitQueue($0, configuration, body) }
    // Looked for once more: the first report makes it.
    let own = Outbox.allShared(configuration.messageSizeLimit).filter { outbox in
      outbox.user == 0 && (try? Spool.check(root: outbox.root, user: 0)) != nil
    }
    statuses += own.map { visitQueue($0, configuration, body) }
    return ExitStatus.mostSevere(of: statuses)
  }

  /// Those that belong to the user whose number they bear, and that no other user can write to.
  ///
  /// Any user can make others, of any number: they are one line together, and no failure of the run.
  private func usable(_ outboxes: [Outbox]) -> [Outbox] {
    var others: [SpoolError] = []
    let own = outboxes.filter { outbox in
      do throws(SpoolError) {
        try Spool.check(root: outbox.root, user: outbox.user)
        return true
      } catch {
        others.append(error)
        return false
      }
    }
    if let first = others.first?.explanation {
      let more = others.count > 1 ? "; so are \(others.count - 1) others" : ""
      queue.command.report(place: first.place, first.what + ": not used" + more, hint: first.hint)
    }
    return own
  }

  /// The secrets of those accounts with which something is to be sent, fetched by root: the users may not be able to read them.
  ///
  /// What is in the queues is looked at first: nothing else that a user writes there has a secret asked for.
  private func withSecrets(
    _ configuration: Configuration,
    for outboxes: [Outbox]
  ) -> Configuration {
    var wanted: Set<String> = []
    for outbox in outboxes {
      let names = configuration.senders.filter { $0.shared.allow(outbox.user) }.map(\.name)
      let found = try? outbox.asUser { () throws(SpoolError) in
        names.filter { !wanted.contains($0) && outbox.hasMail(of: $0) }
      }
      wanted.formUnion(found ?? [])
    }
    for sender in configuration.senders where wanted.contains(sender.name) { prepare(sender) }
    return configuration.withSecrets { sender throws(SecretError) in
      guard wanted.contains(sender.name) else {
        throw SecretError(key: sender.secretKey ?? "password", problem: .notFetched)
      }
      return try fetch(sender)
    }
  }

  /// Has root read the client certificate of an account, and ask for the login at its proxy.
  private func prepare(_ sender: Sender) {
    do throws(SecretError) {
      try IdentityKeeper(sender.clientCertificate, interruption: .shared).prepare()
      try ProxyKeeper(sender.proxy, interruption: .shared).prepare()
    } catch {
      queue.command.report(place: sender.name, error.message, hint: error.hint)
    }
  }

  private func fetch(_ sender: Sender) throws(SecretError) -> Sender {
    do throws(SecretFailure) {
      let keeper = SecretKeeper(sender.secret, interruption: .shared)
      let octets = try keeper.secret().octets
      return sender.secret.isToken
        ? sender.with(accessToken: octets) : sender.with(secret: octets)
    } catch {
      switch error {
      case .interrupted:
        throw SecretError(key: sender.secretKey ?? "password", problem: .interrupted)
      case .source(let error):
        queue.command.report(place: sender.name, error.message, hint: error.hint)
        throw error
      }
    }
  }

  private func visitQueue(
    _ outbox: Outbox,
    _ configuration: Configuration,
    _ body: (Configuration, Outbox) throws(SpoolError) -> ExitStatus
  ) -> ExitStatus {
    do throws(SpoolError) {
      try Spool.check(root: outbox.root, user: outbox.user)
      let status = try outbox.asUser { () throws(SpoolError) in try body(configuration, outbox) }
      for sender in configuration.senders where sender.shared.allow(outbox.user) {
        try report(on: outbox, sender)
      }
      return status
    } catch {
      return queue.report(error)
    }
  }

  /// Puts reports on what failed into root's queue.
  ///
  /// The entry says that it was reported when the report is durable: better twice than never.
  private func report(on outbox: Outbox, _ sender: Sender) throws(SpoolError) {
    guard let mail = FailureMail(sender) else { return }
    let own = Outbox(root: SpoolPlace.rootForSystemAccounts(user: 0), user: 0)
    let reports = try outbox.asUser { () throws(SpoolError) in try mail.reports(of: outbox) }
    for report in reports {
      try mail.enqueue(report, in: own)
      try outbox.asUser { () throws(SpoolError) in
        for item in report.items { try outbox.noteReported(item) }
      }
    }
  }
}
