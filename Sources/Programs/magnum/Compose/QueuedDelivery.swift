internal import CommandLine
internal import Configuration
internal import Correspondence
internal import MailModel
internal import Octets
internal import Outgoing
internal import Platform
internal import SpoolPlan
internal import Terminal

/// What becomes of a message that a person has put into the queue: it is sent, and that is reported.
struct QueuedDelivery {
  private let context: CommandContext
  private let dispatch: Dispatch

  private var console: Console { context.console }
  private var account: String { dispatch.sender.name }

  init(_ context: CommandContext, _ dispatch: Dispatch) {
    (self.context, self.dispatch) = (context, dispatch)
  }

  /// Tries to send it, once its moment is there if that is near.
  func attempt(_ entry: Entry, _ schedule: ScheduledTime?) -> Dispatch.Result {
    if let schedule {
      let when = schedule.isNear ? "it is sent at" : "it is not sent before"
      console.writeNote(
        "\(when) \(schedule.text); to take it back: magnum queue cancel \(entry.id)"
      )
      guard schedule.isNear else { return .queued(nil) }
      switch dispatch.wait(for: entry, until: schedule) {
      case .due: break
      case .interrupted: return .queued(nil)
      case .gone: return dispatch.result(of: entry)
      }
    }
    return dispatch.attempt(entry)
  }

  /// Prints what became of it, as JSON or in words, and gives the status to exit with.
  func report(_ result: Dispatch.Result, _ entry: Entry, _ line: ComposeLine) -> ExitStatus {
    if context.globals.json {
      var line = line
      line.entry = entry
      line.words = ComposeLine.words(result)
      if case .uncopied = result { line.lacksCopy = true }
      console.print(octets: line.json.octets)
    } else {
      console.print("\(ComposeLine.state(result)) \(entry.id)")
    }
    let words = ComposeLine.words(result).map { ": \(Printable.text($0))" } ?? ""
    switch result {
    case .sent, .held: return .success
    case .uncopied(let words):
      context.report(
        place: account,
        UncopiedWords.text(words),
        hint: UncopiedWords.hint(entry.id)
      )
      return .success
    case .queued:
      if !words.isEmpty { context.report(place: account, "queued\(words)") }
      return .success
    case .cancelled: return .partial
    case .failed:
      context.report(
        place: account,
        "refused\(words)",
        hint: "the message is kept: magnum queue show \(entry.id)"
      )
      return .partial
    }
  }
}
