package import SyncPlan

/// What makes two messages one by the widest rule of ``RestoreMatcher`` that counts for them: equal keys, one message.
///
/// Messages with a Message-ID and the same body are one, whatever else their headers have. Without a Message-ID the header has to
/// be the same too, except for fields that are added on a message's way. Of drafts all octets have to be the same.
package struct CopyKey: Hashable, Sendable {
  private let parts: (UInt64, UInt64, UInt64, UInt64)

  private init(_ parts: (UInt64, UInt64, UInt64, UInt64)) { self.parts = parts }

  /// The key of a finished message with a Message-ID; nil where it has none.
  package init?(named identity: ContentIdentity) {
    guard identity.messageID != 0 else { return nil }
    self.init((identity.messageID, identity.bodyHigh, identity.bodyLow, 0))
  }

  /// The key of a finished message.
  package init(_ identity: ContentIdentity) {
    let parts = (UInt64(0), identity.bodyHigh, identity.bodyLow, identity.header)
    self = CopyKey(named: identity) ?? CopyKey(parts)
  }

  /// The key of a draft.
  package init(draft digest: WireDigest) { self.init(digest.numbers) }

  package static func == (left: CopyKey, right: CopyKey) -> Bool {
    left.parts == right.parts
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(parts.0)
    hasher.combine(parts.1)
    hasher.combine(parts.3)
  }
}
