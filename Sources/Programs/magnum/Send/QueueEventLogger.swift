internal import CommandLine
internal import SMTP
internal import SpoolPlan
internal import Submission
internal import Terminal

/// Reports what happens to a queue: what was asked for in vain, and the conversation, to standard error.
struct QueueEventLogger: Sendable {
  private let context: CommandContext

  /// The message that the caller has just handed in; `nil` for none.
  private let own: EntryID?

  init(_ context: CommandContext, own: EntryID? = nil) {
    self.context = context
    self.own = own
  }

  @Sendable func log(_ event: QueueEvent) {
    switch event {
    case .attempted(let attempt): if attempt.entry.id == own { warn(attempt) }
    case .trace(let line): context.console.writeNote(line)
    case .finished, .failed, .held, .blocked, .unreadable: break
    }
  }

  /// The caller asked for something that the server does not offer.
  private func warn(_ attempt: AttemptReport) {
    guard attempt.outcomes.contains(where: \.isAccepted) else { return }
    for shortfall in Shortfall.allCases where attempt.lacking.contains(shortfall) {
      guard let words = Self.words(shortfall) else { continue }
      context.report(place: attempt.entry.account, words)
    }
  }

  private static func words(_ shortfall: Shortfall) -> String? {
    switch shortfall {
    case .dsn: "sent, but the server offers no DSN: what was asked of reports has no effect"
    case .eightBitMIME:
      "sent, but the server offers no 8BITMIME, and the message has octets above 127 where nothing may be changed"
    // Messages with such headers are everyday, and arrive.
    case .smtpUTF8: nil
    }
  }
}
