package import MailModel

/// One message as the server describes it.
package struct RemoteMessage: Hashable, Sendable {
  /// Its UID.
  package var uid: UInt32
  /// Its flags.
  package var flags: MessageFlags
  /// RFC822.SIZE in octets; nil where it was not asked for.
  package var size: UInt64?
  /// INTERNALDATE in seconds since 1970; nil where it was not asked for.
  package var date: Int64?
  /// What its header tells of its content; nil where it was not read.
  package var key: ContentKey?
  /// Its content; nil where it was not read.
  package var identity: ContentIdentity?

  /// A message from its fields.
  package init(
    uid: UInt32,
    flags: MessageFlags,
    size: UInt64? = nil,
    date: Int64? = nil,
    key: ContentKey? = nil,
    identity: ContentIdentity? = nil
  ) {
    self.uid = uid
    self.flags = flags
    self.size = size
    self.date = date
    self.key = key
    self.identity = identity
  }
}
