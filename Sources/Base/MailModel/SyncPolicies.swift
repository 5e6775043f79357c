/// Which way changes travel between the server and the Maildir.
package enum SyncDirection: String, Hashable, Sendable, CaseIterable {
  /// Both ways.
  case both
  /// From the server into the Maildir; the server is never changed.
  case pull
  /// From the Maildir to the server; no file is ever changed.
  case push
}

/// What the labels of messages are here, on a server that has some (Gmail).
package enum LabelStyle: String, Hashable, Sendable, CaseIterable {
  /// Each is a mailbox, and has a folder.
  case folders
  /// Each is a tag; a message is one file, in the folder of all mail.
  case tags
}

/// What becomes of the server's message when its file is removed.
package enum LocalDeletion: String, Hashable, Sendable, CaseIterable {
  /// It goes to Trash; in Trash and Drafts it goes for good.
  case trash
  /// It goes for good.
  case expunge
  /// It stays.
  case keep
}

/// What becomes of a file when the server has its message no more.
package enum RemoteDeletion: String, Hashable, Sendable, CaseIterable {
  /// It is removed.
  case follow
  /// It stays, detached.
  case keep
}

/// In which mailboxes a message goes for good once both sides mark it as deleted.
package enum ExpungePolicy: String, Hashable, Sendable, CaseIterable {
  case never
  /// In Trash and Drafts.
  case trash
  case all
}

/// On which sides mailboxes are made or removed after the other side's example.
package enum FolderSide: String, Hashable, Sendable, CaseIterable {
  case none, local, remote, both

  /// Whether folders here follow the server.
  package var includesLocal: Bool { self == .local || self == .both }
  /// Whether mailboxes of the server follow the folders here.
  package var includesRemote: Bool { self == .remote || self == .both }

  /// Those of the sides on which something may be changed.
  package func limited(local: Bool, remote: Bool) -> FolderSide {
    switch (includesLocal && local, includesRemote && remote) {
    case (false, false): .none
    case (true, false): .local
    case (false, true): .remote
    case (true, true): .both
    }
  }
}
