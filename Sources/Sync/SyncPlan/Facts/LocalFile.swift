package import MailModel

/// One message file as the scan of a Maildir found it.
package struct LocalFile: Hashable, Sendable {
  /// The base name, without `:2,` and flags.
  package var name: [UInt8]
  /// The flags of the name.
  package var flags: SystemFlags
  /// The UID inside the name where the name carries this mailbox's own id and UIDVALIDITY; else nil.
  package var ownUID: UInt32?
  /// Whether the name says that the file is detached: then it is uploaded nowhere, whatever is recorded.
  package var isDetached: Bool
  /// The content, where it was read to be compared; else nil.
  package var identity: ContentIdentity?
  /// What people did to its tags, and the server is still to be told of.
  package var tags: KeywordChange
  /// Whether the file is not a whole message, where it was read: a partial file, or one that holds such a file.
  package var isPartial: Bool
  /// Whether the content is not the recorded one; looked at for drafts, and where the file is to be removed.
  package var isEdited: Bool

  package init(
    name: [UInt8],
    flags: SystemFlags,
    ownUID: UInt32? = nil,
    isDetached: Bool = false,
    identity: ContentIdentity? = nil,
    tags: KeywordChange = .none,
    isPartial: Bool = false,
    isEdited: Bool = false
  ) {
    self.name = name
    self.flags = flags
    self.ownUID = ownUID
    self.isDetached = isDetached
    self.identity = identity
    self.tags = tags
    self.isPartial = isPartial
    self.isEdited = isEdited
  }
}
