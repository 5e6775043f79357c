internal import MailModel
internal import Configuration
internal import Outgoing
internal import Platform
internal import SyncEngine
internal import Triage

/// Sees to what people did to messages with `magnum`: finishes what was cut short, before a run tells the server, and takes
/// back here what the server refuses in the end.
final class ActKeeper: Sendable {
  /// How often a server may refuse what a file shows.
  private static let limit = 3

  private let configuration: Configuration
  private let refused = Monitor([String: [PushRefusal]]())

  init(_ configuration: Configuration) {
    self.configuration = configuration
  }

  private var triage: Triage { Triage(configuration, stateHome: Environment.stateHome) }

  /// Brings to its end what a command was doing to files when it was cut short: half of it is not for the server.
  ///
  /// - Throws: what of it could not be done; then too it is over.
  func finish() throws(Explanation) {
    if let remainder = try triage.finish()?.remainder { throw remainder.explanation }
  }

  /// Handles an event of a run.
  ///
  /// - Returns: what was taken back, at the end of an account's run.
  /// - Throws: that the journal cannot be read or written.
  func handleEvent(_ event: SyncEvent) throws(Explanation) -> [ReturnedStep] {
    switch event.kind {
    case .refused(let refusals):
      refused.withLock { $0[event.account, default: []] += refusals }
    case .finished:
      let refusals = refused.withLock { $0.removeValue(forKey: event.account) } ?? []
      return try triage.applyRefusals(refusals.map { Self.file($0, event.account) })
    default: break
    }
    return []
  }

  private static func file(_ refusal: PushRefusal, _ account: String) -> RefusedFile {
    let (words, isFinal) = meaning(of: refusal.cause)
    return RefusedFile(
      account: account,
      folder: refusal.folder,
      base: refusal.name,
      words: Array(words.utf8),
      isFinal: isFinal
    )
  }

  /// What is said of a refusal, and whether it is one too many after so many attempts.
  private static func meaning(
    of cause: PushRefusal.Cause
  ) -> (words: String, isFinal: @Sendable (_ attempts: Int) -> Bool) {
    switch cause {
    case .readOnly: ("the mailbox is read-only on the server", { $0 + 1 >= limit })
    case .refused(let command, let reply):
      (
        CommandRefusal.text(command, reply),
        { CommandRefusal.isFinal(reply, attempts: $0, limit: limit) }
      )
    }
  }
}
