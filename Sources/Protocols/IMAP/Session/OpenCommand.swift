internal import MailModel

/// A command whose tagged reply is still to come; holds no secret.
struct OpenCommand: Hashable, Sendable {
  /// What the reply will mean to the session.
  enum Kind: Hashable, Sendable {
    case authentication
    case selection(MailboxName, isExamining: Bool)
    case unselect
    case startTLS
    case idle
    /// A command after whose OK something on the server is taken for changed.
    case change
    case other
  }

  let tag: CommandTag
  let kind: Kind

  init(tag: CommandTag, _ command: Command) {
    self.tag = tag
    kind =
      switch command {
      case .login, .authenticate: .authentication
      case .select(let mailbox, _): .selection(mailbox, isExamining: false)
      case .examine(let mailbox, _): .selection(mailbox, isExamining: true)
      case .unselect: .unselect
      case .startTLS: .startTLS
      case .idle: .idle
      case .uidStore, .append, .uidCopy, .uidMove, .uidExpunge, .expunge, .create, .delete,
        .rename, .subscribe, .unsubscribe:
        .change
      default: .other
      }
  }
}
