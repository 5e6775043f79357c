internal import CommandLine
internal import Octets
internal import Platform
internal import Sendmail
internal import Spool
internal import Submission
internal import Terminal

/// What the program does with a command line.
struct SendProgram {
  private let context: CommandContext

  private var console: Console { context.console }

  init(_ context: CommandContext) {
    self.context = context
  }

  func run(name: [UInt8], _ arguments: [[UInt8]]) -> ExitStatus {
    do throws(UsageError) {
      return run(try SendmailCommandLine.parse(name: name, arguments))
    } catch {
      return context.report(SendExplanation.of(error))
    }
  }

  private func run(_ request: SendmailRequest) -> ExitStatus {
    switch request.mode {
    case .deliver, .verify: deliver(request)
    case .listQueue: list(request)
    case .runQueue(let text): flush(request, matching: text)
    case .rebuildAliases: .success
    case .showHelp: show(SendHelp.text)
    case .showVersion: show(Version.text)
    }
  }

  private func show(_ text: String) -> ExitStatus {
    console.print(text)
    return .success
  }

  private func deliver(_ request: SendmailRequest) -> ExitStatus {
    do throws(Explanation) {
      return try SendTask(request, context).run()
    } catch {
      return context.report(error)
    }
  }

  private func list(_ request: SendmailRequest) -> ExitStatus {
    let outbox = Outbox(root: SpoolPlace.root(), user: SendEnvironment.user)
    do throws(Explanation) {
      let accounts = try accounts(request, outbox)
      do throws(SpoolError) {
        for line in MailqTable.lines(try outbox.items(of: accounts)) { console.print(line) }
      } catch {
        throw SendExplanation.of(error)
      }
      return .success
    } catch {
      return context.report(error)
    }
  }

  /// The accounts whose queues are listed, nil for all; a configuration is only read where one is asked for.
  private func accounts(
    _ request: SendmailRequest,
    _ outbox: Outbox
  ) throws(Explanation) -> [String]? {
    guard request.account != nil || request.configuration != nil else { return nil }
    return try QueueSelection(request, try ConfigurationSource(request).load(), outbox).names
  }

  private func flush(_ request: SendmailRequest, matching text: [UInt8]?) -> ExitStatus {
    do throws(Explanation) {
      try FlushTask(request, context).run(matching: text)
      // Who gives a message is told 0 even then: it is in the queue, and must not be given again.
      if Interruption.shared.isRequested { Program.end(.success, console) }
      return .success
    } catch {
      return context.report(error)
    }
  }
}
