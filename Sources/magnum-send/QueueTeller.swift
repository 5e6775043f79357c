internal import Configuration
internal import Submission
internal import Terminal

/// Reports what happens to a queue: deliveries to the log, the conversation to standard error.
struct QueueTeller: Sendable {
  private let console: Console
  private let log: DeliveryLog

  init(_ console: Console, _ log: DeliveryLog) {
    self.console = console
    self.log = log
  }

  @Sendable func tell(_ event: QueueEvent) {
    switch event {
    case .attempted(let attempt): log.note(attempt)
    case .trace(let line): console.note(line)
    case .finished, .failed, .held, .blocked, .unreadable: break
    }
  }
}
