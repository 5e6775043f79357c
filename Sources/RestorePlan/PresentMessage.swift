package import SyncPlan

/// A message that the server has, as far as it is known.
package struct PresentMessage: Hashable, Sendable {
  /// What its octets were found to be.
  package struct Content: Hashable, Sendable {
    /// All its octets.
    package let digest: WireDigest
    /// Its Message-ID, header and body.
    package let identity: ContentIdentity

    /// A content of these facts.
    package init(digest: WireDigest, identity: ContentIdentity) {
      self.digest = digest
      self.identity = identity
    }
  }

  /// Its UID.
  package let uid: UInt32
  /// The hash of its Message-ID, 0 where it has none; nil where it was not asked for.
  package var messageID: UInt64?
  /// What it holds; nil where it was not fetched.
  package var content: Content?

  /// A message from what is known of it.
  package init(uid: UInt32, messageID: UInt64? = nil, content: Content? = nil) {
    self.uid = uid
    self.messageID = messageID
    self.content = content
  }
}
