package import MailModel

/// Flags that change on the server; then just these are recorded as agreed.
package struct FlagStore: Hashable, Sendable {
  /// The message.
  package let uid: UInt32
  /// The flags to set.
  package let adding: SystemFlags
  /// The flags to clear.
  package let removing: SystemFlags
  /// The keywords to set and to clear.
  package let keywords: KeywordChange

  package init(
    uid: UInt32,
    adding: SystemFlags,
    removing: SystemFlags,
    keywords: KeywordChange = .none
  ) {
    self.uid = uid
    self.adding = adding
    self.removing = removing
    self.keywords = keywords
  }
}

/// A message that moves on the server to where its file went, and what is agreed on with it; then the file, in its new
/// place, shows `flags`.
package struct ServerMove: Hashable, Sendable {
  /// The message.
  package let uid: UInt32
  /// The id of the mailbox that it goes to.
  package let target: UInt64
  /// The base name of the file there.
  package let name: [UInt8]
  /// What the file is to show.
  package let flags: SystemFlags
}

/// A message that is copied on the server for a new file that holds what it holds.
package struct ServerCopy: Hashable, Sendable {
  /// The message, which may be of a mailbox that is not planned now.
  package let original: RemoteReference
  /// The base name of the file.
  package let name: [UInt8]
}

/// A file that is uploaded, with the keywords of the message that it was the file of, if any.
package struct FileUpload: Hashable, Sendable {
  /// The base name.
  package let name: [UInt8]
  /// What the message is to be marked with.
  package let flags: MessageFlags
  /// Those of these flags in which they differ from what the file shows, since the server changed them and this run may not
  /// change the file.
  package var unshown: SystemFlags = []
  /// The message that it is a new version of, which then goes for good; nil for a new one.
  package let replacing: UInt32?
  /// The record of a message of another mailbox that the server has no more, whose file it was until it was moved here.
  package let former: RemoteReference?
}

/// A message that goes from the server: to Trash, or for good.
package enum ServerRemoval: Hashable, Sendable {
  /// Its file was removed here.
  case fileless(uid: UInt32, toTrash: Bool)
  /// The same, where a copy that was made from here is in another mailbox: nothing is lost.
  case copied(uid: UInt32, toTrash: Bool)
  /// Its file was moved to another mailbox and written anew: once it was uploaded there.
  case replaced(uid: UInt32, toTrash: Bool, by: [UInt8], in: UInt64)
  /// Both sides mark it as deleted: for good, then its file.
  case marked(name: [UInt8], uid: UInt32)

  /// The message, if it goes because its file was removed here or marked so; else nil: what was replaced by a new
  /// version, or copied before, is not lost.
  var removedMessage: UInt32? {
    switch self {
    case .fileless(let uid, _), .marked(_, let uid): uid
    case .replaced, .copied: nil
    }
  }
}
