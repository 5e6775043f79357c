internal import IMAP
internal import Octets
internal import Platform
internal import SyncPlan

/// Carries out what plans change on the server, mailbox by mailbox over one connection.
///
/// It never decides: what is no longer as the plan saw it is left out, and the next run plans anew.
/// Nothing is changed before the server has said that the mailbox is still the same.
struct PushExecutor {
  private let context: AccountContext
  private let session: MailboxSession
  private let group: [UInt64: OpenMailbox]

  /// An executor for mailboxes that were planned together, by their ids.
  init(_ context: AccountContext, _ session: MailboxSession, _ group: [UInt64: OpenMailbox]) {
    self.context = context
    self.session = session
    self.group = group
  }

  /// Looks a second time at where the files are whose messages are about to be moved or removed.
  ///
  /// `concerns` picks the actions that depend on it; where there is none, nothing is looked at.
  func absence(
    for mailboxes: [OpenMailbox],
    where concerns: (Action) -> Bool
  ) throws(SyncFailure) -> AbsenceCheck {
    var names: OctetSet = []
    for mailbox in mailboxes {
      for action in mailbox.actions where concerns(action) {
        if let uid = action.fileless, let record = mailbox.state.messages[uid] {
          names.insert(record.name)
        }
        if let name = action.movedFile { names.insert(name) }
      }
    }
    return try AbsenceCheck(
      names,
      in: context.trees,
      RecordedFiles(context.trees, Array(group.values))
    )
  }

  /// Flags, moves and uploads.
  func push(_ mailbox: OpenMailbox, _ absence: AbsenceCheck) throws(SyncFailure) {
    let actions = mailbox.actions
    guard actions.contains(where: \.isPush) else { return }
    try FlagPush(context, session, mailbox).run(actions)
    try MovePush(context, session, mailbox, group).run(actions, absence)
    try UploadPush(context, session, mailbox, group).run(actions)
  }

  /// Removals: to Trash and for good.
  func remove(_ mailbox: OpenMailbox, _ absence: AbsenceCheck) throws(SyncFailure) {
    let removal = RemovalPush(context, session, mailbox, group)
    try removal.run(mailbox.actions, absence)
    try removal.buryTombstones()
  }
}

extension Action {
  /// The message of the base that the action removes or moves because its file is not in its place.
  var fileless: UInt32? {
    switch kind {
    case .removeRemote(let uid, _), .removeReplaced(let uid, _, _, _),
      .moveRemote(let uid, _, _, _):
      uid
    case .bind, .agree, .forget, .orphan, .download, .setLocalFlags, .relocate, .removeLocal,
      .removeMoved, .store, .append, .expunge:
      nil
    }
  }

  /// The base name of the file in another mailbox that the action follows.
  var movedFile: [UInt8]? {
    switch kind {
    case .removeReplaced(_, _, let name, _), .moveRemote(_, _, let name, _): name
    case .bind, .agree, .forget, .orphan, .download, .setLocalFlags, .relocate, .removeLocal,
      .removeMoved, .store, .append, .removeRemote, .expunge:
      nil
    }
  }

  /// Whether the action removes a message from the server, for whatever reason.
  var removesFromServer: Bool {
    if case .removeReplaced = kind { return true }
    return removedMessage != nil
  }
}
