internal import MailModel
internal import Platform

/// What a run knows of the mailbox that removed messages go to, for all connections.
final class TrashFacts: Sendable {
  private struct Knowledge: Sendable {
    var name: MailboxName?
    var candidates: [MailboxName] = []
  }

  private let knowledge = Monitor(Knowledge())

  /// The mailbox; nil where the server has none.
  var name: MailboxName? { knowledge.withLock { $0.name } }

  /// The names to make it under, the best first.
  var candidates: [MailboxName] { knowledge.withLock { $0.candidates } }

  /// The server has it, or has it now.
  func found(_ name: MailboxName) {
    knowledge.withLock { $0.name = name }
  }

  /// The server has none; these would be names for it.
  func couldMake(_ candidates: [MailboxName]) {
    knowledge.withLock { $0.candidates = candidates }
  }
}
