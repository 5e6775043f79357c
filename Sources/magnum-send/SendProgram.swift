internal import Configuration
internal import Octets
internal import Platform
internal import Sendmail
internal import Spool
internal import Submission
internal import Terminal

/// What the program does with a command line.
struct SendProgram {
  private let console: Console

  init(_ console: Console) {
    self.console = console
  }

  func run(name: [UInt8], _ arguments: [[UInt8]]) -> SendStatus {
    do throws(UsageError) {
      return run(try Sendmail.CommandLine.parse(name: name, arguments))
    } catch {
      let hint = "magnum-send --help lists the options that are understood"
      return fail(.usage, SendWords.text(error), hint: hint)
    }
  }

  private func run(_ request: SendmailRequest) -> SendStatus {
    switch request.mode {
    case .deliver, .verify: deliver(request)
    case .listQueue: list()
    case .runQueue(let text): flush(request, matching: text)
    case .rebuildAliases: .success
    case .showHelp: show(SendWords.help)
    case .showVersion: show(Version.text)
    }
  }

  private func show(_ text: String) -> SendStatus {
    console.print(text)
    return .success
  }

  private func deliver(_ request: SendmailRequest) -> SendStatus {
    do throws(SendFailure) {
      return try SendTask(request, console).run()
    } catch {
      return fail(error.status, error.what, place: error.place, hint: error.hint)
    }
  }

  private func list() -> SendStatus {
    do throws(SpoolError) {
      let outbox = Outbox(root: SpoolPlace.root(), user: SendEnvironment.user)
      for line in MailqTable.lines(try outbox.items()) { console.print(line) }
      return .success
    } catch {
      return fail(SendFailure(error))
    }
  }

  private func flush(_ request: SendmailRequest, matching text: [UInt8]?) -> SendStatus {
    do throws(SendFailure) {
      try FlushTask(request, console).run(matching: text)
      // Who gives a message is told 0 even then: it is in the queue, and must not be given again.
      if Interruption.shared.isRequested {
        _ = console.finish()
        FaultPoint.writeCount()
        Interruption.shared.endProcess()
      }
      return .success
    } catch {
      return fail(error)
    }
  }

  private func fail(_ failure: SendFailure) -> SendStatus {
    fail(failure.status, failure.what, place: failure.place, hint: failure.hint)
  }

  private func fail(
    _ status: SendStatus,
    _ what: String,
    place: String? = nil,
    hint: String? = nil
  ) -> SendStatus {
    console.report(Diagnostic(program: "magnum-send", place: place, what: what, hint: hint))
    return status
  }
}
