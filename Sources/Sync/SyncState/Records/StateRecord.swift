package import MailModel
package import MessageContent
internal import Octets
internal import Platform
package import SyncPlan

/// One line of a mailbox's state: what the map lists and the log appends.
package enum StateRecord: Hashable {
  /// The message is on both sides; replaces what was known of its UID.
  case message(BaseRecord)
  /// The message came here from another mailbox: it is on record now, and the intent to forget it there is open.
  ///
  /// One record, so that a log that ends in the midst of it says neither or both.
  case arrived(BaseRecord, number: UInt64, from: Intent.Origin)
  /// Both sides agree on these flags of a known message.
  case flags(uid: UInt32, MessageFlags)
  /// These flags of a known message are about to be changed on one side; ended by what says what is agreed on then.
  case flagsUnderWay(uid: UInt32, FlagsUnderWay)
  /// The message is on neither side, or no longer mirrored.
  case gone(uid: UInt32)
  /// A file that was synced once and is detached now.
  case detached(name: [UInt8])
  /// A new file that is a copy of a message of that mailbox was first seen then, in seconds since 1970, and waits; or it does no
  /// more, where `since` is nil.
  case waiting(name: [UInt8], since: Int64?, source: UInt64)
  /// A copy of a known message was made from here, and is on record in its mailbox.
  case copied(uid: UInt32, to: Intent.Origin)
  /// A message without a file that is to go for good.
  case pendingExpunge(uid: UInt32, PendingExpunge)
  /// What the file of a draft looked like when both sides agreed on its content.
  case version(uid: UInt32, FileVersion)
  /// Everything of the server up to this UIDNEXT and HIGHESTMODSEQ is here, as far as they are known.
  case reached(uidNext: UInt32?, modSequence: UInt64?)
  /// The window that the messages are chosen by from now on, as configured.
  case window([UInt8])
  /// The server's own id of the mailbox, never empty.
  case serverID([UInt8])
  /// So many files were removed in that hour since 1970, for the deletion guard.
  case deletions(hour: Int64, count: Int)
  /// Of which sides the deletion guard holds the losses back.
  case blockedDeletions(BlockedDeletions)
  /// All files of messages on record were in place when new/ or cur/ was last changed at that moment, in nanoseconds since
  /// 1970.
  case whole(changed: Int64)
  /// Something is about to be done on the server.
  case intent(number: UInt64, Intent)
  /// The server said OK to what that intent is about; it is not sent again before it is known what came of it.
  case taken(number: UInt64)
  /// What came of that intent is recorded.
  case resolved(number: UInt64)
  /// Every record before this one was flushed to disk.
  case durable
}

extension StateRecord {
  /// Whether it tells of a partial message, which older versions do not know.
  var isOfPartial: Bool {
    switch self {
    case .message(let message), .arrived(let message, _, _): message.completeness.isPartial
    case .intent(_, let intent): intent.isOfPartial
    case .flags, .flagsUnderWay, .gone, .detached, .waiting, .copied, .pendingExpunge, .version,
      .reached, .window, .serverID, .deletions, .blockedDeletions, .whole, .taken, .resolved,
      .durable:
      false
    }
  }

  /// Whether another message may have a name by it, or a name another message.
  var mayChangeNames: Bool {
    switch self {
    case .message, .arrived, .gone, .pendingExpunge: true
    case .flags, .flagsUnderWay, .detached, .waiting, .copied, .version, .reached, .window,
      .serverID, .deletions, .blockedDeletions, .whole, .intent, .taken, .resolved,
      .durable:
      false
    }
  }

  /// What says that the message has arrived which the intent of that number is about; `origin` is where it is on record
  /// still.
  package static func arrival(
    _ message: BaseRecord,
    number: UInt64,
    from origin: Intent.Origin?
  ) -> [Self] {
    guard let origin else { return [.message(message), .resolved(number: number)] }
    return [.arrived(message, number: number, from: origin)]
  }

  /// That so many more files or messages were removed just now.
  package static func deletions(_ count: Int, in state: MailboxState) -> Self {
    let hour = Clock.now() / 3600
    return .deletions(hour: hour, count: (state.deletions[hour] ?? 0) + count)
  }
}
