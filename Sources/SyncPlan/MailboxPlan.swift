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

  /// How many files it removes because their messages are gone from the server.
  package var removedFiles: Int { actions.count { $0.removesLocalFile } }

  /// How many messages it removes from the server because their files were removed here.
  package var removedMessages: Int { actions.count { $0.removedMessage != nil } }

  /// Holds all removals back: there are too many at once.
  package mutating func holdRemovals() {
    holdLocalRemovals()
    holdRemoteRemovals()
  }

  mutating func holdLocalRemovals() {
    for case .removeLocal(let name, let uid) in actions.map(\.kind) {
      held.append(HeldBack(.serverDeletion(name: name, uid: uid), .massDeletion))
    }
    actions.removeAll { $0.removesLocalFile }
  }

  mutating func holdRemoteRemovals() {
    for uid in actions.compactMap(\.removedMessage) {
      held.append(HeldBack(.removal(uid: uid), .massDeletion))
    }
    actions.removeAll { $0.removedMessage != nil }
  }
}
