package import MailModel

/// One step of a plan: what to do, to which message, and why.
package struct Action: Hashable, Sendable {
  /// What a step does.
  package enum Kind: Hashable, Sendable {
    /// Record that file and UID are the same message, with the flags agreed on as the file is; nothing moves.
    case bind(name: [UInt8], uid: UInt32, agreed: MessageFlags, size: UInt64, date: Int64)
    /// Record the agreed flags; nothing moves.
    case agree(uid: UInt32, flags: MessageFlags)
    /// Record that the message is on neither side.
    case forget(uid: UInt32)
    /// Record that a file was synced once and is now on its own.
    case orphan(name: [UInt8], uid: UInt32?)
    /// Fetch the message into a new file.
    case download(RemoteMessage)
    /// Rename the file to show `flags`, then record the agreed ones.
    case setLocalFlags(name: [UInt8], uid: UInt32, flags: SystemFlags, agreed: MessageFlags)
    /// Rename a file of the mailbox `from` into this one, where the server moved its message, so that it has
    /// the base name `as` and shows `flags`; then record the message.
    case relocate(
      name: [UInt8],
      from: UInt64,
      as: [UInt8],
      message: RemoteMessage,
      flags: SystemFlags,
      identity: ContentIdentity?
    )
    /// Remove the file under the record's own name, then the record.
    case removeLocal(name: [UInt8], uid: UInt32)
    /// Remove a file that was moved here under its name, while the server moved its message elsewhere, where it is on
    /// both sides.
    case removeMoved(name: [UInt8])
    /// Change the server's flags, then record just these as agreed.
    case store(uid: UInt32, adding: SystemFlags, removing: SystemFlags)
    /// Upload the file, with the keywords of the message that it was the file of, if any; then remove the message for
    /// good that it is a new version of, if any.
    case append(name: [UInt8], flags: MessageFlags, replacing: UInt32?)
    /// Move the server's message to where its file went, and what is agreed on with it; then let the file,
    /// in its new place, show `flags`.
    case moveRemote(uid: UInt32, to: UInt64, name: [UInt8], flags: SystemFlags)
    /// Remove the server's message: to Trash, or for good.
    case removeRemote(uid: UInt32, toTrash: Bool)
    /// The same, once its file, which was moved to another mailbox and written anew, was uploaded there.
    case removeReplaced(uid: UInt32, toTrash: Bool, by: [UInt8], in: UInt64)
    /// Remove a message that both sides mark as deleted for good, then its file.
    case expunge(name: [UInt8], uid: UInt32)
  }

  /// What it does, and to which message.
  package let kind: Kind
  /// Why it is planned.
  package let reason: Reason

  /// An action from its parts.
  package init(_ kind: Kind, _ reason: Reason) {
    self.kind = kind
    self.reason = reason
  }
}

extension Action {
  /// Where the action stands in the order of execution: records, pushes, pulls, deletions last.
  ///
  /// A file's flags come before their push, so that what is agreed after the push is recorded last.
  var rank: Int {
    switch kind {
    case .bind, .agree, .orphan: 0
    case .setLocalFlags, .relocate: 1
    case .moveRemote, .store, .append: 2
    case .download: 3
    case .removeRemote, .removeReplaced, .expunge: 4
    case .removeLocal, .removeMoved, .forget: 5
    }
  }
}

extension Action {
  /// Whether the action changes the server.
  package var isPush: Bool {
    switch kind {
    case .store, .append, .moveRemote, .removeRemote, .removeReplaced, .expunge: true
    case .bind, .agree, .forget, .orphan, .download, .setLocalFlags, .relocate, .removeLocal,
      .removeMoved:
      false
    }
  }

  /// Whether the action removes a file.
  package var removesLocalFile: Bool {
    if case .removeLocal = kind { true } else { false }
  }

  /// The message that the action removes from the server because its file was removed here or marked so; else nil.
  ///
  /// What was replaced by a new version was not removed.
  package var removedMessage: UInt32? {
    switch kind {
    case .removeRemote(let uid, _), .expunge(_, let uid): uid
    case .bind, .agree, .forget, .orphan, .download, .setLocalFlags, .relocate, .removeLocal,
      .removeMoved, .store, .append, .moveRemote, .removeReplaced:
      nil
    }
  }

  /// The actions in the order of execution; those of one rank keep theirs.
  static func inOrder(_ actions: [Action]) -> [Action] {
    (0...5).flatMap { rank in actions.filter { $0.rank == rank } }
  }
}
