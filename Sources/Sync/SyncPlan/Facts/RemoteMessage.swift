package import MailModel

/// One message as the server describes it.
package struct RemoteMessage: Hashable, Sendable {
  package var uid: UInt32
  package var flags: MessageFlags
  /// RFC822.SIZE in octets; nil where it was not asked for.
  package var size: UInt64?
  /// INTERNALDATE in seconds since 1970; nil where it was not asked for.
  package var date: Int64?
  /// What its header tells of its content; nil where it was not read.
  package var key: ContentKey?
  /// Its content; nil where it was not read.
  package var identity: ContentIdentity?

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

extension RemoteMessage {
  /// So many octets may be missing of any message: what servers say of small ones is often not what they give.
  private static let slack: UInt64 = 64 << 10

  /// Whether octets that came of it are so much fewer than its size that they may be a part of it only.
  ///
  /// Some servers estimate sizes, or count line ends otherwise; none of those are a quarter off, and of none is nothing left.
  package func isCut(at octets: UInt64) -> Bool {
    guard let size, octets < size else { return false }
    return octets == 0 || size - octets > max(Self.slack, size / 4)
  }
}
