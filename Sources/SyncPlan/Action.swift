/// One step of a plan: what to do, to which message, and why.
package struct Action: Hashable, Sendable {
  /// What a step does.
  package enum Kind: Hashable, Sendable {
    /// Record that file and UID are the same message, with the agreed flags; nothing moves.
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
    /// Remove the file, then the record.
    case removeLocal(name: [UInt8], uid: UInt32)
    /// Change the server's flags, then record the agreed ones.
    case store(uid: UInt32, adding: SystemFlags, removing: SystemFlags, agreed: MessageFlags)
    /// Upload the file.
    case append(name: [UInt8], flags: SystemFlags)
    /// Move the server's message to where its file went; then the file, in its new place, shows `flags`,
    /// and both sides agree on `agreed`.
    case moveRemote(
      uid: UInt32,
      to: UInt64,
      name: [UInt8],
      flags: SystemFlags,
      agreed: MessageFlags
    )
    /// Remove the server's message: to Trash, or for good.
    case removeRemote(uid: UInt32, toTrash: Bool)
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
    case .setLocalFlags: 1
    case .moveRemote, .store, .append: 2
    case .download: 3
    case .removeRemote: 4
    case .removeLocal, .forget: 5
    }
  }
}

extension Action {
  /// Whether the action removes a file.
  package var removesLocalFile: Bool {
    if case .removeLocal = kind { true } else { false }
  }

  /// Whether the action removes a message from the server.
  package var removesRemoteMessage: Bool {
    if case .removeRemote = kind { true } else { false }
  }

  /// The actions in the order of execution; those of one rank keep theirs.
  static func inOrder(_ actions: [Action]) -> [Action] {
    (0...5).flatMap { rank in actions.filter { $0.rank == rank } }
  }
}
