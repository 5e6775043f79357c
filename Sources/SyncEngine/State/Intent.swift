internal import SyncPlan

/// What was about to be done on the server when it was written down, so that a crash leaves no doubt.
enum Intent: Hashable {
  /// An upload: the file, and what the server had before.
  case append(
    name: [UInt8],
    size: UInt64,
    identity: ContentIdentity?,
    validity: UInt32,
    uidNext: UInt32
  )
  /// A move into this mailbox out of another.
  case move(
    from: UInt64,
    validity: UInt32,
    uid: UInt32,
    identity: ContentIdentity?,
    uidNext: UInt32
  )
  /// The removal of a message.
  case delete(uid: UInt32)
}
