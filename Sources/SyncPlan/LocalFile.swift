/// One message file as the scan of a Maildir found it.
package struct LocalFile: Hashable, Sendable {
  /// The base name, without `:2,` and flags.
  package var name: [UInt8]
  /// The flags of the name.
  package var flags: SystemFlags
  /// The UID inside the name where the name carries this mailbox's own id and UIDVALIDITY; else nil.
  package var ownUID: UInt32?
  /// The content, where somebody read it to match moves; else nil.
  package var identity: ContentIdentity?
  /// What stands for the content where only headers are compared; nil where nobody looked.
  package var key: ContentKey?
  /// Whether the content changed since the last run; looked at for drafts only.
  package var isEdited: Bool

  /// A file from its fields.
  package init(
    name: [UInt8],
    flags: SystemFlags,
    ownUID: UInt32? = nil,
    identity: ContentIdentity? = nil,
    key: ContentKey? = nil,
    isEdited: Bool = false
  ) {
    self.name = name
    self.flags = flags
    self.ownUID = ownUID
    self.identity = identity
    self.key = key
    self.isEdited = isEdited
  }
}
