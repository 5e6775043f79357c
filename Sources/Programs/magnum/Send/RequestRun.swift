internal import CommandLine
internal import Configuration
internal import MailModel
internal import Octets
internal import Outgoing
internal import Platform
internal import Sendmail
internal import Spool
internal import Submission
internal import Terminal

/// What the program does with a command line.
struct RequestRun {
  private let context: CommandContext

  private var console: Console { context.console }

  init(_ context: CommandContext) {
    self.context = context
  }

  func run(name: [UInt8], _ arguments: [[UInt8]]) -> ExitStatus {
    do throws(UsageError) {
      var request = try SendmailCommandLine.parse(name: name, arguments)
      // For callers whose command line cannot be changed.
      if request.delivery == .attempted, SendEnvironment.isStrict { request.delivery = .awaited }
      return serveRequest(request)
    } catch {
      return context.report(SendExplanation.of(error))
    }
  }

  private func serveRequest(_ request: SendmailRequest) -> ExitStatus {
    if ReadOnlyMode.isOn, request.mode.changes { return context.report(ReadOnlyMode.refusal) }
    return switch request.mode {
    case .deliver, .verify: deliver(request)
    case .listQueue: list(request)
    case .runQueue(let text): flush(request, matching: text)
    case .rebuildAliases: .success
    case .showServer: serverInfo(request)
    case .showHelp: show(SendHelp.text)
    case .showVersion: show(Version.text(of: "magnum-send"))
    }
  }

  private func show(_ text: String) -> ExitStatus {
    console.print(text)
    return .success
  }

  private func deliver(_ request: SendmailRequest) -> ExitStatus {
    context.reporting { () throws(Explanation) in try SendTask(request, context).run() }
  }

  private func serverInfo(_ request: SendmailRequest) -> ExitStatus {
    context.reporting { () throws(Explanation) in try ServerTask(request, context).run() }
  }

  /// What can be read is listed, whatever else cannot.
  private func list(_ request: SendmailRequest) -> ExitStatus {
    let outboxes = SendEnvironment.listedOutboxes
    var statuses: [ExitStatus] = []
    var items: [QueuedItem] = []
    do throws(Explanation) {
      let accounts = try accounts(request, outboxes)
      for outbox in outboxes {
        do throws(SpoolError) {
          let listing = try outbox.asUser { () throws(SpoolError) in
            try outbox.listing(of: accounts)
          }
          items += listing.items
          for problem in listing.problems {
            var explanation = SendExplanation.of(problem.error)
            explanation.what = "the queue cannot be read: \(explanation.what)"
            explanation.place = explanation.place ?? problem.account
            statuses.append(context.report(explanation))
          }
        } catch {
          statuses.append(context.report(SendExplanation.of(error)))
        }
      }
    } catch {
      return context.report(error)
    }
    // What cannot be read may not be empty.
    if !items.isEmpty || statuses.isEmpty {
      for line in MailqTable.lines(items) { console.print(line) }
    }
    return statuses.first ?? .success
  }

  /// The accounts whose queues are listed, nil for all; a configuration is only read where one is asked for.
  private func accounts(
    _ request: SendmailRequest,
    _ outboxes: [Outbox]
  ) throws(Explanation) -> [String]? {
    guard request.account != nil || request.configuration != nil else { return nil }
    return try QueueSelection(request, try ConfigurationSource(request).load(), outboxes).names
  }

  private func flush(_ request: SendmailRequest, matching text: [UInt8]?) -> ExitStatus {
    do throws(Explanation) {
      let status = try FlushTask(request, context).run(matching: text)
      // The status is 0 even then: the message is in the queue, and must not be given again.
      if Interruption.shared.isRequested { Program.end(.success, console) }
      return status
    } catch {
      return context.report(error)
    }
  }
}

extension SendmailRequest.Mode {
  /// Whether something comes into the queue, or goes from it.
  fileprivate var changes: Bool {
    switch self {
    case .deliver, .runQueue: true
    case .verify, .listQueue, .rebuildAliases, .showServer, .showHelp, .showVersion: false
    }
  }
}

/// The configuration that a request means.
struct ConfigurationSource {
  private let request: SendmailRequest

  init(_ request: SendmailRequest) {
    self.request = request
  }

  func load() throws(Explanation) -> Configuration {
    do throws(ConfigurationError) {
      return try Configuration.load(
        explicit: request.configuration.map { Path($0) },
        environment: SendEnvironment.configuration
      )
    } catch {
      throw error.explanation
    }
  }
}

/// The accounts whose queues a request is about: the one of `--account`, else all.
struct QueueSelection {
  private let account: String?

  /// - Throws: an account that is not configured and has no queue either.
  init(
    _ request: SendmailRequest,
    _ configuration: Configuration,
    _ outboxes: [Outbox]
  ) throws(Explanation) {
    account = request.account.map { String(decoding: $0, as: UTF8.self) }
    guard let account, !AccountFlush.isPossible(account, configuration) else { return }
    if outboxes.contains(where: { (try? $0.spool(of: account).exists()) ?? false }) { return }
    throw Explanation(unknownAccount: account, known: configuration.senders.map(\.name))
  }

  /// The names of the accounts; nil for all.
  var names: [String]? { account.map { [$0] } }

  func contains(_ name: String) -> Bool { account.map { $0.utf8.elementsEqual(name.utf8) } ?? true }
}
