internal import MailModel
internal import SyncPlan
internal import SyncState

/// A message that came to an account, by what tells it from all others there.
package enum Arrival: Hashable, Sendable {
  /// It was fetched from a mailbox, by the id of that and its UIDVALIDITY.
  case fetched(mailbox: UInt64, validity: UInt32, uid: UInt32)
  /// Another program delivered its file to a folder of an account without a server.
  case delivered(folder: [UInt8], base: [UInt8])

  /// How it stands with the message, by what is recorded of its mailbox.
  enum Standing: Hashable {
    /// Its file came to this folder under this base name.
    case there(folder: [UInt8], base: [UInt8])
    /// It may still come: a run is at it, or was interrupted.
    case pending
    /// Rules have nothing to do with it any longer: it is gone, a draft, or sorted already.
    case over
  }

  /// The id of the mailbox that it was fetched from; nil where it was not.
  var mailbox: UInt64? {
    if case .fetched(let mailbox, _, _) = self { mailbox } else { nil }
  }

  /// Decides that; `state` is nil where nothing is recorded of the mailbox.
  func standing(in state: MailboxState?) -> Standing {
    switch self {
    case .delivered(let folder, let base): .there(folder: folder, base: base)
    case .fetched(_, let validity, let uid): Self.standing(of: uid, validity, in: state)
    }
  }

  private static func standing(
    of uid: UInt32,
    _ validity: UInt32,
    in state: MailboxState?
  ) -> Standing {
    guard let state, state.header.validity == validity else { return .over }
    guard let record = state.messages[uid] else {
      let isLookedAt = state.header.uidNext.map { uid < $0 } ?? true
      return isLookedAt ? .over : .pending
    }
    guard ArrivalTest.isOpen(record.flags) else { return .over }
    return .there(folder: state.header.directory, base: record.name)
  }
}

/// Decides which fetched messages count as arrived, by what the server says of them.
struct ArrivalTest {
  /// Seconds after which a message is no longer sorted, whenever it is fetched.
  static let ageLimit: Int64 = 30 * 86_400

  /// When rules began, in seconds since 1970.
  let since: Int64
  let now: Int64

  /// Those that have arrived.
  ///
  /// Also in mailboxes in which rules do not look for any: what came there together with another copy was not there before it.
  func arrivals(_ batch: [ArrivingMessages]) -> [Arrival] {
    batch.filter { $0.role != .sent && $0.role != .drafts }.flatMap { new in
      new.messages.filter { Self.isOpen($0.flags) && isRecent($0.date) }.map {
        .fetched(mailbox: new.mailbox, validity: new.validity, uid: $0.uid)
      }
    }
  }

  /// Whether rules may look at a message with these flags.
  static func isOpen(_ flags: MessageFlags) -> Bool {
    !flags.system.contains(.draft) && !flags.keywords.contains(where: RuleMark.isOne)
  }

  /// Where the server tells no INTERNALDATE, the message came just now.
  func isRecent(_ date: Int64?) -> Bool {
    date.map { $0 >= since && $0 >= now - Self.ageLimit } ?? true
  }
}
