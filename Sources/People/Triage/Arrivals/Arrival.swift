internal import MailModel
internal import SyncPlan
internal import SyncState

/// A message that came to an account, by what tells it from all others there.
package struct Arrival: Hashable, Sendable {
  /// The id of its mailbox.
  let mailbox: UInt64
  /// The UIDVALIDITY of the mailbox.
  let validity: UInt32
  let uid: UInt32

  /// How it stands with the message, by what is recorded of its mailbox.
  enum Standing: Hashable {
    /// Its file came to this folder under this base name.
    case there(folder: [UInt8], base: [UInt8])
    /// It may still come: a run is at it, or was interrupted.
    case pending
    /// Rules have nothing to do with it any longer: it is gone, a draft, or sorted already.
    case over
  }

  /// Decides that; `state` is nil where nothing is recorded of the mailbox.
  func standing(in state: MailboxState?) -> Standing {
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
        Arrival(mailbox: new.mailbox, validity: new.validity, uid: $0.uid)
      }
    }
  }

  /// Whether rules may look at a message with these flags.
  static func isOpen(_ flags: MessageFlags) -> Bool {
    !flags.system.contains(.draft) && !flags.keywords.contains(where: RuleMark.isOne)
  }

  /// Where the server tells no INTERNALDATE, the message came just now.
  private func isRecent(_ date: Int64?) -> Bool {
    date.map { $0 >= since && $0 >= now - Self.ageLimit } ?? true
  }
}
