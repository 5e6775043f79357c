internal import Configuration
internal import Octets
internal import Platform
package import Spool
internal import SpoolPlan
package import Submission
package import SyncEngine

/// Does what entries of the spool ask for in mailboxes of the account: copies of what was sent, and messages to be put
/// into a mailbox.
package final class AppendPerformer: StepPerformer {
  private let writer: MailboxWriter?

  /// What kept the last of them from being done; nil when nothing did.
  package private(set) var failure: SyncFailure?

  /// A performer; without a writer, for an account without an IMAP server, there are no mailboxes.
  package init(_ writer: MailboxWriter?) {
    self.writer = writer
  }

  /// Does what the entry asks for; see `StepPerformer`.
  package func perform(
    _ stored: StoredEntry,
    begun: [UInt8]?,
    attempts: Int,
    note: ([UInt8]) throws(SpoolError) -> Void
  ) throws(SpoolError) -> StepResult {
    switch stored.entry.action {
    // Whoever changes messages of the server is not there yet: what was put here waits for him.
    case .setFlags, .move, .delete: return .left
    case .send(let sending):
      guard let writer else { return .done(Self.words("no mailboxes")) }
      guard let letter = Self.letter(sending, stored) else { return .done([]) }
      return result(try writer.put(letter, begun: begun, note: note), attempts)
    case .append(let appending):
      guard let writer else { return .rejected(Self.words("the account has no IMAP server")) }
      let letter = Letter(
        stored.message ?? [],
        to: .mailbox(appending.mailbox),
        flags: appending.flags,
        date: appending.date,
        isUnique: false
      )
      return result(try writer.put(letter, begun: begun, note: note), attempts)
    }
  }

  /// The copy of what is sent, with the recipients whom nobody else may see.
  private static func letter(_ sending: Sending, _ stored: StoredEntry) -> Letter? {
    guard let copy = sending.copy, let message = stored.message else { return nil }
    let hidden = sending.blindCopies.map {
      Array("Bcc: ".utf8) + $0 + [ASCII.lineFeed]
    }
    return Letter(
      (hidden ?? []) + message,
      to: copy.mailbox.map { .mailbox($0) } ?? .sent,
      flags: copy.flags,
      date: stored.entry.queued,
      isUnique: true
    )
  }

  private func result(_ outcome: AppendOutcome, _ attempts: Int) -> StepResult {
    switch outcome {
    case .appended(let mailbox): return .done(mailbox)
    case .present(let mailbox): return .done(mailbox + Self.words(" has it already"))
    case .leftToSync: return .done(Self.words("a file in the folder is uploaded by the sync"))
    case .keptByServer: return .done(Self.words("the server keeps it by itself"))
    case .noMailbox: return .rejected(Self.words("the server has no such mailbox"))
    case .unfit(let problem):
      return .rejected(Self.words(SyncFailureWords(.file([], problem), account: "").what))
    case .refused(let response):
      let words = Self.words(AppendRefusal.text(response))
      return AppendRefusal.isFinal(response, attempts: attempts)
        ? .rejected(words) : .postponed(words)
    case .failed(let failure): return result(failure)
    }
  }

  private func result(_ failure: SyncFailure) -> StepResult {
    if case .commandRefused = failure {
      return .postponed(Self.words(SyncFailureWords(failure, account: "").what))
    }
    self.failure = failure
    return .unreachable
  }

  private static func words(_ text: String) -> [UInt8] { Array(text.utf8) }
}
