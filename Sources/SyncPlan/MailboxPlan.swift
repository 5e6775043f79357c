/// What is to be done in one mailbox, in order, and what is left alone.
package struct MailboxPlan: Hashable, Sendable {
  /// The mailbox's own id.
  package let mailbox: UInt64
  /// In the order in which they are to be executed.
  package internal(set) var actions: [Action] = []
  /// In no particular order.
  package internal(set) var held: [HeldBack] = []

  init(mailbox: UInt64) {
    self.mailbox = mailbox
  }

  /// Whether the brake held deletions back.
  package var isBraked: Bool {
    held.contains { $0.cause == .massDeletion }
  }
}
