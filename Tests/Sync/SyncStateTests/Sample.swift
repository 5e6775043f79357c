import MailModel
import MessageContent
import SyncPlan

@testable import SyncState

/// A state with something of every kind in it.
enum Sample {
  static let header = MailboxHeader(
    mailbox: Array("Entw&APw-rfe, alt".utf8),
    directory: Array("Entwürfe, alt".utf8),
    id: 0x0123_4567_89ab_cdef,
    validity: 17,
    uidNext: 42,
    modSequence: 1 << 40,
    generation: 3,
    window: Array("30d".utf8),
    serverID: Array("F01-2.3".utf8)
  )

  static let identity = ContentIdentity(
    messageID: 1,
    bodyHigh: .max,
    bodyLow: 0xfeed,
    header: 0xbeef
  )

  static let records: [StateRecord] = [
    .message(
      BaseRecord(
        uid: 1,
        name: Array("1700000000.V17U1.0123456789abcdef,S=12,W=14".utf8),
        flags: MessageFlags([.seen, .flagged], keywords: [Array("$Label1".utf8), [0x2C, 0x2D]]),
        size: 14,
        date: 1_700_000_000,
        identity: identity,
        completeness: .whole
      )
    ),
    .message(
      BaseRecord(
        uid: .max,
        name: [0xFF, 0x20, 0x0A, 0x25],
        flags: MessageFlags(),
        date: -1,
        completeness: .whole
      )
    ),
    .message(
      BaseRecord(uid: 2, name: [], flags: MessageFlags(.all), size: .max, completeness: .whole)
    ),
    .message(
      BaseRecord(
        uid: 5,
        name: Array("1700000000.V17U5.0123456789abcdef".utf8),
        flags: MessageFlags(.seen),
        size: 20_000_000,
        identity: identity,
        completeness: .partial(name: Array("0a1b".utf8))
      )
    ),
    .flags(uid: 1, MessageFlags(.deleted, keywords: [Array("-".utf8)])),
    .flagsUnderWay(uid: 1, FlagsUnderWay(shown: [.flagged, .deleted], stored: [.seen])),
    .gone(uid: 2),
    .detached(name: Array("left over".utf8)),
    .reached(uidNext: .max, modSequence: .max),
    .window(Array("all".utf8)),
    .serverID(Array("a b".utf8)),
    .deletions(hour: 480_000, count: 12),
    .blockedDeletions(BlockedDeletions(here: true, there: false)),
    .waiting(name: Array("a b".utf8), since: 1_700_000_000, source: 0xabc),
    .waiting(name: Array("a b".utf8), since: nil, source: 0xabc),
    .copied(uid: 3, to: Intent.Origin(source: 0xabc, validity: 17, uid: 9)),
    .intent(number: 30, .unmark(Intent.Unmarking(validity: 17, uids: [3, 40, .max]))),
    .pendingExpunge(uid: 77, PendingExpunge(isFlagged: false)),
    .pendingExpunge(uid: 78, PendingExpunge(isFlagged: true)),
    // Of it that is kept what was on record.
    .message(
      BaseRecord(
        uid: 79,
        name: Array("buried".utf8),
        flags: MessageFlags(.seen),
        size: 12,
        identity: identity,
        completeness: .whole
      )
    ),
    .pendingExpunge(
      uid: 79,
      PendingExpunge(isFlagged: false, copy: PendingExpunge.Copy(validity: 17, uid: .max))
    ),
    .version(uid: 1, FileVersion(size: 12, modified: 1_700_000_000_123_456_789)),
    .taken(number: 30),
    .message(
      BaseRecord(
        uid: 80,
        name: Array("rewritten".utf8),
        flags: MessageFlags(),
        size: 12,
        identity: identity,
        serverHeader: .max,
        completeness: .whole
      )
    ),
    .intent(
      number: 7,
      .append(
        Intent.Upload(
          name: Array("draft".utf8),
          size: 3,
          identity: identity,
          flags: MessageFlags([.flagged, .seen], keywords: [Array("$Junk".utf8)]),
          uidNext: 42,
          replacing: 5,
          origin: nil
        )
      )
    ),
    .intent(
      number: 11,
      .append(
        Intent.Upload(
          name: Array("kept".utf8),
          size: 3,
          identity: identity,
          flags: nil,
          uidNext: 42,
          replacing: nil,
          origin: Intent.Origin(source: 1, validity: 2, uid: 3)
        )
      )
    ),
    .intent(
      number: 8,
      .move(
        Intent.Transfer(
          source: 9,
          validity: 1,
          uid: 2,
          name: Array("moved".utf8),
          size: 4,
          identity: nil,
          uidNext: 3,
          completeness: .whole
        )
      )
    ),
    .intent(
      number: 21,
      .move(
        Intent.Transfer(
          source: 9,
          validity: 1,
          uid: 4,
          name: Array("moved too".utf8),
          size: 4,
          identity: nil,
          uidNext: 3,
          completeness: .partial(name: Array("0a1c".utf8))
        )
      )
    ),
    .intent(
      number: 9,
      .discard(
        Intent.Disposal(
          uid: 1,
          trash: Array("Trash".utf8),
          place: MailboxPlace(validity: 3, uidNext: 8),
          size: 6,
          identity: identity
        )
      )
    ),
    .intent(
      number: 10,
      .discard(
        Intent.Disposal(
          uid: 1,
          trash: Array("Trash".utf8),
          place: nil,
          size: nil,
          identity: nil
        )
      )
    ),
    .resolved(number: 8),
    .intent(
      number: 12,
      .follow(
        Intent.Following(
          BaseRecord(
            uid: 8,
            name: Array("followed".utf8),
            flags: MessageFlags(.flagged),
            size: 5,
            completeness: .whole
          ),
          from: Intent.Origin(source: 7, validity: 1, uid: 2),
          file: Array("before".utf8),
          in: .max,
          changing: .seen
        )
      )
    ),
    .intent(
      number: 13,
      .follow(
        Intent.Following(
          BaseRecord(
            uid: 9,
            name: Array("followed too".utf8),
            flags: MessageFlags(.flagged),
            size: 5,
            completeness: .partial(name: Array("0a1d".utf8))
          ),
          from: Intent.Origin(source: 7, validity: 1, uid: 2),
          file: Array("before".utf8),
          in: .max,
          changing: .seen
        )
      )
    ),
    .arrived(
      BaseRecord(
        uid: 3,
        name: Array("came".utf8),
        flags: MessageFlags(.seen),
        size: 5,
        completeness: .whole
      ),
      number: 10,
      from: Intent.Origin(source: .max, validity: 1, uid: 2)
    ),
    .arrived(
      BaseRecord(
        uid: 6,
        name: Array("came too".utf8),
        flags: MessageFlags(.seen),
        size: 5,
        completeness: .partial(name: Array("0a1d".utf8))
      ),
      number: 11,
      from: Intent.Origin(source: .max, validity: 1, uid: 3)
    ),
    .durable,
  ]

  static var state: MailboxState {
    var state = MailboxState(header)
    for record in records { state.apply(record) }
    return state
  }
}
