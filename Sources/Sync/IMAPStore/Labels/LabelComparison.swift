internal import IMAP
internal import MailModel
internal import MailStore
internal import SyncPlan
internal import SyncState

/// When the labels of all messages are read, since it is documented nowhere whether a change of labels is told.
struct LabelSchedule {
  private static let hour: Int64 = 3600
  private static let day: Int64 = 86_400

  /// Seconds since they were read; nil where they never were, or a clock was set back.
  private let age: Int64?

  init(last: ServerTraits.LabelReading?, now: Int64) {
    age = last.map { now - $0.time }.flatMap { $0 < 0 ? nil : $0 }
  }

  /// Whether it is time.
  var isDue: Bool { age.map { $0 >= Self.day } ?? true }

  /// Whether they may be read again because tags and labels differ.
  var mayRepeat: Bool { age.map { $0 >= Self.hour } ?? true }
}

/// The tags of all messages, held against the numbers of messages with each label.
struct LabelComparison {
  /// The number of messages with each label, by tag.
  let counts: [[UInt8]: Int]

  /// Whether the tags are those of the known messages and of these, as far as the server tells numbers.
  func agrees(
    _ known: [[UInt8]: [UInt32]],
    with told: RemoteMessages,
    vanished: [ClosedRange<UInt32>]
  ) -> Bool {
    let gone = UIDSet(vanished)
    var found: [[UInt8]: Int] = [:]
    for message in told {
      for keyword in message.flags.keywords { found[keyword, default: 0] += 1 }
    }
    return counts.allSatisfy { tag, count in
      let kept = known[tag]?.count { !told.contains(uid: $0) && !gone.contains($0) } ?? 0
      return kept + found[tag, default: 0] == count
    }
  }
}

/// Whether a server shows only the newest messages of a mailbox (Gmail's "folder size limits").
enum FolderLimit {
  /// The limits that a person can choose.
  private static let limits: Set<Int> = [1000, 2000, 5000, 10_000]

  /// Whether a mailbox with so many messages looks like that, of which so many are new.
  ///
  /// `known` are the UIDs of those that were known, ascending, and `gone` those of them that are gone.
  static func isReached(count: Int, known: [UInt32], gone: [UInt32], new: Int) -> Bool {
    if limits.contains(count) { return true }
    guard count >= 1000, count == known.count, !gone.isEmpty, gone.count == new else {
      return false
    }
    return known.prefix(gone.count).elementsEqual(gone)
  }
}
