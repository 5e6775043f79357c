internal import SpoolPlan
internal import SyncEngine

extension MessageRequest {
  /// What an entry of the spool asks for; nil for one that is about no message of the server.
  init?(_ action: Action) {
    switch action {
    case .send, .append: return nil
    case .setFlags(let change):
      self.init(
        .flags(adding: change.added, removing: change.removed),
        of: change.message
      )
    case .move(let move):
      self.init(.move(to: move.target), of: move.message)
    case .delete(let deletion):
      self.init(
        deletion.manner == .trash ? .trash : .expunge,
        of: deletion.message
      )
    }
  }

  /// Whether the message is to leave its mailbox.
  var isDeparture: Bool {
    if case .flags = change { false } else { true }
  }
}
